package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// answer listens on the loopback, writes its port to a file, and answers each line with `got` before it.
func answer(words []string) error {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	if err := os.WriteFile(words[0]+".new", []byte(port), 0o666); err != nil {
		return err
	}
	if err := os.Rename(words[0]+".new", words[0]); err != nil {
		return err
	}
	for {
		accepted, err := listener.Accept()
		if err != nil {
			return err
		}
		line, err := bufio.NewReader(accepted).ReadString('\n')
		if err == nil {
			fmt.Fprintf(accepted, "got %s", line)
		}
		accepted.Close()
	}
}

func dial(port string) (*net.TCPConn, error) {
	connection, err := net.Dial("tcp4", "127.0.0.1:"+port)
	if err != nil {
		return nil, err
	}
	return connection.(*net.TCPConn), nil
}

// ask sends a line to a port, whose number may be in a file, and prints what is answered.
func ask(words []string) error {
	port := words[0]
	if text, err := os.ReadFile(port); err == nil {
		port = string(text)
	}
	connection, err := dial(port)
	if err != nil {
		return err
	}
	if len(words) > 1 {
		fmt.Fprintln(connection, words[1])
	}
	_, err = io.Copy(os.Stdout, connection)
	return err
}

// echo sends lines, says that there are no more, and tells whether they have all come back.
func echo(words []string) error {
	connection, err := dial(words[0])
	if err != nil {
		return err
	}
	var sent bytes.Buffer
	for number := 1; number <= 300_000; number++ {
		fmt.Fprintln(&sent, number)
	}
	if _, err := connection.Write(sent.Bytes()); err != nil {
		return err
	}
	if err := connection.CloseWrite(); err != nil {
		return err
	}
	got, err := io.ReadAll(connection)
	if err != nil {
		return err
	}
	if bytes.Equal(got, sent.Bytes()) {
		fmt.Print("same")
	} else {
		fmt.Print("differs")
	}
	return nil
}

// crowd opens so many connections at once, and counts those that are served.
func crowd(words []string) error {
	count, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	var served sync.Map
	var all sync.WaitGroup
	for number := 0; number < count; number++ {
		all.Add(1)
		go func(number int) {
			defer all.Done()
			connection, err := dial(words[0])
			if err != nil {
				return
			}
			defer connection.Close()
			line, err := bufio.NewReader(connection).ReadString('\n')
			if err == nil && strings.TrimSpace(line) == "served" {
				served.Store(number, true)
			}
		}(number)
	}
	all.Wait()
	total := 0
	served.Range(func(any, any) bool { total++; return true })
	fmt.Print(total)
	return nil
}

// linger prints the first line of a connection, and then how it ends.
func linger(words []string) error {
	connection, err := dial(words[0])
	if err != nil {
		return err
	}
	reader := bufio.NewReader(connection)
	line, err := reader.ReadString('\n')
	if err != nil {
		return err
	}
	fmt.Print(line)
	if _, err = io.Copy(io.Discard, reader); err != nil {
		fmt.Println("broken")
	} else {
		fmt.Println("ended")
	}
	return nil
}
