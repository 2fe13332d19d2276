package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"syscall"
	"unsafe"
)

const (
	pipeInbound         = 1
	pipeOutbound        = 2
	pipeFirstInstance   = 0x80000
	pipeRejectRemote    = 8
	pipeBytes           = 1 << 16
	handleFlagInherit   = 1
	startfUseStdHandles = 0x100
)

// makePipe gives our end, for overlapped use, and the command's, which it inherits. `outbound`: we write.
func makePipe(outbound bool) (*asyncHandle, syscall.Handle, error) {
	var word [16]byte
	if _, err := rand.Read(word[:]); err != nil {
		return nil, 0, err
	}
	name, err := utf16Of(fmt.Sprintf(`\\.\pipe\ale-%s`, hex.EncodeToString(word[:])))
	if err != nil {
		return nil, 0, err
	}
	mode, access := uintptr(pipeInbound), uint32(syscall.GENERIC_WRITE|readAttributes)
	if outbound {
		mode, access = pipeOutbound, syscall.GENERIC_READ|syscall.FILE_WRITE_ATTRIBUTES
	}
	made, _, err := createNamedPipe.Call(uintptr(unsafe.Pointer(name)),
		mode|pipeFirstInstance|syscall.FILE_FLAG_OVERLAPPED, pipeRejectRemote, 1, pipeBytes, pipeBytes, 0, 0)
	ours := syscall.Handle(made)
	if ours == syscall.InvalidHandle {
		return nil, 0, err
	}
	inherited := &syscall.SecurityAttributes{InheritHandle: 1}
	inherited.Length = uint32(unsafe.Sizeof(*inherited))
	theirs, err := syscall.CreateFile(name, access, 0, inherited, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		syscall.CloseHandle(ours)
		return nil, 0, err
	}
	handle, err := newAsyncHandle(ours)
	if err != nil {
		syscall.CloseHandle(ours)
		syscall.CloseHandle(theirs)
		return nil, 0, err
	}
	return handle, theirs, nil
}

// threePipes are the streams of a command.
type threePipes struct {
	stdin, stdout, stderr *asyncHandle
	theirs                [3]syscall.Handle
}

func makePipes() (*threePipes, error) {
	p := &threePipes{}
	for index, ours := range []**asyncHandle{&p.stdin, &p.stdout, &p.stderr} {
		made, theirs, err := makePipe(index == 0)
		if err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, err
		}
		*ours, p.theirs[index] = made, theirs
	}
	return p, nil
}

func (p *threePipes) closeTheirs() {
	for index, handle := range p.theirs {
		if handle != 0 {
			syscall.CloseHandle(handle)
		}
		p.theirs[index] = 0
	}
}

func (p *threePipes) closeOurs() {
	for _, ours := range []*asyncHandle{p.stdin, p.stdout, p.stderr} {
		if ours != nil {
			ours.close()
		}
	}
}
