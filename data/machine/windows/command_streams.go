package main

import "syscall"

// leftoverBytes are read at most of what others go on writing when the command itself has ended.
const leftoverBytes = 1 << 20

// feed gives the command what the host sends, until it takes no more.
func (r *command) feed() {
	defer r.readers.Done()
	buffer := make([]byte, 1<<16)
	for {
		count, err := r.channel.Read(buffer)
		if err != nil {
			break
		}
		for piece := buffer[:count]; len(piece) > 0; {
			written, err := r.pipes.stdin.write(piece, r.over)
			if err != nil {
				// A program need not read all its input: what is left of it goes nowhere.
				r.pipes.stdin.close()
				r.swallow(buffer)
				return
			}
			piece = piece[written:]
		}
	}
	r.pipes.stdin.close()
}

func (r *command) swallow(buffer []byte) {
	for {
		if _, err := r.channel.Read(buffer); err != nil {
			return
		}
	}
}

// pump hands on what a stream holds. When the command has ended, what is there is its own; what comes later is not.
func (r *command) pump(stream byte, pipe *asyncHandle) {
	defer r.readers.Done()
	defer pipe.close()
	finished := false
	finish := func() {
		if !finished {
			finished = true
			r.channel.finish(stream)
			r.streams.Done()
		}
	}
	defer finish()
	for leftover := leftoverBytes; ; {
		room, stop := 1<<16, syscall.Handle(0)
		if !finished {
			var err error
			if room, err = r.channel.room(stream); err != nil {
				finish()
				continue
			}
			stop = r.over
		}
		piece, err := pipe.read(room, stop)
		if err == errStopped {
			finish()
			continue
		}
		if err != nil {
			return
		}
		if finished {
			continue
		}
		r.channel.say(stream, piece)
		if r.isOver() {
			if leftover -= len(piece); leftover < 0 {
				finish()
			}
		}
	}
}

func (r *command) isOver() bool {
	found, err := syscall.WaitForSingleObject(r.over, 0)
	return err == nil && found == syscall.WAIT_OBJECT_0
}
