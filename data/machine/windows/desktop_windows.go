package main

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

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
