package main

import "syscall"

// Calls about the desktop.
var (
	user32 = syscall.NewLazyDLL("user32.dll")
	dwmapi = syscall.NewLazyDLL("dwmapi.dll")

	setProcessDpiAware    = user32.NewProc("SetProcessDPIAware")
	enumWindows           = user32.NewProc("EnumWindows")
	isWindowVisible       = user32.NewProc("IsWindowVisible")
	isIconic              = user32.NewProc("IsIconic")
	showWindow            = user32.NewProc("ShowWindow")
	getWindowText         = user32.NewProc("GetWindowTextW")
	getWindowRect         = user32.NewProc("GetWindowRect")
	getWindowProcess      = user32.NewProc("GetWindowThreadProcessId")
	getForegroundWindow   = user32.NewProc("GetForegroundWindow")
	setForegroundWindow   = user32.NewProc("SetForegroundWindow")
	sendInput             = user32.NewProc("SendInput")
	openClipboard         = user32.NewProc("OpenClipboard")
	closeClipboard        = user32.NewProc("CloseClipboard")
	emptyClipboard        = user32.NewProc("EmptyClipboard")
	getClipboardData      = user32.NewProc("GetClipboardData")
	setClipboardData      = user32.NewProc("SetClipboardData")
	changeDisplaySettings = user32.NewProc("ChangeDisplaySettingsExW")
	getWindowAttribute    = dwmapi.NewProc("DwmGetWindowAttribute")
	globalAlloc           = kernel32.NewProc("GlobalAlloc")
	globalLock            = kernel32.NewProc("GlobalLock")
	globalUnlock          = kernel32.NewProc("GlobalUnlock")
	globalSize            = kernel32.NewProc("GlobalSize")
	moveMemory            = kernel32.NewProc("RtlMoveMemory")
	fullImageName         = kernel32.NewProc("QueryFullProcessImageNameW")
)
