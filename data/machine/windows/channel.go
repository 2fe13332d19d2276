package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// windowBytes of a stream may be under way without the other side having said that it took some.
const windowBytes = 512 << 10

// errCut is what reading and writing a channel ends with that the host has let go of, or ended.
var errCut = errors.New("the host has let go of it")

// channel is a command, an operation or a connection as the host sees it: what it is given, and credit for what it says.
type channel struct {
	number uint32
	link   *link

	mu       sync.Mutex
	changed  *sync.Cond
	pending  []byte
	taken    int
	ended    bool
	credit   [3]int
	finished [3]bool
	cut      bool
	killed   bool
	answered bool
	// onKill is told what the host wants to end, and whether gently.
	onKill func(gently bool)
	// onCut is told that the host has let go.
	onCut func()
}

func newChannel(number uint32, link *link) *channel {
	c := &channel{number: number, link: link, credit: [3]int{0, windowBytes, windowBytes}}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Read takes what the host has sent, and gives credit for it.
func (c *channel) Read(into []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.pending) == 0 && !c.ended && !c.cut && !c.answered {
		c.changed.Wait()
	}
	if c.cut || c.answered {
		return 0, errCut
	}
	if len(c.pending) == 0 {
		return 0, io.EOF
	}
	count := copy(into, c.pending)
	c.pending = c.pending[count:]
	c.taken += count
	if c.taken >= windowBytes/4 || len(c.pending) == 0 {
		c.link.send(kindCredit, c.number, binary.BigEndian.AppendUint32(nil, uint32(c.taken)))
		c.taken = 0
	}
	return count, nil
}

// output is one of the streams a channel writes.
type output struct {
	channel *channel
	stream  byte
}

// Write sends as the host gives credit.
func (o output) Write(bytes []byte) (int, error) {
	sent := 0
	for sent < len(bytes) {
		room, err := o.channel.room(o.stream)
		if err != nil {
			return sent, err
		}
		end := sent + room
		if end > len(bytes) {
			end = len(bytes)
		}
		o.channel.say(o.stream, bytes[sent:end])
		sent = end
	}
	return sent, nil
}

// room waits for credit of a stream and gives some of it, which is not spent yet.
func (c *channel) room(stream byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.credit[stream] == 0 && !c.cut {
		c.changed.Wait()
	}
	if c.cut {
		return 0, errCut
	}
	if c.credit[stream] > 1<<16 {
		return 1 << 16, nil
	}
	return c.credit[stream], nil
}

// say sends a piece for which there is room.
func (c *channel) say(stream byte, piece []byte) {
	c.mu.Lock()
	silent := c.cut || c.answered
	c.credit[stream] -= len(piece)
	c.mu.Unlock()
	if !silent {
		c.link.sendPiece(kindOutput, c.number, []byte{stream}, piece)
	}
}

// finish says that a stream is at its end.
func (c *channel) finish(stream byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.finished[stream] && !c.answered && !c.cut {
		c.link.send(kindFinish, c.number, []byte{stream})
	}
	c.finished[stream] = true
}

// answer ends the channel for the host; only the first counts.
func (c *channel) answer(told fields) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered {
		return
	}
	c.answered = true
	c.link.send(kindAnswer, c.number, encodeJSON(told))
	c.changed.Broadcast()
}

// tell sends an event.
func (c *channel) tell(told fields) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.answered {
		c.link.send(kindEvent, c.number, encodeJSON(told))
	}
}

// handle takes what the host says of this channel.
func (c *channel) handle(one frame) {
	switch one.kind {
	case kindData:
		c.change(func() { c.pending = append(c.pending, one.payload...) })
	case kindEnd:
		c.change(func() { c.ended = true })
	case kindCredit:
		stream, credit := one.payload[0], binary.BigEndian.Uint32(one.payload[1:])
		c.change(func() { c.credit[stream] += int(credit) })
	case kindKill:
		var wanted struct{ Gently bool }
		mustDecode(one.payload, &wanted)
		if c.onKill != nil {
			c.onKill(wanted.Gently)
		} else if !wanted.Gently {
			c.change(func() { c.cut, c.killed = true, true })
		}
	case kindClose:
		c.drop()
	}
}

// drop lets go: nothing more is said on the channel, nor heard.
func (c *channel) drop() {
	c.change(func() { c.cut, c.answered, c.pending = true, true, nil })
	if c.onCut != nil {
		c.onCut()
	}
}

func (c *channel) change(act func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	act()
	c.changed.Broadcast()
}

func (c *channel) isAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}

// fields are an answer or an event.
type fields map[string]any

func encodeJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// mustDecode reads what the host wrote; what it does not understand is an end to both.
func mustDecode(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(err)
	}
}
