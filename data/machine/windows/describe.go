package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

// version is OSVERSIONINFOW, which the kernel fills in for what it is, not for what a program expects.
type version struct {
	size, major, minor, build, platform uint32
	servicePack                         [128]uint16
}

func describe() (fields, error) {
	var found version
	found.size = uint32(unsafe.Sizeof(found))
	// It always succeeds.
	getVersion.Call(uintptr(unsafe.Pointer(&found)))
	sid, err := ownSid()
	if err != nil {
		return nil, err
	}
	return fields{
		"os":       productName(),
		"kernel":   fmt.Sprintf("%d.%d.%d", found.major, found.minor, found.build),
		"arch":     "x86_64",
		"packages": "",
		"root":     sid == systemSid,
	}, nil
}

// productName is what this Windows calls itself, with its release.
func productName() string {
	const place = `SOFTWARE\Microsoft\Windows NT\CurrentVersion`
	var key syscall.Handle
	path, err := utf16Of(place)
	if err != nil || syscall.RegOpenKeyEx(syscall.HKEY_LOCAL_MACHINE, path, 0, syscall.KEY_READ, &key) != nil {
		return "Windows"
	}
	defer syscall.RegCloseKey(key)
	name := registryText(key, "ProductName")
	if name == "" {
		name = "Windows"
	}
	if release := registryText(key, "DisplayVersion"); release != "" {
		name += " " + release
	}
	return name
}

func registryText(key syscall.Handle, name string) string {
	word, err := utf16Of(name)
	if err != nil {
		return ""
	}
	var kind uint32
	text := make([]uint16, 256)
	size := uint32(len(text)-1) * 2
	err = syscall.RegQueryValueEx(key, word, nil, &kind, (*byte)(unsafe.Pointer(&text[0])), &size)
	if err != nil || kind != syscall.REG_SZ {
		return ""
	}
	return syscall.UTF16ToString(text)
}
