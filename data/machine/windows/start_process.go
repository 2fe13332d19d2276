package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

const (
	createSuspended      = 0x4
	detachedProcess      = 0x8
	createNewGroup       = 0x200
	createUnicode        = 0x400
	createNoWindow       = 0x08000000
	createBreakaway      = 0x01000000
	extendedStartup      = 0x80000
	attributeHandleList  = 0x20002
	threadResumeFailed   = 0xFFFFFFFF
	interactiveDesktop   = `winsta0\default`
	errorElevation       = syscall.Errno(740)
	errorBadExeFormat    = syscall.Errno(193)
	attributeListMaximum = 256
)

// startup is STARTUPINFOEX.
type startup struct {
	syscall.StartupInfo
	attributes unsafe.Pointer
}

// launch is a process to be started.
type launch struct {
	as      identity
	program string
	line    string
	block   []uint16
	folder  string
	flags   uint32
	// handles are standard input, output and errors, the only ones it inherits; zeros for none.
	handles [3]syscall.Handle
}

// start gives the process and its first thread, both the caller's to close.
func (l launch) start() (*syscall.ProcessInformation, error) {
	program, err := utf16Of(l.program)
	if err != nil {
		return nil, err
	}
	line, err := syscall.UTF16FromString(l.line)
	if err != nil {
		return nil, err
	}
	folder, err := utf16Of(l.folder)
	if err != nil {
		return nil, err
	}
	desktop, err := utf16Of(interactiveDesktop)
	if err != nil {
		return nil, err
	}
	info := &startup{}
	info.Cb = uint32(unsafe.Sizeof(*info))
	if l.as.token != 0 {
		info.Desktop = desktop
	}
	inherit := uintptr(0)
	if l.handles[0] != 0 {
		inherit = 1
		info.Flags = startfUseStdHandles
		info.StdInput, info.StdOutput, info.StdErr = l.handles[0], l.handles[1], l.handles[2]
	}
	// Room for one attribute is less than 100 bytes on every Windows there is.
	list := make([]byte, attributeListMaximum)
	size := uintptr(len(list))
	if err := call(initAttributes, uintptr(unsafe.Pointer(&list[0])), 1, 0, uintptr(unsafe.Pointer(&size))); err != nil {
		return nil, err
	}
	defer deleteAttributes.Call(uintptr(unsafe.Pointer(&list[0])))
	info.attributes = unsafe.Pointer(&list[0])
	if inherit == 1 {
		err := call(updateAttribute, uintptr(info.attributes), 0, attributeHandleList,
			uintptr(unsafe.Pointer(&l.handles[0])), unsafe.Sizeof(l.handles), 0, 0)
		if err != nil {
			return nil, err
		}
	}
	made := &syscall.ProcessInformation{}
	create := func(flags uint32) error {
		arguments := []uintptr{
			uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&line[0])), 0, 0, inherit,
			uintptr(flags | createUnicode | extendedStartup), uintptr(unsafe.Pointer(&l.block[0])),
			uintptr(unsafe.Pointer(folder)), uintptr(unsafe.Pointer(info)), uintptr(unsafe.Pointer(made)),
		}
		if l.as.token == 0 {
			return call(createProcess, arguments...)
		}
		return call(createProcessAsUser, append([]uintptr{uintptr(l.as.token)}, arguments...)...)
	}
	if l.as.token == 0 {
		err = create(l.flags)
	} else if err = create(l.flags | createBreakaway); err == syscall.ERROR_ACCESS_DENIED {
		// Who started us may have a job around us, all of whose processes are in one session. Not every job can be left.
		err = create(l.flags)
	}
	switch err {
	case nil:
		return made, nil
	case errorElevation:
		return nil, unusable(l.program + " wants to run as an administrator")
	case errorBadExeFormat:
		return nil, unusable(l.program + " is no program of this Windows")
	}
	return nil, fmt.Errorf("%s could not be started: %w", l.program, err)
}
