package main

import (
	"os"
	"strings"
)

// endings of files that can be started; of PATHEXT only these, in its order.
var startable = map[string]bool{".com": true, ".exe": true, ".bat": true, ".cmd": true}

// findProgram looks a command's name up in its own path. Names without an ending are tried with those of PATHEXT.
func findProgram(name, cwd string, env environment) (string, error) {
	endings := endingsOf(env)
	if strings.ContainsAny(name, `/\:`) {
		path, err := namedProgram(name, cwd)
		if err != nil {
			return "", err
		}
		if found := startableFile(path, endings); found != "" {
			return found, nil
		}
		return "", unusable("there is no program " + name)
	}
	for _, folder := range strings.Split(env.get("PATH"), ";") {
		folder = strings.Trim(folder, `"`)
		if folder == "" || !windowsStyle.MatchString(folder) {
			continue
		}
		if found := startableFile(strings.TrimRight(folder, `\`)+`\`+name, endings); found != "" {
			return found, nil
		}
	}
	return "", unusable("there is no program " + name)
}

// namedProgram is the place of a program that is named by a path, which may begin in the working folder.
func namedProgram(name, cwd string) (string, error) {
	if strings.HasPrefix(name, "/") || windowsStyle.MatchString(name) {
		return windowsPath(name)
	}
	if strings.Contains(name, ":") || strings.HasPrefix(name, `\`) {
		return "", unusable("there is no program " + name)
	}
	return cwd + `\` + strings.ReplaceAll(name, "/", `\`), nil
}

func endingsOf(env environment) []string {
	asked := env.get("PATHEXT")
	if asked == "" {
		asked = ".COM;.EXE;.BAT;.CMD"
	}
	var endings []string
	for _, ending := range strings.Split(strings.ToLower(asked), ";") {
		if startable[ending] {
			endings = append(endings, ending)
		}
	}
	return endings
}

// startableFile is the path with an ending that can be started; empty when there is none.
func startableFile(path string, endings []string) string {
	for _, ending := range endings {
		if strings.HasSuffix(strings.ToLower(path), ending) && isFile(path) {
			return path
		}
	}
	for _, ending := range endings {
		if isFile(path + ending) {
			return path + ending
		}
	}
	return ""
}

func isFile(path string) bool {
	found, err := os.Stat(path)
	return err == nil && found.Mode().IsRegular()
}

// isBatch tells the programs that cmd reads.
func isBatch(path string) bool {
	lower := strings.ToLower(path)
	return strings.HasSuffix(lower, ".bat") || strings.HasSuffix(lower, ".cmd")
}
