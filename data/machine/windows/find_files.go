package main

import (
	"io"
	"strings"
	"syscall"
	"unicode/utf16"
	"unsafe"
)

const (
	infoStandard         = 1
	infoBasic            = 0
	infoName             = 2
	infoDirectory        = 10
	attributeReparse     = syscall.FILE_ATTRIBUTE_REPARSE_POINT
	attributeCompressed  = 0x800
	openReparsePoint     = syscall.FILE_FLAG_OPEN_REPARSE_POINT
	backupSemantics      = syscall.FILE_FLAG_BACKUP_SEMANTICS
	shareAll             = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	errorNoMoreFiles     = syscall.ERROR_NO_MORE_FILES
	readControl          = 0x20000
	readAttributes       = 0x80
	errorNotFolder       = syscall.Errno(267)
	windowsEpochTo1970   = 116444736000000000
	windowsTicksPerMilli = 10000
)

// foundFile is an entry of a folder, as its handle tells it.
type foundFile struct {
	name       string
	attributes uint32
	size       int64
	created    int64
	written    int64
	changed    int64
	id         int64
}

func (f foundFile) isFolder() bool { return f.attributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0 }

// isLink tells reparse points of any kind: symbolic links, junctions, placeholders.
func (f foundFile) isLink() bool { return f.attributes&attributeReparse != 0 }

// openItself opens a path without following what it leads to. The privilege to back up opens what an agent has shut.
func openItself(path string, access uint32) (syscall.Handle, error) {
	name, err := utf16Of(path)
	if err != nil {
		return 0, err
	}
	return syscall.CreateFile(name, access, shareAll, nil, syscall.OPEN_EXISTING, openReparsePoint|backupSemantics, 0)
}

// entriesOf lists an open folder.
func entriesOf(folder syscall.Handle) ([]foundFile, error) {
	var found []foundFile
	buffer := make([]byte, 1<<16)
	for {
		err := call(getFileInformationEx, uintptr(folder), infoDirectory, uintptr(unsafe.Pointer(&buffer[0])),
			uintptr(len(buffer)))
		if err == errorNoMoreFiles {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		for at := unsafe.Pointer(&buffer[0]); ; {
			entry := (*directoryEntry)(at)
			letters := unsafe.Slice((*uint16)(unsafe.Add(at, unsafe.Offsetof(entry.name))), entry.nameBytes/2)
			if name := string(utf16.Decode(letters)); name != "." && name != ".." {
				found = append(found, foundFile{name, entry.attributes, entry.size, entry.created, entry.written, entry.changed, entry.id})
			}
			if entry.next == 0 {
				break
			}
			at = unsafe.Add(at, entry.next)
		}
	}
}

// directoryEntry is FILE_ID_BOTH_DIR_INFO up to the name.
type directoryEntry struct {
	next, index                         uint32
	created, accessed, written, changed int64
	size, allocated                     int64
	attributes, nameBytes, eaBytes      uint32
	shortBytes                          uint32
	short                               [12]uint16
	id                                  int64
	name                                [1]uint16
}

// fileState is what tells one version of an open file from another.
type fileState struct {
	written, changed, size, allocated int64
	attributes                        uint32
}

func stateOf(handle syscall.Handle) (fileState, error) {
	var basic struct {
		created, accessed, written, changed int64
		attributes                          uint32
	}
	err := call(getFileInformationEx, uintptr(handle), infoBasic, uintptr(unsafe.Pointer(&basic)), unsafe.Sizeof(basic))
	if err != nil {
		return fileState{}, err
	}
	var standard struct {
		allocated, size int64
		links           uint32
		flags           uint32
	}
	err = call(getFileInformationEx, uintptr(handle), infoStandard, uintptr(unsafe.Pointer(&standard)), unsafe.Sizeof(standard))
	return fileState{basic.written, basic.changed, standard.size, standard.allocated, basic.attributes}, err
}

// whereabouts are where an open file really is, whatever way led to it: on which volume, and its path there.
type whereabouts struct {
	volume uint32
	path   string
}

func whereIs(handle syscall.Handle) (whereabouts, error) {
	var facts syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(handle, &facts); err != nil {
		return whereabouts{}, err
	}
	// The length in bytes, then the letters.
	buffer := make([]uint32, 1+1<<14)
	err := call(getFileInformationEx, uintptr(handle), infoName, uintptr(unsafe.Pointer(&buffer[0])), uintptr(len(buffer))*4)
	if err != nil {
		return whereabouts{}, err
	}
	letters := unsafe.Slice((*uint16)(unsafe.Pointer(&buffer[1])), buffer[0]/2)
	return whereabouts{facts.VolumeSerialNumber, string(utf16.Decode(letters))}, nil
}

// in is where a name of this folder is.
func (w whereabouts) in(name string) whereabouts {
	return whereabouts{w.volume, strings.TrimSuffix(w.path, `\`) + `\` + name}
}

// isAt tells that what was opened is there itself, not by a link on the way.
func (w whereabouts) isAt(handle syscall.Handle) bool {
	found, err := whereIs(handle)
	return err == nil && found.volume == w.volume && strings.EqualFold(found.path, w.path)
}

// handleReader reads an open file from its beginning.
type handleReader struct {
	handle syscall.Handle
	offset int64
}

func (r *handleReader) Read(into []byte) (int, error) {
	var done uint32
	at := syscall.Overlapped{Offset: uint32(r.offset), OffsetHigh: uint32(r.offset >> 32)}
	err := syscall.ReadFile(r.handle, into, &done, &at)
	if err == syscall.ERROR_HANDLE_EOF || (err == nil && done == 0) {
		return 0, io.EOF
	}
	r.offset += int64(done)
	return int(done), err
}

// milliseconds since 1970, of a time of Windows'.
func milliseconds(time int64) int64 {
	return (time - windowsEpochTo1970) / windowsTicksPerMilli
}
