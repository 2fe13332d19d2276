package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
	"unsafe"
)

const (
	ioctlStorageQuery  = 0x2D1400
	ioctlDeviceNumber  = 0x2D1080
	fsctlSetReparse    = 0x900A4
	tagMountPoint      = 0xA0000003
	mostDisks          = 64
	diskPatience       = 20 * time.Second
	descriptorSerialAt = 24
)

// mount shows what a disk that has been plugged in holds: `content` in its root is a file or a folder.
func (s *server) mount(asked request) error {
	if asked.Writable {
		return unusable("a folder that is in use cannot be moved to another disk in Windows")
	}
	target, err := windowsPath(asked.Target)
	if err != nil {
		return err
	}
	volume, err := waitForVolume(asked.Serial)
	if err != nil {
		return err
	}
	source := volume + "content"
	found, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("the disk %s holds no content: %w", asked.Serial, err)
	}
	if err := s.makeFolders(`\\?\`+filepath.Dir(target), "root"); err != nil {
		return err
	}
	if found.IsDir() {
		if err := s.makeFolders(`\\?\`+target, "root"); err != nil {
			return err
		}
		if err := makeJunction(`\\?\`+target, source); err != nil {
			return err
		}
		return s.seals.hold(`\\?\`+target, true)
	}
	return s.copyMounted(source, `\\?\`+target)
}

// copyMounted puts a single file in its place: only a folder can be shown from elsewhere.
func (s *server) copyMounted(source, target string) error {
	from, err := os.Open(source)
	if err != nil {
		return err
	}
	defer from.Close()
	into, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(into, from)
	if closed := into.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return s.sealBelow(target)
}

func waitForVolume(serial string) (string, error) {
	for deadline := time.Now().Add(diskPatience); ; time.Sleep(50 * time.Millisecond) {
		if disk, ok := diskOfSerial(serial); ok {
			if volume, ok := volumeOnDisk(disk); ok {
				return volume, nil
			}
		}
		if time.Now().After(deadline) {
			return "", unusable(fmt.Sprintf("the disk %s has not appeared on the machine", serial))
		}
	}
}

func openDevice(path string) (syscall.Handle, error) {
	name, err := utf16Of(path)
	if err != nil {
		return 0, err
	}
	return syscall.CreateFile(name, 0, syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE, nil, syscall.OPEN_EXISTING, 0, 0)
}

func diskOfSerial(serial string) (uint32, bool) {
	for number := uint32(0); number < mostDisks; number++ {
		handle, err := openDevice(fmt.Sprintf(`\\.\PhysicalDrive%d`, number))
		if err != nil {
			continue
		}
		found := serialOf(handle)
		syscall.CloseHandle(handle)
		if found == serial {
			return number, true
		}
	}
	return 0, false
}

// serialOf reads STORAGE_DEVICE_DESCRIPTOR.
func serialOf(handle syscall.Handle) string {
	descriptor := make([]byte, 1024)
	count, err := ioctl(handle, ioctlStorageQuery, make([]byte, 12), descriptor)
	if err != nil || count < descriptorSerialAt+4 {
		return ""
	}
	at := binary.LittleEndian.Uint32(descriptor[descriptorSerialAt:])
	if at == 0 || at >= count {
		return ""
	}
	text := string(descriptor[at:count])
	if end := strings.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return strings.TrimSpace(text)
}

// volumeOnDisk gives the name of the first volume on a disk, with a backslash at its end.
func volumeOnDisk(disk uint32) (string, bool) {
	name := make([]uint16, 260)
	search, _, _ := findFirstVolume.Call(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)))
	if syscall.Handle(search) == syscall.InvalidHandle {
		return "", false
	}
	defer findVolumeClose.Call(search)
	for {
		volume := syscall.UTF16ToString(name)
		if handle, err := openDevice(strings.TrimSuffix(volume, `\`)); err == nil {
			answer := make([]byte, 12)
			_, err = ioctl(handle, ioctlDeviceNumber, nil, answer)
			syscall.CloseHandle(handle)
			if err == nil && binary.LittleEndian.Uint32(answer[4:]) == disk {
				return volume, true
			}
		}
		if call(findNextVolume, search, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name))) != nil {
			return "", false
		}
	}
}

// makeJunction makes an empty folder lead to another one, on whatever disk.
func makeJunction(place, target string) error {
	name, err := utf16Of(place)
	if err != nil {
		return err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_EXISTING,
		openReparsePoint|backupSemantics, 0)
	if err != nil {
		return err
	}
	defer syscall.CloseHandle(handle)
	_, err = ioctl(handle, fsctlSetReparse, junctionTo(target), nil)
	return err
}

// junctionTo is REPARSE_DATA_BUFFER of a mount point: the name for the system, and none to be shown.
func junctionTo(target string) []byte {
	system := utf16.Encode([]rune(`\??\` + strings.TrimPrefix(target, `\\?\`)))
	length := len(system) * 2
	buffer := make([]byte, 16, 16+length+4)
	binary.LittleEndian.PutUint32(buffer, tagMountPoint)
	binary.LittleEndian.PutUint16(buffer[4:], uint16(8+length+4))
	binary.LittleEndian.PutUint16(buffer[10:], uint16(length))
	binary.LittleEndian.PutUint16(buffer[12:], uint16(length+2))
	for _, letter := range append(append(system, 0), 0) {
		buffer = binary.LittleEndian.AppendUint16(buffer, letter)
	}
	return buffer
}
