package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// random makes a file of so many bytes that no disk stores in fewer.
func random(words []string) error {
	size, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	bytes := make([]byte, size)
	state := uint64(88172645463325252)
	for index := range bytes {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		bytes[index] = byte(state)
	}
	return os.WriteFile(words[0], bytes, 0o666)
}

// rewrite changes the beginning of a file for ever.
func rewrite(words []string) error {
	file, err := os.OpenFile(words[0], os.O_RDWR, 0)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for round := 0; ; round++ {
		if _, err := file.WriteAt([]byte(strconv.Itoa(round)), 0); err != nil {
			return err
		}
	}
}

// restore writes a file's text anew and gives it a time long past.
func restore(words []string) error {
	if err := os.WriteFile(words[0], []byte(words[1]), 0o666); err != nil {
		return err
	}
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return os.Chtimes(words[0], past, past)
}

// hold opens a file that nobody else may open meanwhile.
func hold(words []string) error {
	name, err := syscall.UTF16PtrFromString(words[0])
	if err != nil {
		return err
	}
	_, err = syscall.CreateFile(name, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		return err
	}
	return sleep(nil)
}
