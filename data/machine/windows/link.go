package main

import (
	"io"
	"sync"
	"time"
)

const (
	// mostWaiting bounds what waits to be sent: streams are held up beyond it, answers never.
	mostWaiting = 4 << 20
	// deafness is how long a device may take nothing before what was for its host is nobody's.
	deafness = 30 * time.Second
)

// link is the byte stream to the host.
type link struct {
	stream io.ReadWriter
	// lasting links outlive their hosts: that there is nobody to read or write is no end.
	lasting bool

	mu       sync.Mutex
	changed  *sync.Cond
	outgoing [][]byte
	waiting  int
	writing  bool
	// hosts counts those that have gone: what was for one is not for the next.
	hosts  int
	closed bool
}

func newLink(stream io.ReadWriter, lasting bool) *link {
	l := &link{stream: stream, lasting: lasting}
	l.changed = sync.NewCond(&l.mu)
	go l.write()
	return l
}

// send queues a frame and never waits.
func (l *link) send(kind byte, channel uint32, payload ...[]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.enqueue(encodeFrame(kind, channel, payload...))
}

// sendPiece queues a piece of a stream when few others wait.
func (l *link) sendPiece(kind byte, channel uint32, payload ...[]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.waiting > mostWaiting && !l.closed {
		l.changed.Wait()
	}
	l.enqueue(encodeFrame(kind, channel, payload...))
}

func (l *link) enqueue(bytes []byte) {
	if l.closed {
		return
	}
	l.outgoing = append(l.outgoing, bytes)
	l.waiting += len(bytes)
	l.changed.Broadcast()
}

// forget drops what waits to be sent: it was for a host that is no more.
func (l *link) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outgoing, l.waiting = nil, 0
	l.hosts++
	l.changed.Broadcast()
}

func (l *link) host() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hosts
}

// flush waits until all has been handed over, as long as the time given.
func (l *link) flush(limit time.Duration) {
	timer := time.AfterFunc(limit, l.close)
	defer timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for (len(l.outgoing) > 0 || l.writing) && !l.closed {
		l.changed.Wait()
	}
}

func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed.Broadcast()
}

func (l *link) write() {
	for {
		bytes, ok := l.next()
		if !ok {
			return
		}
		l.deliver(bytes)
		l.mu.Lock()
		l.writing = false
		l.changed.Broadcast()
		l.mu.Unlock()
	}
}

// next takes some of what waits, in one piece.
func (l *link) next() ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.outgoing) == 0 && !l.closed {
		l.changed.Wait()
	}
	if len(l.outgoing) == 0 {
		return nil, false
	}
	bytes := l.outgoing[0]
	count := 1
	for count < len(l.outgoing) && len(bytes) < 1<<16 {
		bytes = append(bytes, l.outgoing[count]...)
		count++
	}
	l.outgoing = l.outgoing[count:]
	l.waiting -= len(bytes)
	l.writing = true
	return bytes, true
}

func (l *link) deliver(bytes []byte) {
	host, deadline := l.host(), time.Now().Add(deafness)
	for len(bytes) > 0 && host == l.host() {
		written, err := l.stream.Write(bytes)
		bytes = bytes[written:]
		switch {
		case err == nil:
			deadline = time.Now().Add(deafness)
		case !l.lasting:
			l.close()
			return
		case time.Now().After(deadline):
			l.forget()
			return
		default:
			// A device without room, or without a host, says so at once.
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// receive hands every frame on as it comes, until the link is closed.
func (l *link) receive(handle func(frame)) error {
	decoder := &frameDecoder{}
	piece := make([]byte, 1<<18)
	for {
		count, err := l.stream.Read(piece)
		if count == 0 {
			if err == nil && !l.lasting {
				continue
			}
			if !l.lasting {
				return nil
			}
			decoder.reset()
			l.forget()
			time.Sleep(10 * time.Millisecond)
			continue
		}
		frames, err := decoder.push(piece[:count])
		for _, one := range frames {
			handle(one)
		}
		if err != nil {
			return err
		}
	}
}
