package main

import (
	"fmt"
	"sync"
	"syscall"
)

// command is a running one and its streams.
type command struct {
	channel *channel
	jobs    *jobs
	job     *job
	as      identity
	pipes   *threePipes
	process syscall.Handle
	pid     uint32
	// over is signalled when the command itself has ended.
	over syscall.Handle

	mu sync.Mutex
	// running is set when there is something to ask or to end.
	running bool
	asked   bool
	ended   bool
	// streams are told to be at their end.
	streams sync.WaitGroup
	// readers have let go of their pipes.
	readers sync.WaitGroup
}

// newCommand takes what the host wants of it from the beginning, even before it runs.
func newCommand(s *server, c *channel) *command {
	r := &command{channel: c, jobs: s.jobs}
	c.onKill = r.kill
	return r
}

// run starts what is asked for and answers when it has ended. That it did not start is an answer, too.
func (r *command) run(s *server, asked request) {
	if err := r.start(s, asked); err != nil {
		r.channel.answer(fields{"ok": true, "failed": wordsOf(err)})
		return
	}
	r.serve(asked.Stdin)
}

func (r *command) start(s *server, asked request) error {
	agents := asked.User == "agent"
	var err error
	if agents && !s.sameUser {
		if r.as, err = agentIdentity(); err != nil {
			return err
		}
	}
	plan, err := planLaunch(r.as, asked)
	if err == nil {
		r.over, err = newEvent()
	}
	if err == nil {
		r.pipes, err = makePipes()
	}
	if err == nil {
		if err = r.launch(plan, agents); err != nil {
			r.pipes.closeOurs()
		}
		r.pipes.closeTheirs()
	}
	if err != nil {
		r.as.close()
		if r.over != 0 {
			syscall.CloseHandle(r.over)
		}
	}
	return err
}

// launch starts the process inside its job, so that nothing it starts is outside.
func (r *command) launch(plan launch, agents bool) error {
	plan.handles = r.pipes.theirs
	made, err := plan.start()
	if err != nil {
		return err
	}
	defer syscall.CloseHandle(made.Thread)
	r.process, r.pid = made.Process, made.ProcessId
	r.job, err = r.jobs.start(made.Process, agents)
	if err == nil {
		if count, _, failed := resumeThread.Call(uintptr(made.Thread)); uint32(count) == threadResumeFailed {
			err = failed
		}
	}
	if err != nil {
		_ = syscall.TerminateProcess(made.Process, killedByUs)
		syscall.CloseHandle(made.Process)
		return fmt.Errorf("the program could not be put into a job: %w", err)
	}
	return nil
}

func (r *command) serve(stdin bool) {
	c := r.channel
	c.change(func() { c.ended = c.ended || !stdin })
	r.mu.Lock()
	r.running = true
	asked, ended := r.asked, r.ended
	r.mu.Unlock()
	if ended {
		r.jobs.end(r.job)
	} else if asked {
		askToEnd(r.as, r.pid)
	}
	c.tell(fields{"started": r.pid})
	r.streams.Add(2)
	r.readers.Add(3)
	go r.feed()
	go r.pump(1, r.pipes.stdout)
	go r.pump(2, r.pipes.stderr)
	code := r.wait()
	_ = call(setEvent, uintptr(r.over))
	r.streams.Wait()
	c.answer(r.end(code))
	// What is left goes on writing into nothing, without us holding up anybody.
	go r.release()
}

func (r *command) wait() uint32 {
	var code uint32
	if _, err := syscall.WaitForSingleObject(r.process, syscall.INFINITE); err != nil {
		panic(err)
	}
	if err := syscall.GetExitCodeProcess(r.process, &code); err != nil {
		panic(err)
	}
	return code
}

// end says how it ended: by itself with its whole status, or by us, as on other systems.
func (r *command) end(code uint32) fields {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case code == killedByUs:
		return fields{"ok": true, "signal": "SIGKILL"}
	case code == statusControlCExit && r.asked:
		return fields{"ok": true, "signal": "SIGTERM"}
	}
	return fields{"ok": true, "exit": code}
}

func (r *command) release() {
	r.readers.Wait()
	syscall.CloseHandle(r.over)
	syscall.CloseHandle(r.process)
	r.as.close()
}

// kill ends it with all it started, or asks it to end.
func (r *command) kill(gently bool) {
	if r.channel.isAnswered() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !gently {
		r.ended = true
		if r.running {
			r.jobs.end(r.job)
		}
		return
	}
	if r.running && !r.asked {
		askToEnd(r.as, r.pid)
	}
	r.asked = true
}
