package main

import (
	"syscall"
	"testing"
)

// startStopped starts a program that runs nothing before it is let go.
func startStopped(t *testing.T) (*syscall.ProcessInformation, processKey) {
	program := systemFolder() + `\cmd.exe`
	block, err := newEnvironment([]string{"A=b"}, nil, `C:\`).block()
	if err != nil {
		t.Fatal(err)
	}
	made, err := (&launch{program: program, line: "cmd", block: block, folder: `C:\`, flags: createSuspended}).start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.TerminateProcess(made.Process, killedByUs)
		syscall.CloseHandle(made.Thread)
		syscall.CloseHandle(made.Process)
	})
	key, _, ok := lookAt(made.ProcessId)
	if !ok {
		t.Fatal("it is not found")
	}
	return made, key
}

func TestAResidentIsStopped(t *testing.T) {
	made, key := startStopped(t)
	if suspendProcess(processKey{key.pid, key.created + 1}) || !suspendProcess(key) {
		t.Error("it was another that was stopped")
	}
	// Once as it was started, once by us.
	count, _, _ := kernel32.NewProc("SuspendThread").Call(uintptr(made.Thread))
	if count != 2 {
		t.Errorf("it had been stopped %d times", count)
	}
}

func TestWhatCannotBeEndedIsPassedOverOnlyWhereNobodyKnowsWhoseItIs(t *testing.T) {
	_, key := startStopped(t)
	other := processKey{key.pid, key.created + 1}
	if names, left := endStrays(map[processKey]seenProcess{other: {"x", true}}); left != 0 || len(names) != 0 {
		t.Errorf("of one that is hidden: %v, %d", names, left)
	}
	if names, left := endStrays(map[processKey]seenProcess{other: {"x", false}}); left != 1 || len(names) != 0 {
		t.Errorf("of one that is the agent's: %v, %d", names, left)
	}
	if names, left := endStrays(map[processKey]seenProcess{key: {"y", true}}); left != 1 || len(names) != 1 {
		t.Errorf("of one that can be ended: %v, %d", names, left)
	}
}
