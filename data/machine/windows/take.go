package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"unicode/utf8"
)

// takeLimits bound what is copied out.
type takeLimits struct {
	MaxBytes int64 `json:"maxBytes"`
	MaxFiles int   `json:"maxFiles"`
	MaxDepth int   `json:"maxDepth"`
}

var unprintable = regexp.MustCompile("[\x00-\x1f\x7f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

// attributeDevice tells what is no file at all.
const attributeDevice = 0x40

// taking copies a tree out as records, each file's content after its record; it refuses what is unsafe, and says why.
// Everything is opened itself, never what it leads to, and must then still be where it was found: names may be swapped for
// links at any time.
type taking struct {
	limits takeLimits
	target *bufio.Writer
	bytes  int64
	met    int
	full   bool
}

// take copies a file or a folder out.
func take(asked request, target io.Writer) error {
	path, err := longPath(asked.Path)
	if err != nil {
		return err
	}
	t := &taking{limits: asked.Limits, target: bufio.NewWriterSize(target, 1<<16)}
	parent, err := openFolder(filepath.Dir(path))
	if err != nil {
		return unusable(asked.Path + " does not exist")
	}
	defer syscall.CloseHandle(parent)
	where, err := whereIs(parent)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	found, ok := lookUp(parent, name)
	if !ok {
		return unusable(asked.Path + " does not exist")
	}
	top := spot{path, where.in(found.name)}
	if found.isFolder() && !found.isLink() {
		handle, err := openItself(path, syscall.GENERIC_READ)
		if err != nil {
			return unusable(fmt.Sprintf("%s cannot be read: %s", asked.Path, trimmed(err)))
		}
		defer syscall.CloseHandle(handle)
		if !top.where.isAt(handle) {
			return unusable(asked.Path + " was changed while it was read")
		}
		t.say(fields{"top": true})
		t.folder(handle, top, "", 1)
	} else {
		t.child(top, found, name, 1)
	}
	return t.target.Flush()
}

// spot is the path by which something is opened, and where it must be then.
type spot struct {
	path  string
	where whereabouts
}

func (s spot) in(name string) spot {
	return spot{s.path + `\` + name, s.where.in(name)}
}

func openFolder(path string) (syscall.Handle, error) {
	name, err := utf16Of(path)
	if err != nil {
		return 0, err
	}
	return syscall.CreateFile(name, syscall.GENERIC_READ, shareAll, nil, syscall.OPEN_EXISTING, backupSemantics, 0)
}

// lookUp finds a name in an open folder, whatever its case.
func lookUp(folder syscall.Handle, name string) (foundFile, bool) {
	entries, err := entriesOf(folder)
	if err != nil {
		return foundFile{}, false
	}
	for _, one := range entries {
		if strings.EqualFold(one.name, name) {
			return one, true
		}
	}
	return foundFile{}, false
}

func (t *taking) say(record fields) {
	// What cannot be written is noticed at the end.
	_, _ = t.target.Write(append(encodeJSON(record), '\n'))
}

func (t *taking) refuse(path, code, message string) {
	t.say(fields{"refused": path, "code": code, "message": message})
}

func (t *taking) folder(handle syscall.Handle, place spot, path string, depth int) {
	entries, err := entriesOf(handle)
	if err != nil {
		shown := path
		if shown == "" {
			shown = "."
		}
		t.refuse(shown, "unreadable", trimmed(err))
		return
	}
	sort.Slice(entries, func(a, b int) bool { return entries[a].name < entries[b].name })
	for _, one := range entries {
		if t.full {
			return
		}
		shown := strings.ReplaceAll(unprintable.ReplaceAllString(one.name, "?"), string(utf8.RuneError), "?")
		child := shown
		if path != "" {
			child = path + "/" + shown
		}
		t.met++
		switch {
		case t.met > t.limits.MaxFiles:
			t.full = true
			t.refuse(child, "too-many-files", fmt.Sprintf("only %d files may be handed in", t.limits.MaxFiles))
		case shown != one.name || strings.ContainsAny(one.name, `/\`):
			t.refuse(child, "unsafe-name", "the name holds control characters, a backslash or invalid UTF-8")
		case len(child) > 2048:
			t.refuse(child, "too-deep", "only paths of up to 2048 bytes may be handed in")
		default:
			t.child(place.in(one.name), one, child, depth)
		}
	}
}

func (t *taking) child(place spot, found foundFile, path string, depth int) {
	if found.isLink() {
		t.refuse(path, "link-out", "links are not taken: hand in the file itself")
		return
	}
	if found.attributes&attributeDevice != 0 {
		t.refuse(path, "special-file", "it is no regular file")
		return
	}
	if found.isFolder() && depth >= t.limits.MaxDepth {
		t.refuse(path, "too-deep", fmt.Sprintf("only %d levels may be handed in", t.limits.MaxDepth))
		return
	}
	handle, err := openItself(place.path, syscall.GENERIC_READ)
	if err != nil {
		if found.isFolder() || err == syscall.ERROR_FILE_NOT_FOUND || err == syscall.ERROR_PATH_NOT_FOUND {
			t.refuse(path, "changed-while-read", "it was gone when it was to be read")
		} else {
			t.refuse(path, "unreadable", trimmed(err))
		}
		return
	}
	defer syscall.CloseHandle(handle)
	state, err := stateOf(handle)
	isFolder := state.attributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0
	if err != nil || state.attributes&attributeReparse != 0 || isFolder != found.isFolder() || !place.where.isAt(handle) {
		t.refuse(path, "changed-while-read", "it was changed while it was read")
		return
	}
	if isFolder {
		t.say(fields{"folder": path})
		t.folder(handle, place, path, depth+1)
		return
	}
	t.file(handle, path, state)
}

func (t *taking) file(handle syscall.Handle, path string, before fileState) {
	size := before.size
	if size > 1<<20 && before.allocated < size/4 && before.attributes&attributeCompressed == 0 {
		t.refuse(path, "sparse", fmt.Sprintf("of its %d bytes only %d are stored", size, before.allocated))
		return
	}
	room := t.limits.MaxBytes - t.bytes
	if size > room {
		t.refuse(path, "oversize", fmt.Sprintf("its %d bytes exceed the %d still allowed of %d", size, room, t.limits.MaxBytes))
		return
	}
	t.bytes += size
	t.say(fields{"file": path, "size": size, "mode": modeOf(path, before.attributes)})
	first, short := passOver(handle, size, t.target)
	second, _ := passOver(handle, size, io.Discard)
	after, err := stateOf(handle)
	t.say(fields{"unchanged": err == nil && after == before && !short && bytes.Equal(first, second)})
}

// passOver reads a file once, as long as it was said to be; what is missing is zeros.
func passOver(handle syscall.Handle, size int64, target io.Writer) (digest []byte, short bool) {
	hash := sha256.New()
	both := io.MultiWriter(hash, target)
	copied, err := io.CopyBuffer(both, io.LimitReader(&handleReader{handle: handle}, size), make([]byte, 1<<18))
	if err == nil && copied == size {
		return hash.Sum(nil), false
	}
	_, _ = io.CopyN(both, zeros{}, size-copied)
	return hash.Sum(nil), true
}

type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	for index := range into {
		into[index] = 0
	}
	return len(into), nil
}
