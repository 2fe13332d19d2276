package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
	"unsafe"
)

const unicodeText = 13

// withClipboard waits for whoever else has it open.
func withClipboard(act func() error) error {
	for tries := 0; ; tries++ {
		opened, _, err := openClipboard.Call(0)
		if opened != 0 {
			break
		}
		if tries == 100 {
			return fmt.Errorf("the clipboard cannot be opened: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	defer closeClipboard.Call()
	return act()
}

func readClipboard() (string, error) {
	var text string
	err := withClipboard(func() error {
		memory, _, _ := getClipboardData.Call(unicodeText)
		if memory == 0 {
			// It holds no text.
			return nil
		}
		bytes, _, _ := globalSize.Call(memory)
		address, _, err := globalLock.Call(memory)
		if address == 0 {
			return err
		}
		defer globalUnlock.Call(memory)
		units := make([]uint16, bytes/2+1)
		moveMemory.Call(uintptr(unsafe.Pointer(&units[0])), address, bytes)
		text = syscall.UTF16ToString(units)
		return nil
	})
	return strings.ReplaceAll(text, "\r\n", "\n"), err
}

func writeClipboard(text string) error {
	units := append(utf16.Encode([]rune(strings.ReplaceAll(text, "\n", "\r\n"))), 0)
	return withClipboard(func() error {
		const moveable = 2
		emptyClipboard.Call()
		bytes := uintptr(len(units) * 2)
		memory, _, err := globalAlloc.Call(moveable, bytes)
		if memory == 0 {
			return err
		}
		address, _, err := globalLock.Call(memory)
		if address == 0 {
			return err
		}
		moveMemory.Call(address, uintptr(unsafe.Pointer(&units[0])), bytes)
		globalUnlock.Call(memory)
		if kept, _, err := setClipboardData.Call(unicodeText, memory); kept == 0 {
			return fmt.Errorf("the clipboard takes no text: %w", err)
		}
		return nil
	})
}
