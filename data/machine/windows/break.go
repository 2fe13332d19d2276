package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

const (
	ctrlC     = 0
	ctrlBreak = 1
)

// askToEnd asks a command by CTRL+BREAK. Only who shares its console can: a second one of ourselves, started as its user.
func askToEnd(as identity, pid uint32) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	own, err := as.environment()
	if err != nil {
		return
	}
	block, err := newEnvironment(own, nil, `C:\`).block()
	if err != nil {
		return
	}
	line := fmt.Sprintf(`"%s" --break %d`, self, pid)
	plan := launch{as: as, program: self, line: line, block: block, folder: `C:\`, flags: detachedProcess}
	made, err := plan.start()
	if err != nil {
		// The host asks gently first, and then ends it whatever became of that.
		fmt.Fprintln(os.Stderr, err)
		return
	}
	syscall.CloseHandle(made.Thread)
	syscall.CloseHandle(made.Process)
}

// breakGroup sends CTRL+BREAK to the group of a process by way of its console, which it may not have made yet.
func breakGroup(pid uint32) error {
	freeConsole.Call()
	deadline := time.Now().Add(5 * time.Second)
	for {
		err := call(attachConsole, uintptr(pid))
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	err := call(generateConsoleCtrlEvent, ctrlBreak, uintptr(pid))
	if err != nil {
		// Wine knows no other; in Windows a group of its own does not hear it.
		err = call(generateConsoleCtrlEvent, ctrlC, uintptr(pid))
	}
	return err
}
