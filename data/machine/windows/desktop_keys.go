package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
	"unsafe"
)

const (
	keyUp      = 2
	keyUnicode = 4
)

// keyInput is INPUT with a KEYBDINPUT, as 64-bit Windows lays it out.
type keyInput struct {
	kind  uint32
	_     uint32
	key   uint16
	scan  uint16
	flags uint32
	time  uint32
	_     uint32
	extra uintptr
	_     uint64
}

func send(keys []keyInput) error {
	taken, _, err := sendInput.Call(uintptr(len(keys)), uintptr(unsafe.Pointer(&keys[0])), unsafe.Sizeof(keys[0]))
	if int(taken) != len(keys) {
		return fmt.Errorf("the desktop takes no keys: %w", err)
	}
	return nil
}

// typeText types characters as such, whatever keys the keyboard has.
func typeText(text string) error {
	const tab, enter = 0x09, 0x0d
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	for _, unit := range utf16.Encode([]rune(text)) {
		press := keyInput{kind: 1, scan: unit, flags: keyUnicode}
		switch unit {
		case '\n':
			press = keyInput{kind: 1, key: enter}
		case '\t':
			press = keyInput{kind: 1, key: tab}
		}
		release := press
		release.flags |= keyUp
		if err := send([]keyInput{press, release}); err != nil {
			return err
		}
		// A program that is slow to take them must not be sent more than its queue holds.
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}
