package main

import (
	"encoding/json"
	"errors"
	"os"
	"syscall"
	"time"
)

// stateFolder holds what outlives the program; the agent may not read it.
const stateFolder = `C:\ale\state`

const leaseFile = stateFolder + `\lease.json`

// holding is who has the machine, and until when, in seconds since 1970.
type holding struct {
	ID     string  `json:"id"`
	Until  float64 `json:"until"`
	Holder any     `json:"holder"`
}

// leaseHolder is who has the machine; empty when nobody has.
func leaseHolder() string {
	text, err := os.ReadFile(leaseFile)
	var held holding
	if err != nil || json.Unmarshal(text, &held) != nil {
		return ""
	}
	return held.ID
}

// takeLease takes the machine for one owner; it answers who has it when another does and his time is not over.
func (s *server) takeLease(asked request) (fields, error) {
	if err := s.makeFolders(`\\?\`+stateFolder, "root"); err != nil {
		return nil, err
	}
	if err := s.giveTo(`\\?\`+stateFolder, "root", false); err != nil {
		return nil, err
	}
	file, err := openAlone(leaseFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var held holding
	known := json.NewDecoder(file).Decode(&held) == nil
	mine := known && held.ID == asked.ID
	now := float64(time.Now().UnixMilli()) / 1000
	if asked.Seconds < 0 {
		if mine {
			err = file.Truncate(0)
		}
		return fields{"released": mine}, err
	}
	if known && !mine && held.Until > now && !asked.Force {
		return fields{"heldBy": held}, nil
	}
	if err := file.Truncate(0); err != nil {
		return nil, err
	}
	_, err = file.WriteAt(encodeJSON(holding{asked.ID, now + asked.Seconds, asked.Holder}), 0)
	return fields{}, err
}

// openAlone opens a file that nobody else may have open meanwhile, and waits for him.
func openAlone(path string) (*os.File, error) {
	name, err := utf16Of(path)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
			syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
		if err == nil {
			return os.NewFile(uintptr(handle), path), nil
		}
		if !errors.Is(err, syscall.Errno(32)) || time.Now().After(deadline) {
			return nil, err
		}
	}
}
