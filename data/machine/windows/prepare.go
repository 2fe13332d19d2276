package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// prepared is what was there before the agent began.
type prepared struct {
	mu sync.Mutex
	// residents ran as the agent's account already, the shell of its desktop above all, or as nobody knows whom.
	residents map[processKey]seenProcess
	// over: the agent's work is, and nothing of it may start again.
	over bool
}

// prepare makes the lease's surroundings: folders, limits, clock.
func (s *server) prepare(asked request) (fields, error) {
	sid, err := s.agentSid()
	if err != nil {
		return nil, err
	}
	if asked.Clean {
		if err := s.clean(); err != nil {
			return nil, err
		}
	}
	for _, one := range []struct{ path, owner string }{
		{`C:\ale`, "root"}, {`C:\ale\run`, "root"}, {`C:\ale\root`, "root"},
		{temporary, "agent"}, {home, "agent"}, {home + `\input`, "agent"}, {home + `\output`, "agent"},
	} {
		if err := s.makeFolders(`\\?\`+one.path, one.owner); err != nil {
			return nil, err
		}
	}
	// On a new disk everybody may write a folder in its root, and this one has what the system runs.
	if err := s.giveTo(`\\?\C:\ale`, "root", true); err != nil {
		return nil, err
	}
	if err := useUTF8(sid); err != nil {
		return nil, err
	}
	residents, err := processesOf(sid)
	if err != nil {
		return nil, err
	}
	s.prepared.mu.Lock()
	s.prepared.residents, s.prepared.over = residents, false
	s.prepared.mu.Unlock()
	s.changes.forget()
	limited := s.limit(asked)
	if asked.Now > 0 && !s.sameUser {
		if err := setClock(asked.Now); err != nil {
			return nil, err
		}
	}
	return fields{"group": limited}, nil
}

// limit makes the job around all that the agent runs from now on; false where this Windows keeps no such limits.
func (s *server) limit(asked request) bool {
	total, err := newJob(asked.MemoryMb<<20, asked.MaxProcesses)
	if err != nil {
		s.jobs.setTotal(nil)
		return false
	}
	s.jobs.setTotal(total)
	if share := asked.Cpus / float64(runtime.NumCPU()); asked.Cpus > 0 && share < 1 {
		return total.limitCPU(uint32(share*10000)) == nil
	}
	return true
}

// setClock sets the time, in seconds since 1970.
func setClock(seconds float64) error {
	t := time.UnixMilli(int64(seconds * 1000)).UTC()
	now := syscall.Systemtime{
		Year: uint16(t.Year()), Month: uint16(t.Month()), Day: uint16(t.Day()), Hour: uint16(t.Hour()),
		Minute: uint16(t.Minute()), Second: uint16(t.Second()), Milliseconds: uint16(t.Nanosecond() / 1e6),
	}
	return call(setSystemTime, uintptr(unsafe.Pointer(&now)))
}

// profileFolders are emptied and kept: Windows makes them once, when the account first logs on.
var profileFolders = map[string]bool{
	"3d objects": true, "contacts": true, "desktop": true, "documents": true, "downloads": true, "favorites": true,
	"links": true, "music": true, "onedrive": true, "pictures": true, "saved games": true, "searches": true, "videos": true,
}

// clean takes away what an earlier lease left: its processes, its seals, its files.
func (s *server) clean() error {
	if _, err := s.endLeftBehind(); err != nil {
		return err
	}
	for _, path := range s.seals.releaseAll() {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	s.changes.forget()
	if err := s.emptyHome(); err != nil {
		return err
	}
	if err := s.emptyTemporary(); err != nil {
		return err
	}
	return os.RemoveAll(`C:\ale\run`)
}

// emptyHome leaves what makes a home usable by Windows: the registry of the user, and where programs keep settings.
func (s *server) emptyHome() error {
	entries, err := os.ReadDir(home)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, one := range entries {
		name := strings.ToLower(one.Name())
		path := filepath.Join(`\\?\`+home, one.Name())
		switch {
		case name == "appdata" || strings.HasPrefix(name, "ntuser") || one.Type()&os.ModeSymlink != 0 && !s.sameUser:
		case profileFolders[name]:
			err = emptyFolder(path)
		default:
			err = os.RemoveAll(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func emptyFolder(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, one := range entries {
		if err := os.RemoveAll(filepath.Join(path, one.Name())); err != nil {
			return err
		}
	}
	return nil
}

// emptyTemporary removes what is the agent's from the folder for everybody.
func (s *server) emptyTemporary() error {
	folder := `\\?\` + temporary
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, one := range entries {
		path := filepath.Join(folder, one.Name())
		handle, err := openItself(path, readControl|readAttributes)
		if err != nil {
			continue
		}
		owner, err := s.ownerOf(handle)
		syscall.CloseHandle(handle)
		if err == nil && owner == "agent" {
			err = os.RemoveAll(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
