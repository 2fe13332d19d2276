package main

import (
	"syscall"
	"unsafe"
)

// Calls of Windows that Go's own package does not have.
var (
	kernel32 = syscall.NewLazyDLL("kernel32.dll")
	advapi32 = syscall.NewLazyDLL("advapi32.dll")
	wtsapi32 = syscall.NewLazyDLL("wtsapi32.dll")
	userenv  = syscall.NewLazyDLL("userenv.dll")
	ntdll    = syscall.NewLazyDLL("ntdll.dll")

	createEvent              = kernel32.NewProc("CreateEventW")
	setEvent                 = kernel32.NewProc("SetEvent")
	resetEvent               = kernel32.NewProc("ResetEvent")
	waitForMultipleObjects   = kernel32.NewProc("WaitForMultipleObjects")
	getOverlappedResult      = kernel32.NewProc("GetOverlappedResult")
	createNamedPipe          = kernel32.NewProc("CreateNamedPipeW")
	createProcess            = kernel32.NewProc("CreateProcessW")
	resumeThread             = kernel32.NewProc("ResumeThread")
	initAttributes           = kernel32.NewProc("InitializeProcThreadAttributeList")
	updateAttribute          = kernel32.NewProc("UpdateProcThreadAttribute")
	deleteAttributes         = kernel32.NewProc("DeleteProcThreadAttributeList")
	createJobObject          = kernel32.NewProc("CreateJobObjectW")
	assignProcessToJobObject = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject       = kernel32.NewProc("TerminateJobObject")
	setInformationJobObject  = kernel32.NewProc("SetInformationJobObject")
	queryInformationJob      = kernel32.NewProc("QueryInformationJobObject")
	getQueuedStatus          = kernel32.NewProc("GetQueuedCompletionStatus")
	getFileInformationEx     = kernel32.NewProc("GetFileInformationByHandleEx")
	setSystemTime            = kernel32.NewProc("SetSystemTime")
	activeConsoleSession     = kernel32.NewProc("WTSGetActiveConsoleSessionId")
	freeConsole              = kernel32.NewProc("FreeConsole")
	attachConsole            = kernel32.NewProc("AttachConsole")
	generateConsoleCtrlEvent = kernel32.NewProc("GenerateConsoleCtrlEvent")

	createProcessAsUser     = advapi32.NewProc("CreateProcessAsUserW")
	lookupPrivilegeValue    = advapi32.NewProc("LookupPrivilegeValueW")
	adjustTokenPrivileges   = advapi32.NewProc("AdjustTokenPrivileges")
	sddlToDescriptor        = advapi32.NewProc("ConvertStringSecurityDescriptorToSecurityDescriptorW")
	getDescriptorDacl       = advapi32.NewProc("GetSecurityDescriptorDacl")
	getDescriptorOwner      = advapi32.NewProc("GetSecurityDescriptorOwner")
	setSecurityInfo         = advapi32.NewProc("SetSecurityInfo")
	getSecurityInfo         = advapi32.NewProc("GetSecurityInfo")
	impersonateUser         = advapi32.NewProc("ImpersonateLoggedOnUser")
	revertToSelf            = advapi32.NewProc("RevertToSelf")
	regCreateKey            = advapi32.NewProc("RegCreateKeyExW")
	regSetValue             = advapi32.NewProc("RegSetValueExW")
	queryUserToken          = wtsapi32.NewProc("WTSQueryUserToken")
	createEnvironmentBlock  = userenv.NewProc("CreateEnvironmentBlock")
	destroyEnvironmentBlock = userenv.NewProc("DestroyEnvironmentBlock")
	getVersion              = ntdll.NewProc("RtlGetVersion")
	ntSuspendProcess        = ntdll.NewProc("NtSuspendProcess")
)

// call makes a call whose result is zero when it failed.
func call(procedure *syscall.LazyProc, arguments ...uintptr) error {
	result, _, err := procedure.Call(arguments...)
	if result != 0 {
		return nil
	}
	return err
}

func utf16Of(text string) (*uint16, error) {
	return syscall.UTF16PtrFromString(text)
}

// newEvent is an event that stays signalled until it is reset.
func newEvent() (syscall.Handle, error) {
	handle, _, err := createEvent.Call(0, 1, 0, 0)
	if handle == 0 {
		return 0, err
	}
	return syscall.Handle(handle), nil
}

// waitForAny gives the index of the first of the handles that is signalled.
func waitForAny(handles ...syscall.Handle) (int, error) {
	found, _, err := waitForMultipleObjects.Call(
		uintptr(len(handles)), uintptr(unsafe.Pointer(&handles[0])), 0, syscall.INFINITE)
	if found >= uintptr(len(handles)) {
		return 0, err
	}
	return int(found), nil
}
