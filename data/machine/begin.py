"""Serves a Linux machine to ale: commands, files and forwarded ports over one byte stream.

Started as root on the machine, over standard input and output (an SSH channel), a terminal (`--lines`, each frame a
line of base64) or a device (`--device PATH`, a virtio serial port). Standard library of Python 3.8 and later only.
The files of this folder are joined into one text: what one defines, those after it use.

A frame is: length of what follows (4 bytes, big endian), kind (1 byte), channel (4 bytes), payload.
From the host:    R request (JSON), D data, E end of data, W credit (stream, 4 bytes), K signal (JSON), X close.
From the machine: A answer, which closes the channel (JSON), V event (JSON), O output (stream, bytes), F end of a
stream (stream), W credit (4 bytes). An event of channel 0 says that the program itself ends, and why (`failed`).
"""
