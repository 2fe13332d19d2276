// The little of PowerShell that tests need in Wine, which has none: a line given with -Command is cmd's to run, a script
// that was encoded does nothing. It ends as what it ran did.
package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
)

func main() {
	for index, word := range os.Args {
		if strings.EqualFold(word, "-Command") && index+1 < len(os.Args) {
			os.Exit(run(os.Args[index+1]))
		}
	}
}

func run(script string) int {
	// What stands before the line is only for PowerShell itself.
	lines := strings.Split(script, "\n")
	command := exec.Command("cmd")
	command.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /c ` + lines[len(lines)-1]}
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil && command.ProcessState == nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	return command.ProcessState.ExitCode()
}
