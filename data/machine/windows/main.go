// Serves a Windows machine to ale: commands, files and forwarded ports over one byte stream. README.md says how it is
// started and what it is asked; the frames are those of ../server.py.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(arguments []string) error {
	var device string
	var sameUser bool
	for len(arguments) > 0 {
		word := arguments[0]
		arguments = arguments[1:]
		switch {
		case word == "--same-user":
			sameUser = true
		case word == "--device" && len(arguments) > 0:
			device, arguments = arguments[0], arguments[1:]
		case word == "--break" && len(arguments) > 0:
			number, err := strconv.ParseUint(arguments[0], 10, 32)
			if err != nil {
				return err
			}
			return breakGroup(uint32(number))
		case word == "--desktop":
			return desktop(arguments)
		default:
			return fmt.Errorf("ale-serve: %s is not understood; see README.md of its sources", word)
		}
	}
	enablePrivileges()
	if device != "" {
		return newServer(newLink(newDevice(device), true), sameUser).serve()
	}
	return newServer(newLink(ownStreams(), false), sameUser).serve()
}
