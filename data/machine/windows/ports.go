package main

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// mostConnections are let in at once; further ones wait before the port.
const mostConnections = 256

// ports are those forwarded to the host.
type ports struct {
	server *server
	slots  chan struct{}

	mu    sync.Mutex
	next  uint32
	alive map[*port]bool
}

// port is a forwarded one and its connections.
type port struct {
	channel     *channel
	listener    net.Listener
	closed      chan struct{}
	connections map[*connection]bool
}

func newPorts(s *server) *ports {
	return &ports{server: s, slots: make(chan struct{}, mostConnections), next: 1, alive: map[*port]bool{}}
}

// listen opens a port of the machine's own and says its number; it is open until the host lets go.
func (p *ports) listen(c *channel) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		p.server.remove(c)
		c.answer(fields{"ok": false, "code": "path", "message": trimmed(err)})
		return
	}
	opened := &port{channel: c, listener: listener, closed: make(chan struct{}), connections: map[*connection]bool{}}
	c.onCut = func() { p.close(opened, false) }
	p.mu.Lock()
	p.alive[opened] = true
	p.mu.Unlock()
	c.tell(fields{"listening": listener.Addr().(*net.TCPAddr).Port})
	p.server.start(func() { p.accept(opened) })
}

func (p *ports) accept(from *port) {
	for {
		accepted, err := from.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// No handles or memory left: those who ask wait meanwhile.
			time.Sleep(time.Second)
			continue
		}
		select {
		case p.slots <- struct{}{}:
			p.join(from, accepted.(*net.TCPConn))
		case <-from.closed:
			accepted.Close()
			return
		}
	}
}

// join gives a connection a channel, whose number is the machine's to choose.
func (p *ports) join(from *port, accepted *net.TCPConn) {
	// What is not read waits here, as far as the host has been told of room, and not in the system as well.
	_ = accepted.SetWriteBuffer(1 << 16)
	p.mu.Lock()
	number := p.next
	p.next += 2
	one := &connection{channel: newChannel(number, p.server.link), conn: accepted}
	alive := p.alive[from]
	if alive {
		from.connections[one] = true
	}
	p.mu.Unlock()
	one.release = func() {
		p.mu.Lock()
		delete(from.connections, one)
		p.mu.Unlock()
		p.server.remove(one.channel)
		<-p.slots
	}
	one.channel.onCut = one.cut
	if !alive {
		one.cut()
		return
	}
	p.server.add(one.channel)
	from.channel.tell(fields{"accepted": number})
	one.carry(p.server)
}

// close lets nobody in any more, and breaks off who is. `tell`: the host did not ask for it.
func (p *ports) close(closing *port, tell bool) {
	p.mu.Lock()
	if !p.alive[closing] {
		p.mu.Unlock()
		return
	}
	delete(p.alive, closing)
	var open []*connection
	for one := range closing.connections {
		open = append(open, one)
	}
	p.mu.Unlock()
	close(closing.closed)
	closing.listener.Close()
	for _, one := range open {
		if tell {
			one.channel.answer(fields{"ok": true, "broken": true})
		}
		one.channel.drop()
	}
}

// hangUp closes all ports; the host is told.
func (p *ports) hangUp() {
	p.mu.Lock()
	var open []*port
	for one := range p.alive {
		open = append(open, one)
	}
	p.mu.Unlock()
	for _, one := range open {
		p.close(one, true)
		one.channel.answer(fields{"ok": true, "broken": true})
		p.server.remove(one.channel)
	}
}

// connection is one to a forwarded port. It keeps its place until the host lets go: that has never more than we.
type connection struct {
	channel *channel
	conn    *net.TCPConn
	release func()

	mu     sync.Mutex
	halves int
	over   bool
}

func (o *connection) carry(s *server) {
	o.halves = 2
	s.start(o.read)
	s.start(o.write)
}

// read hands on what the program says, up to its end.
func (o *connection) read() {
	buffer := make([]byte, 1<<16)
	for {
		room, err := o.channel.room(1)
		if err != nil {
			return
		}
		count, err := o.conn.Read(buffer[:room])
		if count > 0 {
			o.channel.say(1, buffer[:count])
		}
		if err == io.EOF {
			o.channel.finish(1)
			o.halfEnded()
			return
		}
		if err != nil {
			o.breakOff()
			return
		}
	}
}

// write hands on what the host says, up to its end.
func (o *connection) write() {
	buffer := make([]byte, 1<<16)
	for {
		count, err := o.channel.Read(buffer)
		if err == io.EOF {
			// A connection that is gone is noticed by reading it.
			_ = o.conn.CloseWrite()
			o.halfEnded()
			return
		}
		if err != nil {
			return
		}
		if _, err := o.conn.Write(buffer[:count]); err != nil {
			o.breakOff()
			return
		}
	}
}

func (o *connection) halfEnded() {
	o.mu.Lock()
	o.halves--
	ended := o.halves == 0
	o.mu.Unlock()
	if ended {
		o.conn.Close()
		o.channel.answer(fields{"ok": true})
	}
}

func (o *connection) breakOff() {
	o.reset()
	o.channel.answer(fields{"ok": true, "broken": true})
}

// reset breaks the connection off: what is broken off does not look like what has come to its end.
func (o *connection) reset() {
	_ = o.conn.SetLinger(0)
	o.conn.Close()
}

// cut is told that the host has let go.
func (o *connection) cut() {
	o.mu.Lock()
	over := o.over
	o.over = true
	o.mu.Unlock()
	if !over {
		o.reset()
		o.release()
	}
}
