package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
	"unsafe"
)

var (
	user32 = syscall.NewLazyDLL("user32.dll")
	dwmapi = syscall.NewLazyDLL("dwmapi.dll")

	setProcessDpiAware    = user32.NewProc("SetProcessDPIAware")
	enumWindows           = user32.NewProc("EnumWindows")
	isWindowVisible       = user32.NewProc("IsWindowVisible")
	isIconic              = user32.NewProc("IsIconic")
	showWindow            = user32.NewProc("ShowWindow")
	getWindowText         = user32.NewProc("GetWindowTextW")
	getWindowRect         = user32.NewProc("GetWindowRect")
	getWindowProcess      = user32.NewProc("GetWindowThreadProcessId")
	getForegroundWindow   = user32.NewProc("GetForegroundWindow")
	setForegroundWindow   = user32.NewProc("SetForegroundWindow")
	sendInput             = user32.NewProc("SendInput")
	openClipboard         = user32.NewProc("OpenClipboard")
	closeClipboard        = user32.NewProc("CloseClipboard")
	emptyClipboard        = user32.NewProc("EmptyClipboard")
	getClipboardData      = user32.NewProc("GetClipboardData")
	setClipboardData      = user32.NewProc("SetClipboardData")
	changeDisplaySettings = user32.NewProc("ChangeDisplaySettingsExW")
	getWindowAttribute    = dwmapi.NewProc("DwmGetWindowAttribute")
	globalAlloc           = kernel32.NewProc("GlobalAlloc")
	globalLock            = kernel32.NewProc("GlobalLock")
	globalUnlock          = kernel32.NewProc("GlobalUnlock")
	globalSize            = kernel32.NewProc("GlobalSize")
	moveMemory            = kernel32.NewProc("RtlMoveMemory")
	fullImageName         = kernel32.NewProc("QueryFullProcessImageNameW")
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

// desktopWindow is a window as the host is told of it.
type desktopWindow struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Program string `json:"program"`
	Focused bool   `json:"focused"`
	X       int32  `json:"x"`
	Y       int32  `json:"y"`
	Width   int32  `json:"width"`
	Height  int32  `json:"height"`
}

// desktopWindows are those with a title that can be seen, the topmost last.
func desktopWindows() []desktopWindow {
	found := []desktopWindow{}
	front, _, _ := getForegroundWindow.Call()
	each := syscall.NewCallback(func(window, _ uintptr) uintptr {
		if visible, _, _ := isWindowVisible.Call(window); visible == 0 || isCloaked(window) {
			return 1
		}
		title := make([]uint16, 512)
		length, _, _ := getWindowText.Call(window, uintptr(unsafe.Pointer(&title[0])), uintptr(len(title)))
		if length == 0 {
			return 1
		}
		var rect [4]int32
		getWindowRect.Call(window, uintptr(unsafe.Pointer(&rect[0])))
		program := programOf(window)
		// The shell's own window is the desktop itself.
		if strings.EqualFold(program, "explorer") && syscall.UTF16ToString(title) == "Program Manager" {
			return 1
		}
		found = append([]desktopWindow{{
			ID: strconv.FormatUint(uint64(window), 10), Title: syscall.UTF16ToString(title), Program: program,
			Focused: window == front, X: rect[0], Y: rect[1], Width: rect[2] - rect[0], Height: rect[3] - rect[1],
		}}, found...)
		return 1
	})
	enumWindows.Call(each, 0)
	return found
}

// isCloaked is true of windows that are there and shown nowhere, as those of suspended programs.
func isCloaked(window uintptr) bool {
	var cloaked uint32
	if getWindowAttribute.Find() != nil {
		return false
	}
	failed, _, _ := getWindowAttribute.Call(window, 14, uintptr(unsafe.Pointer(&cloaked)), 4)
	return failed == 0 && cloaked != 0
}

func programOf(window uintptr) string {
	var pid uint32
	getWindowProcess.Call(window, uintptr(unsafe.Pointer(&pid)))
	const queryLimited = 0x1000
	process, err := syscall.OpenProcess(queryLimited, false, pid)
	if err != nil {
		return ""
	}
	defer syscall.CloseHandle(process)
	name := make([]uint16, 1024)
	length := uint32(len(name))
	fullImageName.Call(uintptr(process), 0, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&length)))
	base := filepath.Base(syscall.UTF16ToString(name))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// focusWindow brings a window to the front. Windows lets only those do so who have had input: the key, which no keyboard
// has and no program heeds, is such.
func focusWindow(window uintptr) error {
	const restore, nobodys = 9, 0xe8
	if minimized, _, _ := isIconic.Call(window); minimized != 0 {
		showWindow.Call(window, restore)
	}
	if err := send([]keyInput{{kind: 1, key: nobodys}, {kind: 1, key: nobodys, flags: keyUp}}); err != nil {
		return err
	}
	setForegroundWindow.Call(window)
	for tries := 0; tries < 50; tries++ {
		if front, _, _ := getForegroundWindow.Call(); front == window {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the window does not come to the front")
}

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
