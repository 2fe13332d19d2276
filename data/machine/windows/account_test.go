package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// What is here needs accounts, rights or disks that Wine does not have: what of it Wine can tell is asked.

func TestProcessesOfAnAccountAreFoundAndOnlyThatOneIsEnded(t *testing.T) {
	sid, err := ownSid()
	if err != nil {
		t.Fatal(err)
	}
	// It reads for as long as nobody writes.
	input, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	files := []*os.File{input, os.Stderr, os.Stderr}
	child, err := os.StartProcess(systemFolder()+`\cmd.exe`, []string{"cmd"}, &os.ProcAttr{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	key := keyOf(t, sid, uint32(child.Pid))
	if endProcess(processKey{key.pid, key.created + 1}) {
		t.Error("a process of another time was ended")
	}
	if keyOf(t, sid, uint32(child.Pid)) != key {
		t.Error("it is another one")
	}
	if !endProcess(key) {
		t.Error("it was not ended")
	}
	state, err := child.Wait()
	if err != nil || uint32(state.ExitCode()) != killedByUs {
		t.Errorf("it ended by %v, %v", state, err)
	}
	found, err := processesOf("S-1-5-21-1-2-3-1001")
	for key, one := range found {
		if !one.hidden {
			t.Errorf("%v is no process of that account", key)
		}
	}
	if err != nil {
		t.Errorf("an account without processes has %v, %v", found, err)
	}
}

// keyOf waits until a process that was started a moment ago is listed.
func keyOf(t *testing.T, sid string, pid uint32) processKey {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		found, err := processesOf(sid)
		if err != nil {
			t.Fatal(err)
		}
		for key, one := range found {
			if key.pid == pid && one == (seenProcess{"cmd.exe", false}) {
				return key
			}
		}
	}
	t.Fatalf("process %d of %s is not found", pid, sid)
	return processKey{}
}

func TestOwnersAndRightsAreWordsThatWindowsReads(t *testing.T) {
	agent, err := ownSid()
	if err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{"agent", "root"} {
		for _, readable := range []bool{true, false} {
			for _, isFolder := range []bool{true, false} {
				sddl := descriptorOf(agent, owner, readable, isFolder)
				descriptor, err := readDescriptor(sddl)
				if err != nil {
					t.Errorf("%s: %v", sddl, err)
				}
				syscall.LocalFree(syscall.Handle(descriptor))
			}
		}
	}
}

func TestTimesOfFilesAreSince1970(t *testing.T) {
	if milliseconds(windowsEpochTo1970) != 0 || milliseconds(windowsEpochTo1970+15_000_000) != 1500 {
		t.Error("times of files are not since 1970")
	}
}

func TestNobodyAtTheConsoleIsSaidInWords(t *testing.T) {
	as, err := agentIdentity()
	if err == nil {
		as.close()
		t.Skip("somebody is logged on")
	}
	if text := wordsOf(err); text == "" {
		t.Error("it is not said why")
	} else {
		t.Log(text)
	}
}
