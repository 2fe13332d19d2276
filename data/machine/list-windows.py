"""Prints the numbers of the windows of $DISPLAY, a line each, the topmost last, as its window manager tells them.

Standard library of Python 3.8 and later, and libX11, which is where a display is.
"""
import ctypes
import sys

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
if not display:
    sys.exit("the display cannot be opened")
x11.XDefaultRootWindow.restype = ctypes.c_ulong
x11.XInternAtom.restype = ctypes.c_ulong
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
name = ctypes.c_ulong(x11.XInternAtom(display, b"_NET_CLIENT_LIST_STACKING", False))
kind, count, left = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
size = ctypes.c_int()
numbers = ctypes.POINTER(ctypes.c_ulong)()
# At most 4,096 of them, of the type WINDOW (33).
x11.XGetWindowProperty(
    *(display, root, name, ctypes.c_long(0), ctypes.c_long(4096), False, ctypes.c_ulong(33)),
    *(ctypes.byref(kind), ctypes.byref(size), ctypes.byref(count), ctypes.byref(left), ctypes.byref(numbers)),
)
for number in numbers[: count.value] if numbers else ():
    print(number)
