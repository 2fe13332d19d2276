package main

import (
	"strings"
	"syscall"
	"unsafe"
)

const processQueryLimited = 0x1000

// processKey is a process that cannot be mistaken for a later one with the same number.
type processKey struct {
	pid     uint32
	created int64
}

// processNames are the names of all processes by number.
func processNames() (map[uint32]string, error) {
	snapshot, err := syscall.CreateToolhelp32Snapshot(syscall.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.CloseHandle(snapshot)
	names := map[uint32]string{}
	var entry syscall.ProcessEntry32
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err = syscall.Process32First(snapshot, &entry); err == nil; err = syscall.Process32Next(snapshot, &entry) {
		names[entry.ProcessID] = syscall.UTF16ToString(entry.ExeFile[:])
	}
	if err != syscall.ERROR_NO_MORE_FILES {
		return nil, err
	}
	return names, nil
}

// processesOf are the processes of an account, with their names.
func processesOf(sid string) (map[processKey]string, error) {
	names, err := processNames()
	if err != nil {
		return nil, err
	}
	found := map[processKey]string{}
	for pid, name := range names {
		if key, owner, ok := lookAt(pid); ok && owner == sid {
			found[key] = name
		}
	}
	return found, nil
}

// lookAt tells who runs a process and since when; not of one that has ended or is the system's own.
func lookAt(pid uint32) (processKey, string, bool) {
	process, err := syscall.OpenProcess(processQueryLimited, false, pid)
	if err != nil {
		return processKey{}, "", false
	}
	defer syscall.CloseHandle(process)
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return processKey{}, "", false
	}
	var code uint32
	const stillActive = 259
	if syscall.GetExitCodeProcess(process, &code) != nil || code != stillActive {
		return processKey{}, "", false
	}
	var token syscall.Token
	if syscall.OpenProcessToken(process, syscall.TOKEN_QUERY, &token) != nil {
		return processKey{}, "", false
	}
	defer token.Close()
	sid, err := sidOf(token)
	return processKey{pid, created.Nanoseconds()}, sid, err == nil
}

// endProcess kills a process if it is still that one, and tells whether it was.
func endProcess(key processKey) bool {
	process, err := syscall.OpenProcess(processQueryLimited|syscall.PROCESS_TERMINATE, false, key.pid)
	if err != nil {
		return false
	}
	defer syscall.CloseHandle(process)
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil || created.Nanoseconds() != key.created {
		return false
	}
	return syscall.TerminateProcess(process, killedByUs) == nil
}

// isConsole tells the helper that Windows itself starts for each console.
func isConsole(name string) bool {
	return strings.EqualFold(name, "conhost.exe")
}
