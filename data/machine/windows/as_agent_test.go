package main

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

func TestPathsWhereTheAgentMayMakeLinksAreKnown(t *testing.T) {
	for path, wanted := range map[string]bool{
		`\\?\C:\Users\agent`: true, `c:\users\AGENT\a\b`: true, temporary + `\x`: true,
		`C:\Users\agents`: false, `C:\ale\run`: false, `C:\Users`: false,
	} {
		if isAgents(path) != wanted {
			t.Errorf("%s: %v", path, !wanted)
		}
	}
}

// hasOtherRights tells whether this thread has the rights of another than the program.
func hasOtherRights() bool {
	open := advapi32.NewProc("OpenThreadToken")
	thread := ^uintptr(1)
	var token syscall.Token
	if call(open, thread, syscall.TOKEN_QUERY, 1, uintptr(unsafe.Pointer(&token))) != nil {
		return false
	}
	token.Close()
	return true
}

func TestRightsAreAnothersForAsLongAsItIsDone(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		t.Fatal(err)
	}
	var token syscall.Token
	if err := syscall.OpenProcessToken(process, syscall.TOKEN_QUERY|syscall.TOKEN_DUPLICATE, &token); err != nil {
		t.Fatal(err)
	}
	defer token.Close()
	inside := false
	failed := identity{token}.impersonate(func() error {
		inside = hasOtherRights()
		return unusable("so")
	})
	if !inside || failed != unusable("so") {
		t.Errorf("rights inside: %v; failed with %v", inside, failed)
	}
	if hasOtherRights() {
		t.Error("rights were kept")
	}
	if err := (identity{}).impersonate(func() error { t.Error("it was done all the same"); return nil }); err == nil {
		t.Error("it is not said that rights could not be taken")
	}
}

func TestAFolderThatIsHeldIsNotMovedAway(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "held")
	if err := os.MkdirAll(filepath.Join(folder, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	held, err := holdFolder(`\\?\` + folder)
	if err != nil {
		t.Fatal(err)
	}
	if os.Rename(folder, folder+"2") == nil {
		t.Error("it was moved away")
	}
	where, err := whereIs(held)
	if err != nil || where.isPath(folder+`\in`) || where.isPath(filepath.Dir(folder)) || !where.isPath(folder) {
		t.Errorf("it is at %v, %v", where, err)
	}
	syscall.CloseHandle(held)
	if err := os.Rename(folder, folder+"2"); err != nil {
		t.Error(err)
	}
}

func TestWhatATaskBringsIsUnreadableToTheAgent(t *testing.T) {
	for path, wanted := range map[string]bool{
		`\\?\C:\ale\task`: false, `\\?\C:\ALE\task\reference\x`: false, `\\?\C:\ale\tasks`: true, `\\?\C:\ale\run\x`: true,
	} {
		if isReadable(path, 0o644) != wanted {
			t.Errorf("%s: %v", path, !wanted)
		}
	}
	if isReadable(`C:\ale\run\x`, 0o600) {
		t.Error("what is for its owner is readable")
	}
}
