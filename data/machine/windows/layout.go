package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// folders are where the folders of every sandbox lie in a Windows machine. The longer ones come before those they are in.
var folders = []struct{ layout, windows string }{
	{"/home/agent", `C:\Users\agent`},
	{"/tmp", temporary},
	{"/run/ale", `C:\ale\run`},
	{"/root", `C:\ale\root`},
	{"/ale", `C:\ale`},
}

const (
	home      = `C:\Users\agent`
	task      = `C:\ale\task`
	temporary = `C:\tmp`
)

// Characters no name may hold, and names no file may have ("Naming Files, Paths, and Namespaces", Microsoft).
var (
	forbidden    = regexp.MustCompile(`[<>:"|?*\\\p{Cc}]`)
	reserved     = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)
	windowsStyle = regexp.MustCompile(`^[A-Za-z]:\\`)
)

// windowsPath is the machine's path for one of the layout; one of Windows' is taken as it is.
func windowsPath(path string) (string, error) {
	if windowsStyle.MatchString(path) {
		return path, nil
	}
	for _, folder := range folders {
		if path != folder.layout && !strings.HasPrefix(path, folder.layout+"/") {
			continue
		}
		words := []string{folder.windows}
		for _, name := range strings.Split(path[len(folder.layout):], "/") {
			if name == "" || name == "." {
				continue
			}
			if forbidden.MatchString(name) || reserved.MatchString(name) || strings.HasSuffix(name, ".") ||
				strings.HasSuffix(name, " ") {
				return "", unusable(fmt.Sprintf("%s cannot be in Windows, because of %s", quoted(path), quoted(name)))
			}
			words = append(words, name)
		}
		return strings.Join(words, `\`), nil
	}
	return "", unusable(quoted(path) + " is in none of the folders a Windows guest has")
}

// layoutPath is the path of the layout for one of the machine's; as it is where the layout has none.
func layoutPath(path string) string {
	path = strings.TrimPrefix(path, `\\?\`)
	for _, folder := range folders {
		if strings.EqualFold(path, folder.windows) || (len(path) > len(folder.windows) &&
			path[len(folder.windows)] == '\\' && strings.EqualFold(path[:len(folder.windows)], folder.windows)) {
			return folder.layout + strings.ReplaceAll(path[len(folder.windows):], `\`, "/")
		}
	}
	return path
}

// longPath is the path for calls about files: of any length, and every name taken as it is written.
func longPath(path string) (string, error) {
	found, err := windowsPath(path)
	if err != nil {
		return "", err
	}
	return `\\?\` + found, nil
}

// quoted writes a word as JSON does.
func quoted(word string) string {
	var text strings.Builder
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	if err := writer.Encode(word); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
