package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// start starts this program once more, with the streams of this one.
func start(flags uint32, words ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = os.StartProcess(self, append([]string{self}, words...), &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{CreationFlags: flags},
	})
	return err
}

// leave starts what its words say, and does not wait for it.
func leave(words []string) error {
	if err := start(0, words...); err != nil {
		return err
	}
	fmt.Println("left")
	return nil
}

const (
	detached     = 0x8
	newGroup     = 0x200
	breakaway    = 0x01000000
	stayInTheJob = 0
)

// tree starts a child, a grandchild whose parent is gone, and one that tries to leave the job, and waits; they all sleep by
// the first word, followed by a number.
func tree(words []string) error {
	if len(words) > 1 {
		return start(detached|newGroup, "sleep", words[0]+"-2")
	}
	if err := start(stayInTheJob, "sleep", words[0]+"-1"); err != nil {
		return err
	}
	if err := start(detached, "tree", words[0], "grandchild"); err != nil {
		return err
	}
	if err := start(breakaway|detached, "sleep", words[0]+"-3"); err != nil {
		// That it may not is as good as that it does not help.
		if err := start(stayInTheJob, "sleep", words[0]+"-3"); err != nil {
			return err
		}
	}
	fmt.Println("begun")
	return sleep(nil)
}

// respawn starts another one of its kind, again and again, and ends.
func respawn(words []string) error {
	time.Sleep(20 * time.Millisecond)
	return start(detached|newGroup, "respawn", words[0])
}

var setHandler = syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleCtrlHandler")

// onBreak is told of CTRL+BREAK, or of CTRL+C, which is all that Wine knows; nothing else happens then.
func onBreak(act func()) error {
	handler := syscall.NewCallback(func(kind uint32) uintptr {
		if kind <= 1 {
			act()
		}
		return 1
	})
	if result, _, err := setHandler.Call(handler, 1); result == 0 {
		return err
	}
	// A group of its own is deaf to CTRL+C until it says otherwise.
	if result, _, err := setHandler.Call(0, 0); result == 0 {
		return err
	}
	return nil
}

// polite says good-bye when it is asked to end.
func polite([]string) error {
	if err := onBreak(func() {
		fmt.Println("bye")
		os.Exit(5)
	}); err != nil {
		return err
	}
	return sleep(nil)
}

// deaf says that it has been asked to end, and goes on.
func deaf([]string) error {
	if err := onBreak(func() { fmt.Println("no") }); err != nil {
		return err
	}
	return sleep(nil)
}
