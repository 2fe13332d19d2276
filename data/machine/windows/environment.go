package main

import (
	"sort"
	"strings"
	"syscall"
	"unicode/utf16"
)

// environment is a command's: names are equal whatever their case.
type environment map[string]string

// newEnvironment is Windows' own with what the host asks for. What the host says for Linux is made Windows'.
func newEnvironment(own []string, asked map[string]string, cwd string) environment {
	env := environment{}
	for _, pair := range own {
		// The names of drives' own folders begin with a sign of equality.
		if at := strings.Index(pair[1:], "=") + 1; at > 0 {
			env.set(pair[:at], pair[at+1:])
		}
	}
	for name, value := range asked {
		switch name {
		case "PATH":
			env.set(name, searchPath(value, env.get(name)))
		case "HOME":
			env.set(name, windowsValue(value))
		default:
			env.set(name, value)
		}
	}
	env.set("PWD", cwd)
	return env
}

func (e environment) set(name, value string) {
	for known := range e {
		if strings.EqualFold(known, name) {
			delete(e, known)
		}
	}
	e[name] = value
}

func (e environment) get(name string) string {
	for known, value := range e {
		if strings.EqualFold(known, name) {
			return value
		}
	}
	return ""
}

// block is the environment as a new process is given it, sorted.
func (e environment) block() ([]uint16, error) {
	pairs := make([]string, 0, len(e))
	for name, value := range e {
		if strings.ContainsRune(name+value, 0) {
			return nil, unusable("the variable " + quoted(name) + " holds a zero byte")
		}
		pairs = append(pairs, name+"="+value)
	}
	sort.Slice(pairs, func(a, b int) bool { return strings.ToUpper(pairs[a]) < strings.ToUpper(pairs[b]) })
	var block []uint16
	for _, pair := range pairs {
		block = append(append(block, utf16.Encode([]rune(pair))...), 0)
	}
	return append(block, 0), nil
}

// searchPath makes a Windows path of the host's: folders of the layout come before Windows' own, those that only Linux has
// are left out. One that is written for Windows already is taken as it is.
func searchPath(asked, own string) string {
	if !strings.HasPrefix(asked, "/") {
		return asked
	}
	var places []string
	for _, place := range strings.Split(asked, ":") {
		if path, err := windowsPath(place); err == nil {
			places = append(places, path)
		}
	}
	return strings.Join(append(places, own), ";")
}

func windowsValue(value string) string {
	if path, err := windowsPath(value); err == nil {
		return path
	}
	return value
}

// systemFolder is where Windows' own programs are.
func systemFolder() string {
	if folder, ok := syscall.Getenv("SystemRoot"); ok {
		return folder + `\System32`
	}
	return `C:\Windows\System32`
}
