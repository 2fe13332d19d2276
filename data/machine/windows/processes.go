package main

import (
	"strings"
	"syscall"
	"unsafe"
)

const (
	processQueryLimited  = 0x1000
	processSuspendResume = 0x800
)

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

// seenProcess is one that runs.
type seenProcess struct {
	name string
	// hidden: nobody can tell whose it is. A process may keep even the system from asking.
	hidden bool
}

// processesOf are the processes of an account, and those of which nobody can tell whose they are.
func processesOf(sid string) (map[processKey]seenProcess, error) {
	names, err := processNames()
	if err != nil {
		return nil, err
	}
	found := map[processKey]seenProcess{}
	for pid, name := range names {
		if key, owner, ok := lookAt(pid); ok && (owner == sid || owner == "") {
			found[key] = seenProcess{name, owner == ""}
		}
	}
	return found, nil
}

// lookAt tells who runs a process and since when: nobody where that cannot be told. Not of one that has ended, nor of what is
// kept from the system's own rights to look at every process, as the kernel alone is.
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
	key := processKey{pid, created.Nanoseconds()}
	var token syscall.Token
	if syscall.OpenProcessToken(process, syscall.TOKEN_QUERY, &token) != nil {
		return key, "", true
	}
	defer token.Close()
	sid, err := sidOf(token)
	if err != nil {
		return key, "", true
	}
	return key, sid, true
}

// endProcess kills a process if it is still that one, and tells whether it was.
func endProcess(key processKey) bool {
	process, ok := openProcess(key, syscall.PROCESS_TERMINATE)
	if !ok {
		return false
	}
	defer syscall.CloseHandle(process)
	return syscall.TerminateProcess(process, killedByUs) == nil
}

// openProcess opens a process if it is still that one.
func openProcess(key processKey, access uint32) (syscall.Handle, bool) {
	process, err := syscall.OpenProcess(processQueryLimited|access, false, key.pid)
	if err != nil {
		return 0, false
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil || created.Nanoseconds() != key.created {
		syscall.CloseHandle(process)
		return 0, false
	}
	return process, true
}

// suspendProcess stops a process if it is still that one, and tells whether it was.
func suspendProcess(key processKey) bool {
	process, ok := openProcess(key, processSuspendResume)
	if !ok {
		return false
	}
	defer syscall.CloseHandle(process)
	// Unlike other calls it gives zero when it has done it.
	status, _, _ := ntSuspendProcess.Call(uintptr(process))
	return status == 0
}

// isConsole tells the helper that Windows itself starts for each console.
func isConsole(name string) bool {
	return strings.EqualFold(name, "conhost.exe")
}
