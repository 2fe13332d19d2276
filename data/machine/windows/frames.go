package main

import (
	"encoding/binary"
	"fmt"
)

// Kinds of frames. From the host: request (JSON), data, end of data, credit (stream, 4 bytes), kill (JSON), close. From
// the machine: answer, which closes the channel (JSON), event (JSON), output (stream, bytes), end of a stream (stream),
// credit (4 bytes).
const (
	kindRequest = 'R'
	kindData    = 'D'
	kindEnd     = 'E'
	kindCredit  = 'W'
	kindKill    = 'K'
	kindClose   = 'X'
	kindAnswer  = 'A'
	kindEvent   = 'V'
	kindOutput  = 'O'
	kindFinish  = 'F'
)

// longestFrame is more than the host ever sends in one piece: beyond it, what comes is no frame.
const longestFrame = 64 << 20

// frame is one message of a channel.
type frame struct {
	kind    byte
	channel uint32
	payload []byte
}

// encodeFrame gives a frame as bytes: length of the rest, kind, channel, payload; numbers are big endian.
func encodeFrame(kind byte, channel uint32, payload ...[]byte) []byte {
	length := 5
	for _, piece := range payload {
		length += len(piece)
	}
	bytes := make([]byte, 9, 4+length)
	binary.BigEndian.PutUint32(bytes, uint32(length))
	bytes[4] = kind
	binary.BigEndian.PutUint32(bytes[5:], channel)
	for _, piece := range payload {
		bytes = append(bytes, piece...)
	}
	return bytes
}

// frameDecoder puts frames together from pieces of any size.
type frameDecoder struct {
	held []byte
}

// push gives the frames that are whole now; a length that no frame has is an error.
func (d *frameDecoder) push(piece []byte) ([]frame, error) {
	d.held = append(d.held, piece...)
	var frames []frame
	rest := d.held
	for len(rest) >= 4 {
		length := binary.BigEndian.Uint32(rest)
		if length < 5 || length > longestFrame {
			return frames, fmt.Errorf("a frame of %d bytes", length)
		}
		if uint32(len(rest)-4) < length {
			break
		}
		payload := append([]byte(nil), rest[9:4+length]...)
		frames = append(frames, frame{rest[4], binary.BigEndian.Uint32(rest[5:]), payload})
		rest = rest[4+length:]
	}
	d.held = append(d.held[:0], rest...)
	return frames, nil
}

// reset forgets the half of a frame that a lost host sent: it is not the beginning of the next one's.
func (d *frameDecoder) reset() {
	d.held = d.held[:0]
}
