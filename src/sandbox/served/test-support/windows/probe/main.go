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

// random makes a file of so many bytes that no disk stores in fewer.
func random(words []string) error {
	size, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	bytes := make([]byte, size)
	state := uint64(88172645463325252)
	for index := range bytes {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		bytes[index] = byte(state)
	}
	return os.WriteFile(words[0], bytes, 0o666)
}

// rewrite changes the beginning of a file for ever.
func rewrite(words []string) error {
	file, err := os.OpenFile(words[0], os.O_RDWR, 0)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for round := 0; ; round++ {
		if _, err := file.WriteAt([]byte(strconv.Itoa(round)), 0); err != nil {
			return err
		}
	}
}

// restore writes a file's text anew and gives it a time long past.
func restore(words []string) error {
	if err := os.WriteFile(words[0], []byte(words[1]), 0o666); err != nil {
		return err
	}
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return os.Chtimes(words[0], past, past)
}

// hold opens a file that nobody else may open meanwhile.
func hold(words []string) error {
	name, err := syscall.UTF16PtrFromString(words[0])
	if err != nil {
		return err
	}
	_, err = syscall.CreateFile(name, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		return err
	}
	return sleep(nil)
}

// start starts this program once more, with the streams of this one.
func start(flags uint32, words ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = os.StartProcess(self, append([]string{self}, words...), &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{CreationFlags: flags},
	})
	return err
}

// leave starts what its words say, and does not wait for it.
func leave(words []string) error {
	if err := start(0, words...); err != nil {
		return err
	}
	fmt.Println("left")
	return nil
}

const (
	detached     = 0x8
	newGroup     = 0x200
	breakaway    = 0x01000000
	stayInTheJob = 0
)

// tree starts a child, a grandchild whose parent is gone, and one that tries to leave the job, and waits; they all sleep by
// the first word, followed by a number.
func tree(words []string) error {
	if len(words) > 1 {
		return start(detached|newGroup, "sleep", words[0]+"-2")
	}
	if err := start(stayInTheJob, "sleep", words[0]+"-1"); err != nil {
		return err
	}
	if err := start(detached, "tree", words[0], "grandchild"); err != nil {
		return err
	}
	if err := start(breakaway|detached, "sleep", words[0]+"-3"); err != nil {
		// That it may not is as good as that it does not help.
		if err := start(stayInTheJob, "sleep", words[0]+"-3"); err != nil {
			return err
		}
	}
	fmt.Println("begun")
	return sleep(nil)
}

// respawn starts another one of its kind, again and again, and ends.
func respawn(words []string) error {
	time.Sleep(20 * time.Millisecond)
	return start(detached|newGroup, "respawn", words[0])
}

var setHandler = syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleCtrlHandler")

// onBreak is told of CTRL+BREAK, or of CTRL+C, which is all that Wine knows; nothing else happens then.
func onBreak(act func()) error {
	handler := syscall.NewCallback(func(kind uint32) uintptr {
		if kind <= 1 {
			act()
		}
		return 1
	})
	if result, _, err := setHandler.Call(handler, 1); result == 0 {
		return err
	}
	// A group of its own is deaf to CTRL+C until it says otherwise.
	if result, _, err := setHandler.Call(0, 0); result == 0 {
		return err
	}
	return nil
}

// polite says good-bye when it is asked to end.
func polite([]string) error {
	if err := onBreak(func() {
		fmt.Println("bye")
		os.Exit(5)
	}); err != nil {
		return err
	}
	return sleep(nil)
}

// deaf says that it has been asked to end, and goes on.
func deaf([]string) error {
	if err := onBreak(func() { fmt.Println("no") }); err != nil {
		return err
	}
	return sleep(nil)
}
