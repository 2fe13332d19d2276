package main

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"
)

// errStopped is what a read or write ends with that had to wait when it was stopped.
var errStopped = errors.New("stopped")

// asyncHandle is one direction of a handle opened for overlapped input and output, used by one goroutine at a time.
type asyncHandle struct {
	handle     syscall.Handle
	event      syscall.Handle
	overlapped syscall.Overlapped
	buffer     []byte
}

func newAsyncHandle(handle syscall.Handle) (*asyncHandle, error) {
	event, err := newEvent()
	if err != nil {
		return nil, err
	}
	return &asyncHandle{handle: handle, event: event, buffer: make([]byte, 1<<16)}, nil
}

// read gives what is there, or waits for it; when `stop` is signalled it no longer waits. The bytes are good until the next.
func (a *asyncHandle) read(room int, stop syscall.Handle) ([]byte, error) {
	if room > len(a.buffer) {
		room = len(a.buffer)
	}
	count, err := a.transfer(stop, func(done *uint32) error {
		return syscall.ReadFile(a.handle, a.buffer[:room], done, &a.overlapped)
	})
	return a.buffer[:count], err
}

// write hands over some of the bytes.
func (a *asyncHandle) write(bytes []byte, stop syscall.Handle) (int, error) {
	count := copy(a.buffer, bytes)
	return a.transfer(stop, func(done *uint32) error {
		return syscall.WriteFile(a.handle, a.buffer[:count], done, &a.overlapped)
	})
}

func (a *asyncHandle) transfer(stop syscall.Handle, begin func(done *uint32) error) (int, error) {
	defer runtime.KeepAlive(a)
	a.overlapped = syscall.Overlapped{HEvent: a.event}
	if err := call(resetEvent, uintptr(a.event)); err != nil {
		return 0, err
	}
	var done uint32
	err := begin(&done)
	if err != nil && err != syscall.ERROR_IO_PENDING {
		return 0, err
	}
	stopped := false
	if err == syscall.ERROR_IO_PENDING {
		handles := []syscall.Handle{a.event}
		if stop != 0 {
			handles = append(handles, stop)
		}
		which, err := waitForAny(handles...)
		if err != nil {
			return 0, err
		}
		if which == 1 {
			stopped = true
			// What has just come is not cancelled any more, and is found below.
			_ = syscall.CancelIoEx(a.handle, &a.overlapped)
		}
	}
	err = call(getOverlappedResult, uintptr(a.handle), uintptr(unsafe.Pointer(&a.overlapped)),
		uintptr(unsafe.Pointer(&done)), 1)
	if stopped && err == syscall.ERROR_OPERATION_ABORTED {
		return 0, errStopped
	}
	return int(done), err
}

func (a *asyncHandle) close() {
	syscall.CloseHandle(a.handle)
	syscall.CloseHandle(a.event)
}
