package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"
)

var (
	kernel              = syscall.NewLazyDLL("kernel32.dll")
	createNamedPipe     = kernel.NewProc("CreateNamedPipeW")
	connectNamedPipe    = kernel.NewProc("ConnectNamedPipe")
	createEvent         = kernel.NewProc("CreateEventW")
	getOverlappedResult = kernel.NewProc("GetOverlappedResult")
)

// relay stands in for a serial port: it makes a pipe of this name, and joins it to standard input and output until the input
// ends.
func relay(words []string) error {
	name, err := syscall.UTF16PtrFromString(words[0])
	if err != nil {
		return err
	}
	const bothWays, bytes = 3 | syscall.FILE_FLAG_OVERLAPPED, 1 << 16
	made, _, err := createNamedPipe.Call(uintptr(unsafe.Pointer(name)), bothWays, 0, 1, bytes, bytes, 0, 0)
	pipe := syscall.Handle(made)
	if pipe == syscall.InvalidHandle {
		return err
	}
	// Who opens it may have done so already.
	const alreadyConnected = syscall.Errno(535)
	event, _, err := createEvent.Call(0, 1, 0, 0)
	if event == 0 {
		return err
	}
	how := &syscall.Overlapped{HEvent: syscall.Handle(event)}
	if done, _, err := connectNamedPipe.Call(made, uintptr(unsafe.Pointer(how))); done == 0 && err == syscall.ERROR_IO_PENDING {
		if _, err := syscall.WaitForSingleObject(syscall.Handle(event), syscall.INFINITE); err != nil {
			return err
		}
	} else if done == 0 && err != alreadyConnected {
		return fmt.Errorf("nobody opened the pipe: %w", err)
	}
	port := overlappedPipe(pipe)
	go func() {
		if _, err := io.Copy(os.Stdout, port); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	return piped(port)
}

// overlappedPipe reads and writes at the same time, which a handle does not that waits for each.
type overlappedPipe syscall.Handle

func (p overlappedPipe) Read(into []byte) (int, error) {
	return p.transfer(func(done *uint32, how *syscall.Overlapped) error {
		return syscall.ReadFile(syscall.Handle(p), into, done, how)
	})
}

func (p overlappedPipe) Write(bytes []byte) (int, error) {
	return p.transfer(func(done *uint32, how *syscall.Overlapped) error {
		return syscall.WriteFile(syscall.Handle(p), bytes, done, how)
	})
}

func (p overlappedPipe) transfer(begin func(*uint32, *syscall.Overlapped) error) (int, error) {
	event, _, err := createEvent.Call(0, 1, 0, 0)
	if event == 0 {
		return 0, err
	}
	defer syscall.CloseHandle(syscall.Handle(event))
	how := &syscall.Overlapped{HEvent: syscall.Handle(event)}
	var done uint32
	if err := begin(&done, how); err != nil && err != syscall.ERROR_IO_PENDING {
		return 0, err
	}
	worked, _, err := getOverlappedResult.Call(uintptr(p), uintptr(unsafe.Pointer(how)), uintptr(unsafe.Pointer(&done)), 1)
	if worked == 0 {
		return 0, err
	}
	return int(done), nil
}
