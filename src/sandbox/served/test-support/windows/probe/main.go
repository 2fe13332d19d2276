// Probe does inside a Windows machine what a test asks for and cmd cannot do. Its first word names the act.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"
)

var acts = map[string]func([]string) error{
	"argv":    argv,
	"env":     env,
	"exit":    exit,
	"say":     say,
	"seq":     seq,
	"cat":     func([]string) error { return piped(os.Stdout) },
	"digest":  digest,
	"sleep":   sleep,
	"noise":   noise,
	"random":  random,
	"rewrite": rewrite,
	"restore": restore,
	"hold":    hold,
	"leave":   leave,
	"tree":    tree,
	"respawn": respawn,
	"polite":  polite,
	"deaf":    deaf,
	"answer":  answer,
	"ask":     ask,
	"echo":    echo,
	"crowd":   crowd,
	"linger":  linger,
	"relay":   relay,
}

func main() {
	act := acts[os.Args[1]]
	if act == nil {
		fmt.Fprintln(os.Stderr, "no such act:", os.Args[1])
		os.Exit(2)
	}
	if err := act(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// argv prints as JSON what Windows itself makes of the command line.
func argv([]string) error {
	line := syscall.GetCommandLine()
	var count int32
	words, err := syscall.CommandLineToArgv(line, &count)
	if err != nil {
		return err
	}
	told := []string{}
	for _, word := range words[:count][2:] {
		told = append(told, syscall.UTF16ToString(word[:]))
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

// env prints variables as JSON; of those that are not set, null.
func env(names []string) error {
	told := []*string{}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			told = append(told, &value)
		} else {
			told = append(told, nil)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

func exit(words []string) error {
	code, err := strconv.ParseUint(words[0], 10, 32)
	if err == nil {
		os.Exit(int(int32(uint32(code))))
	}
	return err
}

// say prints the first word, and the second as an error.
func say(words []string) error {
	fmt.Print(words[0])
	if len(words) > 1 {
		fmt.Fprint(os.Stderr, words[1])
	}
	return nil
}

func seq(words []string) error {
	last, err := strconv.Atoi(words[0])
	out := bufio.NewWriter(os.Stdout)
	for number := 1; number <= last; number++ {
		fmt.Fprintln(out, number)
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

// piped copies standard input, as it comes.
func piped(target io.Writer) error {
	buffer := make([]byte, 1<<16)
	for {
		count, err := os.Stdin.Read(buffer)
		if _, failed := target.Write(buffer[:count]); failed != nil {
			return failed
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// digest prints that of standard input, which it copies to standard errors.
func digest([]string) error {
	hash := sha256.New()
	err := piped(io.MultiWriter(hash, os.Stderr))
	fmt.Printf("%x", hash.Sum(nil))
	return err
}

// sleep says that it begins and never ends; its word is what it is found by, and the name of a file that it makes.
func sleep(words []string) error {
	for _, word := range words {
		if err := os.WriteFile(word, nil, 0o666); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	time.Sleep(time.Hour)
	return nil
}

// noise writes until the first file is there, and then makes the second.
func noise(words []string) error {
	for {
		if _, err := fmt.Println("noise"); err != nil {
			return err
		}
		if _, err := os.Stat(words[0]); err == nil {
			return os.WriteFile(words[1], nil, 0o666)
		}
	}
}
