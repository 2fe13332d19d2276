package main

import (
	"fmt"
	"hash/maphash"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

// changes are told against a baseline, or else against the time at which the machine was prepared.
type changes struct {
	mu       sync.Mutex
	baseline map[string]uint64
	began    time.Time
	seed     maphash.Seed
}

// skipped is what is not the machine's own files, or what Windows writes by itself.
var skipped = []string{
	`c:\windows`, `c:\ale`, `c:\$recycle.bin`, `c:\system volume information`, `c:\recovery`, `c:\pagefile.sys`,
	`c:\swapfile.sys`, `c:\hiberfil.sys`, `c:\dumpstack.log.tmp`, `c:\programdata\microsoft`, `c:\programdata\usoshared`,
	`c:\programdata\packages`, `c:\users\agent\appdata\local\microsoft`, `c:\users\agent\appdata\local\packages`,
	`c:\users\agent\appdata\local\connecteddevicesplatform`, `c:\users\agent\appdata\roaming\microsoft`,
}

func isSkipped(path string) bool {
	lower := strings.ToLower(path)
	for _, one := range skipped {
		if lower == one {
			return true
		}
	}
	// The registry of a user is a file that is always in use.
	return strings.HasPrefix(lower, `c:\users\`) && strings.Count(lower, `\`) == 3 &&
		strings.HasPrefix(lower[strings.LastIndex(lower, `\`)+1:], "ntuser.")
}

// mark takes the baseline.
func (c *changes) mark() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seed = maphash.MakeSeed()
	seen, err := c.snapshot()
	if err == nil {
		c.baseline = seen
	}
	return err
}

// forget begins anew, without a baseline.
func (c *changes) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.baseline, c.began = nil, time.Now()
}

// since lists what is different, sorted, at most so many.
func (c *changes) since(limit int) (fields, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found [][2]string
	if c.baseline == nil {
		start := c.began
		err := walkFolder(`C:`, func(path string, one foundFile) {
			if !one.isFolder() && one.changed > start.UnixNano()/100+windowsEpochTo1970 {
				found = append(found, [2]string{layoutPath(path), "created-or-changed"})
			}
		})
		return listed(found, limit), err
	}
	now, err := c.snapshot()
	if err != nil {
		return nil, err
	}
	for path, seen := range now {
		if before, known := c.baseline[path]; !known || before != seen {
			found = append(found, [2]string{layoutPath(path), "created-or-changed"})
		}
	}
	for path := range c.baseline {
		if _, there := now[path]; !there {
			found = append(found, [2]string{layoutPath(path), "deleted"})
		}
	}
	return listed(found, limit), nil
}

func listed(found [][2]string, limit int) fields {
	sort.Slice(found, func(a, b int) bool {
		if found[a][0] != found[b][0] {
			return found[a][0] < found[b][0]
		}
		return found[a][1] < found[b][1]
	})
	if len(found) > limit {
		found = found[:limit]
	}
	if found == nil {
		found = [][2]string{}
	}
	return fields{"changes": found}
}

// snapshot has for each path what tells one version of a file from another; of folders only that they are there.
func (c *changes) snapshot() (map[string]uint64, error) {
	seen := map[string]uint64{}
	err := walkFolder(`C:`, func(path string, one foundFile) {
		if one.isFolder() && !one.isLink() {
			seen[path] = 0
			return
		}
		text := fmt.Sprintf("%d %d %x %d %d", one.changed, one.id, one.attributes, one.size, one.written)
		seen[path] = maphash.String(c.seed, text) | 1
	})
	return seen, err
}

// walkFolder visits all that is below.
func walkFolder(folder string, visit func(string, foundFile)) error {
	handle, err := openItself(`\\?\`+folder+`\`, syscall.GENERIC_READ)
	if err != nil {
		return err
	}
	entries, err := entriesOf(handle)
	syscall.CloseHandle(handle)
	if err != nil {
		return err
	}
	for _, one := range entries {
		path := folder + `\` + one.name
		if isSkipped(path) {
			continue
		}
		visit(path, one)
		if one.isFolder() && !one.isLink() {
			// What cannot be opened, or is gone by now, is passed over.
			_ = walkFolder(path, visit)
		}
	}
	return nil
}
