package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// agentName is the account that commands of the agent run as.
const agentName = "agent"

// systemSid and administratorsSid are the well-known owners of what is root's.
const (
	systemSid         = "S-1-5-18"
	administratorsSid = "S-1-5-32-544"
)

// identity is whom a command runs as; without a token, as the program itself.
type identity struct {
	token syscall.Token
}

func (i identity) close() {
	if i.token != 0 {
		i.token.Close()
	}
}

// agentIdentity is the user logged on at the console, who must be the agent.
func agentIdentity() (identity, error) {
	session, _, _ := activeConsoleSession.Call()
	if uint32(session) == 0xFFFFFFFF {
		return identity{}, unusable("nobody is logged on at the console")
	}
	var token syscall.Token
	if err := call(queryUserToken, session, uintptr(unsafe.Pointer(&token))); err != nil {
		switch err {
		case syscall.Errno(1008), syscall.Errno(7022), syscall.ERROR_FILE_NOT_FOUND:
			return identity{}, unusable("nobody is logged on at the console")
		case syscall.Errno(1314):
			return identity{}, unusable("the program does not run as the system, and can start nothing as the agent")
		}
		return identity{}, fmt.Errorf("the user at the console is not known: %w", err)
	}
	user, err := token.GetTokenUser()
	if err != nil {
		token.Close()
		return identity{}, err
	}
	name, _, _, err := user.User.Sid.LookupAccount("")
	if err != nil || !strings.EqualFold(name, agentName) {
		token.Close()
		return identity{}, unusable(fmt.Sprintf("the console is %s's, not %s's", name, agentName))
	}
	return identity{token}, nil
}

// environment is what Windows gives a program of this user's.
func (i identity) environment() ([]string, error) {
	if i.token == 0 {
		return os.Environ(), nil
	}
	var block *uint16
	if err := call(createEnvironmentBlock, uintptr(unsafe.Pointer(&block)), uintptr(i.token), 0); err != nil {
		return nil, err
	}
	defer destroyEnvironmentBlock.Call(uintptr(unsafe.Pointer(block)))
	var found []string
	for at := unsafe.Pointer(block); *(*uint16)(at) != 0; {
		var word []uint16
		for ; *(*uint16)(at) != 0; at = unsafe.Add(at, 2) {
			word = append(word, *(*uint16)(at))
		}
		at = unsafe.Add(at, 2)
		found = append(found, syscall.UTF16ToString(word))
	}
	return found, nil
}

// agentSid is the account's; ours with --same-user.
func (s *server) agentSid() (string, error) {
	if s.sameUser {
		return ownSid()
	}
	sid, _, _, err := syscall.LookupSID("", agentName)
	if err != nil {
		return "", fmt.Errorf("there is no account %s: %w", agentName, err)
	}
	return sid.String()
}

func ownSid() (string, error) {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return "", err
	}
	defer token.Close()
	return sidOf(token)
}

func sidOf(token syscall.Token) (string, error) {
	user, err := token.GetTokenUser()
	if err != nil {
		return "", err
	}
	return user.User.Sid.String()
}

// enablePrivileges switches on what the system's account has but does not use unasked: reading and writing what an agent
// has shut, looking at every process, setting the clock. Those that we do not have are passed over.
func enablePrivileges() {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return
	}
	var token syscall.Token
	const adjust = 0x20
	if syscall.OpenProcessToken(process, syscall.TOKEN_QUERY|adjust, &token) != nil {
		return
	}
	defer token.Close()
	for _, name := range []string{
		"SeBackupPrivilege", "SeRestorePrivilege", "SeTakeOwnershipPrivilege", "SeDebugPrivilege",
		"SeSystemtimePrivilege", "SeAssignPrimaryTokenPrivilege", "SeIncreaseQuotaPrivilege", "SeTcbPrivilege",
		"SeCreateSymbolicLinkPrivilege",
	} {
		word, err := utf16Of(name)
		if err != nil {
			continue
		}
		one := struct {
			count uint32
			luid  [2]uint32
			flags uint32
		}{count: 1, flags: 2}
		if call(lookupPrivilegeValue, 0, uintptr(unsafe.Pointer(word)), uintptr(unsafe.Pointer(&one.luid))) == nil {
			_ = call(adjustTokenPrivileges, uintptr(token), 0, uintptr(unsafe.Pointer(&one)), 0, 0, 0)
		}
	}
}
