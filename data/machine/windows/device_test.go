package main

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

func handleCount(t *testing.T) uint32 {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		t.Fatal(err)
	}
	var count uint32
	if err := call(kernel32.NewProc("GetProcessHandleCount"), uintptr(process), uintptr(unsafe.Pointer(&count))); err != nil {
		t.Fatal(err)
	}
	return count
}

// loseOnce opens a device that is a pipe here, and reads until it is told that it is lost.
func loseOnce(t *testing.T, d *device, name string) {
	path, err := utf16Of(name)
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := createNamedPipe.Call(uintptr(unsafe.Pointer(path)), 3, 0, 255, 4096, 4096, 0, 0)
	if syscall.Handle(made) == syscall.InvalidHandle {
		t.Fatal(err)
	}
	if _, _, err := d.open(); err != nil {
		t.Fatal(err)
	}
	syscall.CloseHandle(syscall.Handle(made))
	if _, err := d.Read(make([]byte, 10)); err == nil || d.in != nil {
		t.Fatalf("it is not lost: %v", err)
	}
}

func TestADeviceThatIsLostLeavesNothingOpen(t *testing.T) {
	name := fmt.Sprintf(`\\.\pipe\ale-device-%d`, os.Getpid())
	d := newDevice(name)
	loseOnce(t, d, name)
	before := handleCount(t)
	for range [50]int{} {
		loseOnce(t, d, name)
	}
	// Threads of the program's own come and go; before, each loss left two open.
	if after := handleCount(t); after > before+25 {
		t.Errorf("%d handles were open, and %d are", before, after)
	}
}
