package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// entry is a record of what is to be put in place; the content of a file follows it.
type entry struct {
	Kind     string   `json:"kind"`
	Path     string   `json:"path"`
	Size     int64    `json:"size"`
	Mode     *uint32  `json:"mode"`
	Modified *float64 `json:"modified"`
	To       string   `json:"to"`
}

var drafts uint64

// self is the owner of what is made with the rights of whom it is to belong to.
const self = "self"

// put writes files, folders and links as records come.
func (s *server) put(asked request, source io.Reader) error {
	reader := bufio.NewReaderSize(source, 1<<18)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		var one entry
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		if err := s.putEntry(one, reader, asked.Owner); err != nil {
			return err
		}
	}
}

func (s *server) putEntry(one entry, source io.Reader, owner string) error {
	path, err := longPath(one.Path)
	if err != nil {
		return err
	}
	if owner != "agent" || s.sameUser || !isAgents(path) {
		return s.putAt(path, one, source, owner)
	}
	if one.Kind == "link" {
		return s.putAgentsLink(path, one)
	}
	return s.asAgent(path, func() error { return s.putAt(path, one, source, self) })
}

// putAgentsLink makes a link where only we may write, as the agent may make none, and has him put it in its place.
func (s *server) putAgentsLink(path string, one entry) error {
	draft := draftIn(`\\?\C:\ale\root`)
	if err := s.makeFolders(filepath.Dir(draft), "root"); err != nil {
		return err
	}
	err := makeLink(one, path, draft)
	if err == nil {
		err = s.giveTo(draft, "agent", true)
	}
	if err == nil {
		err = s.asAgent(path, func() error {
			if err := s.makeFolders(filepath.Dir(path), self); err != nil {
				return err
			}
			found, err := os.Lstat(path)
			return replace(one, draft, path, err == nil && found.Mode()&os.ModeSymlink == 0 && found.IsDir())
		})
	}
	if err != nil {
		os.Remove(draft)
	}
	return err
}

// draftIn is a path for what is not whole yet.
func draftIn(folder string) string {
	return filepath.Join(folder, fmt.Sprintf(".ale-draft-%d-%d", os.Getpid(), atomic.AddUint64(&drafts, 1)))
}

// putAt puts an entry in place with the rights that we have at the moment.
func (s *server) putAt(path string, one entry, source io.Reader, owner string) error {
	found, err := os.Lstat(path)
	exists := err == nil
	if one.Kind == "folder" {
		if exists && !found.IsDir() {
			if target, err := os.Stat(path); err != nil || !target.IsDir() {
				return unusable(one.Path + " is in the way and no folder")
			}
		}
		return s.makeFolders(path, owner)
	}
	if err := s.makeFolders(filepath.Dir(path), owner); err != nil {
		return err
	}
	if owner != self {
		parent, err := holdFolder(filepath.Dir(path))
		if err != nil {
			return err
		}
		defer syscall.CloseHandle(parent)
	}
	draft := draftIn(filepath.Dir(path))
	if one.Kind == "link" {
		err = makeLink(one, path, draft)
	} else {
		err = s.writeFile(one, draft, source, owner)
	}
	if err == nil {
		err = replace(one, draft, path, exists && found.Mode()&os.ModeSymlink == 0 && found.IsDir())
	}
	if err != nil {
		os.Remove(draft)
	}
	return err
}

// makeFolders makes what of a folder is not there.
func (s *server) makeFolders(path, owner string) error {
	if found, err := os.Stat(path); err == nil && found.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := s.makeFolders(parent, owner); err != nil {
			return err
		}
		if owner != self {
			held, err := holdFolder(parent)
			if err != nil {
				return err
			}
			defer syscall.CloseHandle(held)
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	return s.giveTo(path, owner, isReadable(path, 0o755))
}

func (s *server) writeFile(one entry, draft string, source io.Reader, owner string) error {
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	copied, err := io.CopyBuffer(file, io.LimitReader(source, one.Size), make([]byte, 1<<18))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil && copied < one.Size {
		err = unusable("the content ended early")
	}
	mode := uint32(0o644)
	if one.Mode != nil {
		mode = *one.Mode
	}
	if err == nil {
		err = s.giveTo(draft, owner, isReadable(draft, mode))
	}
	if err == nil && one.Modified != nil {
		modified := time.UnixMilli(int64(*one.Modified * 1000))
		err = os.Chtimes(draft, modified, modified)
	}
	if err == nil && mode&0o200 == 0 {
		err = os.Chmod(draft, 0o444)
	}
	return err
}

// replace puts a draft in its place, whatever is there but a folder.
func replace(one entry, draft, path string, isFolder bool) error {
	if isFolder {
		return unusable(one.Path + " is a folder")
	}
	if found, err := os.Lstat(path); err == nil {
		switch {
		case found.Mode()&os.ModeSymlink != 0:
			// A link to a folder is not written over: it is a folder to Windows.
			if err := os.Remove(path); err != nil {
				return err
			}
		case found.Mode()&0o200 == 0:
			if err := os.Chmod(path, 0o666); err != nil {
				return err
			}
		}
	}
	err := os.Rename(draft, path)
	if link, ok := err.(*os.LinkError); ok && link.Err == syscall.Errno(32) {
		return unusable(one.Path + " is in use, and cannot be replaced")
	}
	return err
}

// makeLink makes a symbolic link, which has to say whether it leads to a folder.
func makeLink(one entry, path, draft string) error {
	target := one.To
	if strings.HasPrefix(target, "/") {
		found, err := windowsPath(target)
		if err != nil {
			return err
		}
		target = found
	}
	target = strings.ReplaceAll(target, "/", `\`)
	place := target
	if !windowsStyle.MatchString(target) {
		place = filepath.Join(filepath.Dir(path), target)
	}
	const toFolder, unprivileged = 1, 2
	flags := uint32(0)
	if found, err := os.Stat(place); err == nil && found.IsDir() {
		flags = toFolder
	}
	from, err := utf16Of(draft)
	if err != nil {
		return err
	}
	to, err := utf16Of(target)
	if err != nil {
		return err
	}
	// Without the privilege, Windows still allows it where developers work.
	err = syscall.CreateSymbolicLink(from, to, flags)
	if err == syscall.ERROR_PRIVILEGE_NOT_HELD {
		err = syscall.CreateSymbolicLink(from, to, flags|unprivileged)
	}
	if err != nil {
		return unusable(fmt.Sprintf("the link %s cannot be made: %s", one.Path, trimmed(err)))
	}
	return nil
}
