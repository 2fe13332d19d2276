package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// isAgents tells paths of what the agent may change as he likes: he may make links there to whatever is not his.
func isAgents(path string) bool {
	return isIn(home, path) || isIn(temporary, path)
}

// isIn tells paths of a folder and of what is in it.
func isIn(folder, path string) bool {
	path = strings.TrimPrefix(path, `\\?\`)
	return strings.EqualFold(path, folder) || (len(path) > len(folder) && path[len(folder)] == '\\' &&
		strings.EqualFold(path[:len(folder)], folder))
}

// asAgent does something about a path: with no more than the agent's own rights where he may have put links in the way.
func (s *server) asAgent(path string, act func() error) error {
	if s.sameUser || !isAgents(path) {
		return act()
	}
	as, err := agentIdentity()
	if err != nil {
		return err
	}
	defer as.close()
	return as.impersonate(act)
}

// impersonate does something with the rights of this identity.
func (i identity) impersonate(act func() error) error {
	// Rights are those of a thread, and nothing else may run on this one meanwhile.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := call(impersonateUser, uintptr(i.token)); err != nil {
		return fmt.Errorf("the rights of %s cannot be taken: %w", agentName, err)
	}
	defer func() {
		if err := call(revertToSelf); err != nil {
			panic(err)
		}
	}()
	return act()
}

// holdFolder opens a folder so that it can be neither renamed nor deleted, nor what it is in, while it is open. It must be
// where its path says: what is written with the system's rights follows no link.
func holdFolder(path string) (syscall.Handle, error) {
	name, err := utf16Of(path)
	if err != nil {
		return 0, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE, nil,
		syscall.OPEN_EXISTING, backupSemantics, 0)
	if err != nil {
		return 0, err
	}
	if where, err := whereIs(handle); err != nil || !where.isPath(path) {
		syscall.CloseHandle(handle)
		return 0, unusable(layoutPath(path) + " is reached by a link, and is not written to")
	}
	return handle, nil
}

// isPath tells whether an open file is at a path, by its volume's own name for it.
func (w whereabouts) isPath(path string) bool {
	path = strings.TrimPrefix(path, `\\?\`)
	return strings.EqualFold(strings.TrimSuffix(w.path, `\`), strings.TrimSuffix(path[len(filepath.VolumeName(path)):], `\`))
}
