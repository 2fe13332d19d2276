package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

const (
	fileObject       = 1
	ownerInformation = 1
	daclInformation  = 4
	protectedDacl    = 0x80000000
	unprotectedDacl  = 0x20000000
	writeDac         = 0x40000
	writeOwner       = 0x80000
	readAndRun       = "0x1200a9"
)

// descriptorOf says who owns a file and who may do what with it, in Windows' own words for it (SDDL). What is root's, the
// agent may read and run at most; what is the agent's is his beside what the folder gives.
func descriptorOf(agent, owner string, readable, isFolder bool) string {
	inherited := ""
	if isFolder {
		inherited = "OICI"
	}
	if owner == "agent" {
		return fmt.Sprintf("O:%sD:(A;%s;FA;;;%s)", agent, inherited, agent)
	}
	text := fmt.Sprintf("O:SYD:P(A;%s;FA;;;SY)(A;%s;FA;;;BA)", inherited, inherited)
	if readable {
		text += fmt.Sprintf("(A;%s;%s;;;%s)", inherited, readAndRun, agent)
	}
	return text
}

// giveTo makes a file or folder the agent's or root's. Where there are no accounts, there is nobody to part them from.
func (s *server) giveTo(path, owner string, readable bool) error {
	if s.sameUser || owner == self {
		return nil
	}
	agent, err := s.agentSid()
	if err != nil {
		return err
	}
	handle, err := openItself(path, readControl|writeDac|writeOwner|readAttributes)
	if err != nil {
		return err
	}
	defer syscall.CloseHandle(handle)
	state, err := stateOf(handle)
	if err != nil {
		return err
	}
	isFolder := state.attributes&syscall.FILE_ATTRIBUTE_DIRECTORY != 0
	return setSecurity(handle, descriptorOf(agent, owner, readable, isFolder), owner == "agent")
}

// isReadable tells whether the agent may read what is put as root's: what the task's own parts work with he may not, before
// it is sealed, which is done for those who are to see it. Modes of files are often those of the host's own, and say
// nothing; and a folder that he may not enter keeps nobody in Windows from what is in it.
func isReadable(path string, mode uint32) bool {
	return mode&0o044 != 0 && !isIn(task, path)
}

// readDescriptor makes of Windows' words what its calls take; to be freed.
func readDescriptor(sddl string) (uintptr, error) {
	text, err := utf16Of(sddl)
	if err != nil {
		return 0, err
	}
	var descriptor uintptr
	err = call(sddlToDescriptor, uintptr(unsafe.Pointer(text)), 1, uintptr(unsafe.Pointer(&descriptor)), 0)
	return descriptor, err
}

// setSecurity gives an open file an owner and rights. `inheriting`: beside those of its folder.
func setSecurity(handle syscall.Handle, sddl string, inheriting bool) error {
	descriptor, err := readDescriptor(sddl)
	if err != nil {
		return err
	}
	defer syscall.LocalFree(syscall.Handle(descriptor))
	var present, defaulted int32
	var dacl, owner uintptr
	err = call(getDescriptorDacl, descriptor, uintptr(unsafe.Pointer(&present)), uintptr(unsafe.Pointer(&dacl)),
		uintptr(unsafe.Pointer(&defaulted)))
	if err != nil {
		return err
	}
	err = call(getDescriptorOwner, descriptor, uintptr(unsafe.Pointer(&owner)), uintptr(unsafe.Pointer(&defaulted)))
	if err != nil {
		return err
	}
	what := uintptr(ownerInformation | daclInformation)
	if inheriting {
		what |= unprotectedDacl
	} else {
		what |= protectedDacl
	}
	// Unlike the other calls it gives the error itself.
	if failed, _, _ := setSecurityInfo.Call(uintptr(handle), fileObject, what, owner, 0, dacl, 0); failed != 0 {
		return syscall.Errno(failed)
	}
	return nil
}

// ownerOf tells whose an open file is: the agent's, root's, which is the system or its administrators, or another's.
func (s *server) ownerOf(handle syscall.Handle) (string, error) {
	if s.sameUser {
		return "agent", nil
	}
	var sid *syscall.SID
	var descriptor uintptr
	failed, _, _ := getSecurityInfo.Call(uintptr(handle), fileObject, ownerInformation,
		uintptr(unsafe.Pointer(&sid)), 0, 0, 0, uintptr(unsafe.Pointer(&descriptor)))
	if failed != 0 {
		return "", syscall.Errno(failed)
	}
	defer syscall.LocalFree(syscall.Handle(descriptor))
	owner, err := sid.String()
	if err != nil {
		return "", err
	}
	agent, err := s.agentSid()
	switch {
	case err == nil && owner == agent:
		return "agent", nil
	case owner == systemSid || owner == administratorsSid:
		return "root", nil
	}
	return "other", nil
}
