package main

import (
	"os"
	"strings"
	"sync"
	"syscall"
)

// seals are what nobody may change, rename or replace. Rights alone do not do it: who may write the folder above can rename
// what is in it. So each folder is held open without letting anybody rename or delete it, which Windows then keeps from
// all that is above, too.
type seals struct {
	mu   sync.Mutex
	held map[string]syscall.Handle
}

func newSeals() *seals {
	return &seals{held: map[string]syscall.Handle{}}
}

// seal makes a file or a folder with all in it read-only for the agent.
func (s *server) seal(asked string) error {
	path, err := longPath(asked)
	if err != nil {
		return err
	}
	return s.sealBelow(path)
}

func (s *server) sealBelow(path string) error {
	found, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if found.Mode()&os.ModeSymlink != 0 {
		return nil
	}
	if err := s.giveTo(path, "root", true); err != nil {
		return err
	}
	// Where there are no accounts, files are held as well: nothing else keeps anybody from writing them.
	if found.IsDir() || s.sameUser {
		if err := s.seals.hold(path, found.IsDir()); err != nil {
			return err
		}
	}
	if !found.IsDir() {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, one := range entries {
		if err := s.sealBelow(path + `\` + one.Name()); err != nil {
			return err
		}
	}
	return nil
}

// hold keeps a path from being renamed or deleted, and a file from being written.
func (s *seals) hold(path string, isFolder bool) error {
	name, err := utf16Of(path)
	if err != nil {
		return err
	}
	share := uint32(syscall.FILE_SHARE_READ)
	if isFolder {
		share |= syscall.FILE_SHARE_WRITE
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING,
		openReparsePoint|backupSemantics, 0)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.ToLower(path)
	if old, known := s.held[key]; known {
		syscall.CloseHandle(old)
	}
	s.held[key] = handle
	return nil
}

// release lets go of a path and all below it.
func (s *seals) release(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	top := strings.ToLower(path)
	for held, handle := range s.held {
		if held == top || strings.HasPrefix(held, top+`\`) {
			syscall.CloseHandle(handle)
			delete(s.held, held)
		}
	}
}

// releaseAll lets go of everything, and gives the paths.
func (s *seals) releaseAll() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	for held, handle := range s.held {
		syscall.CloseHandle(handle)
		paths = append(paths, held)
	}
	s.held = map[string]syscall.Handle{}
	return paths
}
