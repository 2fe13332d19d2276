package main

import (
	"fmt"
	"os"
	"syscall"
)

// planLaunch finds the program and writes down what it is given.
func planLaunch(as identity, asked request) (launch, error) {
	cwd, err := windowsPath(asked.Cwd)
	if err == nil {
		found, statError := os.Stat(cwd)
		if statError != nil || !found.IsDir() {
			err = unusable(fmt.Sprintf("the working directory %s cannot be entered", asked.Cwd))
		}
	}
	if err != nil {
		return launch{}, err
	}
	own, err := as.environment()
	if err != nil {
		return launch{}, err
	}
	env := newEnvironment(own, asked.Env, cwd)
	block, err := env.block()
	if err != nil {
		return launch{}, err
	}
	program, err := findProgram(asked.Argv[0], cwd, env)
	if err != nil {
		return launch{}, err
	}
	argv := append([]string{program}, asked.Argv[1:]...)
	line, err := commandLine(argv)
	if isBatch(program) {
		program = systemFolder() + `\cmd.exe`
		line, err = batchLine(argv)
	}
	if err != nil {
		return launch{}, err
	}
	// As much as CreateProcess takes, the end included.
	if length := len(utf16Length(line)); length >= 32767 {
		return launch{}, unusable(fmt.Sprintf("a command line of %d characters is too long: Windows takes 32766", length))
	}
	flags := uint32(createSuspended | createNewGroup | createNoWindow)
	return launch{as: as, program: program, line: line, block: block, folder: cwd, flags: flags}, nil
}

func utf16Length(text string) []uint16 {
	return syscall.StringToUTF16(text)[1:]
}
