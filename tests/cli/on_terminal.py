#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs a command on a pseudo terminal and prints what the terminal was sent, without its carriage returns before line feeds.

    on_terminal.py COLUMNS STATUS COMMAND...

Fails unless the command ends with STATUS. Ctrl-D is typed at once, so that a command which reads the terminal ends.
"""
import fcntl, os, pty, struct, sys, termios

columns, wanted, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
terminal, inner = pty.openpty()
fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
attributes = termios.tcgetattr(inner)
attributes[3] &= ~(termios.ECHO | termios.ECHOCTL)
termios.tcsetattr(inner, termios.TCSANOW, attributes)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(inner, stream)
    os.execvp(command[0], command)
os.close(inner)
os.write(terminal, b"\x04")
shown = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # the command has ended, and all is read
        break
    if not piece:
        break
    shown += piece
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
if status != wanted:
    sys.exit("status %d instead of %d" % (status, wanted))
