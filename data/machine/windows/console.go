package main

import (
	"syscall"
	"unsafe"
)

const (
	hkeyUsers  = 0x80000003
	utf8Number = 65001
)

// useUTF8 has all consoles of an account that are made from now on speak UTF-8. An account that is not logged on has no
// settings to be changed.
func useUTF8(sid string) error {
	place, err := utf16Of(sid + `\Console`)
	if err != nil {
		return err
	}
	name, err := utf16Of("CodePage")
	if err != nil {
		return err
	}
	account, err := utf16Of(sid)
	if err != nil {
		return err
	}
	var key syscall.Handle
	if syscall.RegOpenKeyEx(hkeyUsers, account, 0, syscall.KEY_READ, &key) != nil {
		return nil
	}
	syscall.RegCloseKey(key)
	// Both give the error itself.
	failed, _, _ := regCreateKey.Call(hkeyUsers, uintptr(unsafe.Pointer(place)), 0, 0, 0, syscall.KEY_WRITE, 0,
		uintptr(unsafe.Pointer(&key)), 0)
	if failed != 0 {
		return syscall.Errno(failed)
	}
	defer syscall.RegCloseKey(key)
	number := uint32(utf8Number)
	failed, _, _ = regSetValue.Call(uintptr(key), uintptr(unsafe.Pointer(name)), 0, syscall.REG_DWORD,
		uintptr(unsafe.Pointer(&number)), unsafe.Sizeof(number))
	if failed != 0 {
		return syscall.Errno(failed)
	}
	return nil
}
