package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"unsafe"
)

// desktop asks the desktop of whoever runs it, or does something at it: the agent, in its session.
func desktop(words []string) error {
	runtime.LockOSThread()
	setProcessDpiAware.Call()
	if len(words) == 0 {
		return errors.New("ale-serve: --desktop needs to be told what")
	}
	switch words[0] {
	case "windows":
		return json.NewEncoder(os.Stdout).Encode(desktopWindows())
	case "focus":
		return withNumbers(words[1:], 1, func(numbers []uint64) error { return focusWindow(uintptr(numbers[0])) })
	case "size":
		return withNumbers(words[1:], 2, func(numbers []uint64) error {
			return setScreenSize(uint32(numbers[0]), uint32(numbers[1]))
		})
	case "type":
		return withInput(typeText)
	case "write-clipboard":
		return withInput(writeClipboard)
	case "read-clipboard":
		text, err := readClipboard()
		if err == nil {
			_, err = io.WriteString(os.Stdout, text)
		}
		return err
	}
	return fmt.Errorf("ale-serve: --desktop %s is not understood; see README.md of its sources", words[0])
}

func withNumbers(words []string, count int, act func([]uint64) error) error {
	if len(words) != count {
		return fmt.Errorf("%d numbers are needed", count)
	}
	var numbers []uint64
	for _, word := range words {
		number, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return err
		}
		numbers = append(numbers, number)
	}
	return act(numbers)
}

func withInput(act func(string) error) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return act(string(text))
}

// setScreenSize sets the size of the first screen, for good.
func setScreenSize(width, height uint32) error {
	// DEVMODEW, of which only the two numbers are given.
	mode := make([]byte, 220)
	const sizeAt, fieldsAt, widthAt, heightAt = 68, 72, 172, 176
	*(*uint16)(unsafe.Pointer(&mode[sizeAt])) = uint16(len(mode))
	*(*uint32)(unsafe.Pointer(&mode[fieldsAt])) = 0x80000 | 0x100000
	*(*uint32)(unsafe.Pointer(&mode[widthAt])) = width
	*(*uint32)(unsafe.Pointer(&mode[heightAt])) = height
	const keep = 1
	result, _, _ := changeDisplaySettings.Call(0, uintptr(unsafe.Pointer(&mode[0])), 0, keep, 0)
	if result != 0 {
		return fmt.Errorf("the screen cannot be %d by %d: DISP_CHANGE %d", width, height, int32(result))
	}
	return nil
}
