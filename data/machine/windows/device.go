package main

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// device is a virtio serial port or the like, which is opened again when it has gone and come back.
type device struct {
	path string

	mu   sync.Mutex
	held syscall.Handle
	in   *asyncHandle
	out  *asyncHandle

	// writing is held while something is written: what the writer uses is closed only then.
	writing sync.Mutex
}

// lostDevice are the errors of a handle that will never work again; others say that no host has the port open.
var lostDevice = map[syscall.Errno]bool{
	2:    true, // file not found
	6:    true, // invalid handle
	22:   true, // bad command: the driver was unloaded
	109:  true, // broken pipe
	433:  true, // no such device
	1167: true, // device not connected
	1617: true, // device removed
}

func newDevice(path string) *device {
	return &device{path: path}
}

// Read waits for what the host says.
func (d *device) Read(into []byte) (int, error) {
	in, _, err := d.open()
	if err != nil {
		time.Sleep(200 * time.Millisecond)
		return 0, err
	}
	bytes, err := in.read(len(into), 0)
	d.check(err)
	return copy(into, bytes), err
}

// Write hands over some of the bytes.
func (d *device) Write(bytes []byte) (int, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	_, out, err := d.open()
	if err != nil {
		return 0, err
	}
	count, err := out.write(bytes, 0)
	if err == nil && count == 0 {
		err = syscall.EAGAIN
	}
	// Only reading closes the device: it is told of every loss, and nothing of it may be in use by both.
	return count, err
}

func (d *device) open() (*asyncHandle, *asyncHandle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.in != nil {
		return d.in, d.out, nil
	}
	name, err := utf16Of(d.path)
	if err != nil {
		return nil, nil, err
	}
	held, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_EXISTING, syscall.FILE_FLAG_OVERLAPPED, 0)
	if err != nil {
		return nil, nil, err
	}
	in, err := newAsyncHandle(held)
	if err != nil {
		syscall.CloseHandle(held)
		return nil, nil, err
	}
	out, err := newAsyncHandle(held)
	if err != nil {
		in.close()
		return nil, nil, err
	}
	d.held, d.in, d.out = held, in, out
	return in, out, nil
}

// check lets go of a device that is lost.
func (d *device) check(err error) {
	number, ok := err.(syscall.Errno)
	if !ok || !lostDevice[number] {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.in == nil {
		return
	}
	lost, in, out := d.held, d.in, d.out
	d.held, d.in, d.out = 0, nil, nil
	// A write that waits is to give up; where there is none, there is nothing to cancel.
	_ = syscall.CancelIoEx(lost, nil)
	syscall.CloseHandle(lost)
	syscall.CloseHandle(in.event)
	go func() {
		d.writing.Lock()
		defer d.writing.Unlock()
		syscall.CloseHandle(out.event)
	}()
}

// streams are standard input and output.
type streams struct {
	*os.File
	out *os.File
}

func (s streams) Write(bytes []byte) (int, error) { return s.out.Write(bytes) }

// ownStreams takes standard input and output for the link: what is written by accident goes elsewhere.
func ownStreams() streams {
	link := streams{os.Stdin, os.Stdout}
	os.Stdin, os.Stdout = nil, os.Stderr
	return link
}
