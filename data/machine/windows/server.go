package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server answers one host at a time.
type server struct {
	link     *link
	sameUser bool
	jobs     *jobs
	ports    *ports
	seals    *seals
	changes  changes
	prepared prepared

	mu       sync.Mutex
	channels map[uint32]*channel
	lease    string
}

func newServer(link *link, sameUser bool) *server {
	s := &server{link: link, sameUser: sameUser, jobs: newJobs(), seals: newSeals(), channels: map[uint32]*channel{}}
	s.ports = newPorts(s)
	return s
}

// serve answers until the link is closed; what commands left running ends with the program.
func (s *server) serve() error {
	defer s.reportPanic()
	return s.link.receive(s.handle)
}

func (s *server) handle(one frame) {
	if one.kind == kindRequest {
		var asked request
		mustDecode(one.payload, &asked)
		s.request(one.channel, asked)
		return
	}
	s.mu.Lock()
	c := s.channels[one.channel]
	if one.kind == kindClose {
		delete(s.channels, one.channel)
	}
	s.mu.Unlock()
	if c != nil {
		c.handle(one)
	}
}

func (s *server) request(number uint32, asked request) {
	c := newChannel(number, s.link)
	if s.lease != "" && asked.Op != "hello" && asked.Op != "lease" && leaseHolder() != s.lease {
		c.answer(fields{"ok": false, "code": "lease", "message": "the machine has been given to another"})
		return
	}
	switch asked.Op {
	case "hello":
		s.greet()
		c.answer(fields{"ok": true, "version": 1})
	case "lease":
		told := answerOf(s.takeLease(asked))
		if told["ok"] == true && told["heldBy"] == nil && asked.Seconds >= 0 {
			s.lease = asked.ID
		}
		c.answer(told)
	case "run":
		started := newCommand(s, c)
		s.add(c)
		s.start(func() {
			defer s.remove(c)
			started.run(s, asked)
		})
	case "listen":
		s.add(c)
		s.ports.listen(c)
	case "quiesce":
		s.ports.hangUp()
		s.operate(c, asked)
	default:
		s.operate(c, asked)
	}
}

// operate does one of the other operations, its streams those of the channel.
func (s *server) operate(c *channel, asked request) {
	act := s.operation(asked, c, output{c, 1})
	if act == nil {
		panic(fmt.Sprintf("there is no operation %q", asked.Op))
	}
	c.ended = !asked.Stdin
	s.add(c)
	s.start(func() {
		defer s.remove(c)
		told := answerOf(act())
		c.mu.Lock()
		killed := c.killed
		c.mu.Unlock()
		if killed {
			told = fields{"ok": true, "signal": "SIGKILL"}
		}
		c.finish(1)
		c.finish(2)
		c.answer(told)
	})
}

func (s *server) operation(asked request, source io.Reader, target io.Writer) func() (fields, error) {
	switch asked.Op {
	case "describe":
		return describe
	case "prepare":
		return func() (fields, error) { return s.prepare(asked) }
	case "release":
		return func() (fields, error) { return fields{}, s.clean() }
	case "put":
		return func() (fields, error) { return fields{}, s.put(asked, source) }
	case "read":
		return func() (fields, error) { return fields{}, s.read(asked, target) }
	case "take":
		return func() (fields, error) { return fields{}, take(asked, target) }
	case "stat":
		return func() (fields, error) { return s.stat(asked) }
	case "list":
		return func() (fields, error) { return s.list(asked) }
	case "remove":
		return func() (fields, error) { return fields{}, s.removePath(asked) }
	case "mark":
		return func() (fields, error) { return fields{}, s.changes.mark() }
	case "changes":
		return func() (fields, error) { return s.changes.since(asked.Limit) }
	case "seal":
		return func() (fields, error) { return fields{}, s.seal(asked.Path) }
	case "quiesce":
		return s.quiesce
	}
	return nil
}

// greet takes a new host: whatever the last one had open is nobody's.
func (s *server) greet() {
	if s.link.lasting {
		s.link.forget()
	}
	s.mu.Lock()
	old := s.channels
	s.channels = map[uint32]*channel{}
	s.mu.Unlock()
	for _, c := range old {
		if c.onKill != nil {
			c.onKill(false)
		}
		c.drop()
	}
}

func (s *server) add(c *channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[c.number] = c
}

// remove forgets a channel that has been answered, if it is still that one.
func (s *server) remove(c *channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels[c.number] == c {
		delete(s.channels, c.number)
	}
}

// start does something beside everything else; when it fails, so does the program.
func (s *server) start(act func()) {
	go func() {
		defer s.reportPanic()
		act()
	}()
}

// reportPanic tells the host that this program ends and why, if the host still takes anything.
func (s *server) reportPanic() {
	failed := recover()
	if failed == nil {
		return
	}
	text := fmt.Sprintf("%v%s", failed, whereItFailed())
	s.link.send(kindEvent, 0, encodeJSON(fields{"failed": text}))
	s.link.flush(5 * time.Second)
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}

// whereItFailed names the innermost of our functions below a panic.
func whereItFailed() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		where, more := frames.Next()
		name := strings.TrimPrefix(where.Function, "main.")
		if name != where.Function && name != "mustDecode" {
			return fmt.Sprintf(" (%s, line %d)", name, where.Line)
		}
		if !more {
			return ""
		}
	}
}

// unusable says in words what is wrong with a path.
type unusable string

func (u unusable) Error() string { return string(u) }

// answerOf is what the host is told of an operation.
func answerOf(told fields, err error) fields {
	if err == nil {
		told["ok"] = true
		return told
	}
	return fields{"ok": false, "code": "path", "message": wordsOf(err)}
}

// wordsOf gives an error of the system's without the call it came from, and the layout's name of the path.
func wordsOf(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return fmt.Sprintf("%s (%s)", trimmed(path.Err), layoutPath(path.Path))
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return fmt.Sprintf("%s (%s)", trimmed(link.Err), layoutPath(link.New))
	}
	return trimmed(err)
}

// trimmed is an error's text without the stop that the system's sentences end with.
func trimmed(err error) string {
	if number, ok := err.(syscall.Errno); ok {
		return fmt.Sprintf("%s [%d]", strings.TrimRight(number.Error(), ". \r\n"), int(number))
	}
	return strings.TrimRight(err.Error(), ". \r\n")
}
