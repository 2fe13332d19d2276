package main

import (
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"syscall"
	"time"
)

// read hands out a file's bytes; links are followed, as a program would.
func (s *server) read(asked request, target io.Writer) error {
	path, err := longPath(asked.Path)
	if err != nil {
		return err
	}
	return s.asAgent(path, func() error { return readAt(path, asked, target) })
}

func readAt(path string, asked request, target io.Writer) error {
	found, err := os.Stat(path)
	if os.IsNotExist(err) {
		return unusable(asked.Path + " does not exist")
	}
	if err != nil {
		return unusable(fmt.Sprintf("%s cannot be read: %s", asked.Path, wordsOf(err)))
	}
	if !found.Mode().IsRegular() {
		return unusable(asked.Path + " is not a regular file")
	}
	file, err := openShared(path)
	if err != nil {
		return unusable(fmt.Sprintf("%s cannot be read: %s", asked.Path, wordsOf(err)))
	}
	defer file.Close()
	if found, err = file.Stat(); err != nil {
		return err
	}
	if found.Size() > asked.MaxBytes {
		return unusable(fmt.Sprintf("%s is larger than the %d bytes to be read", asked.Path, asked.MaxBytes))
	}
	// One that grows meanwhile is read as far as was allowed.
	_, err = io.CopyBuffer(target, io.LimitReader(file, asked.MaxBytes), make([]byte, 1<<18))
	return err
}

// openShared opens a file for reading whatever others do with it.
func openShared(path string) (*os.File, error) {
	name, err := utf16Of(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, shareAll, nil, syscall.OPEN_EXISTING, backupSemantics, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

// stat tells of a path itself, not of what it leads to.
func (s *server) stat(asked request) (fields, error) {
	if asked.Path == "/" {
		return fields{"type": "folder", "bytes": 0, "mode": 0o755, "owner": "root", "modifiedAt": 0}, nil
	}
	path, err := longPath(asked.Path)
	if err != nil {
		return nil, err
	}
	var told fields
	err = s.asAgent(path, func() error {
		told, err = s.statAt(path)
		return err
	})
	return told, err
}

func (s *server) statAt(path string) (fields, error) {
	handle, err := openItself(path, readAttributes|readControl)
	if os.IsNotExist(err) || err == errorNotFolder {
		return fields{"absent": true}, nil
	}
	if err != nil {
		return nil, err
	}
	defer syscall.CloseHandle(handle)
	state, err := stateOf(handle)
	if err != nil {
		return nil, err
	}
	owner, err := s.ownerOf(handle)
	return fields{
		"type":       kindOf(state),
		"bytes":      state.size,
		"mode":       modeOf(path, state.attributes),
		"owner":      owner,
		"modifiedAt": milliseconds(state.written),
	}, err
}

func kindOf(state fileState) string {
	switch {
	case state.attributes&attributeReparse != 0:
		return "link"
	case state.attributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0:
		return "folder"
	}
	return "file"
}

// modeOf is what of the modes of other systems Windows knows: whether a file is read-only, and whether it is a program.
func modeOf(path string, attributes uint32) int {
	mode := 0o644
	lower := strings.ToLower(path)
	for ending := range startable {
		if strings.HasSuffix(lower, ending) {
			mode = 0o755
		}
	}
	switch {
	case attributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0:
		return 0o755
	case attributes&syscall.FILE_ATTRIBUTE_READONLY != 0:
		return mode &^ 0o222
	}
	return mode
}

// list gives the names in a folder.
func (s *server) list(asked request) (fields, error) {
	path, err := longPath(asked.Path)
	if err != nil {
		return nil, err
	}
	var told fields
	err = s.asAgent(path, func() error {
		told, err = listAt(path, asked)
		return err
	})
	return told, err
}

func listAt(path string, asked request) (fields, error) {
	entries, err := os.ReadDir(path)
	if os.IsNotExist(err) {
		return nil, unusable(asked.Path + " does not exist")
	}
	if found, statError := os.Stat(path); statError == nil && !found.IsDir() {
		return nil, unusable(asked.Path + " is not a folder")
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	sort.Strings(names)
	return fields{"names": names}, nil
}

// removePath takes away a file or a whole folder. What has only just been let go of may be in use for a moment longer.
func (s *server) removePath(asked request) error {
	path, err := longPath(asked.Path)
	if err != nil {
		return err
	}
	s.seals.release(path)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err = os.RemoveAll(path)
		if err == nil || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		return unusable(fmt.Sprintf("%s could not be removed: %s", asked.Path, wordsOf(err)))
	}
	return nil
}
