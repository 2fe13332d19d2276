// Node for Windows as tests in Wine have it: the real one does not run there. It has the host's own Node do the work, by a
// script that lies beside it, and ends as that did. Wine starts programs of the host, and tells no more of them: what they
// say and how they end is read from files.
package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	own, err := os.Executable()
	if err != nil {
		fail(err)
	}
	folder, err := os.MkdirTemp(`C:\windows\temp`, "node")
	if err != nil {
		fail(err)
	}
	words := strings.Join(os.Args[1:], "\x00")
	if err := os.WriteFile(filepath.Join(folder, "words"), []byte(words), 0o600); err != nil {
		fail(err)
	}
	script, _ := exec.Command("winepath", "-u", filepath.Join(filepath.Dir(own), "host-node.sh")).Output()
	start := exec.Command("start", "/unix", "/bin/sh", strings.TrimSpace(string(script)), filepath.Base(folder))
	if err := start.Run(); err != nil {
		fail(err)
	}
	for {
		told, err := os.ReadFile(filepath.Join(folder, "exit"))
		if err == nil {
			give(filepath.Join(folder, "stdout"), os.Stdout)
			give(filepath.Join(folder, "stderr"), os.Stderr)
			code, _ := strconv.Atoi(strings.TrimSpace(string(told)))
			os.Exit(code)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func give(path string, into io.Writer) {
	if text, err := os.ReadFile(path); err == nil {
		into.Write(text)
	}
}

func fail(err error) {
	os.Stderr.WriteString(err.Error())
	os.Exit(1)
}
