# ===- terminal.py - What a command shows on a terminal -------------------===#
#
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Runs a command on a terminal of its own and prints what came there, escape
# characters as <ESC>, other control characters as <NN>. Ends with its exit
# code.
#
# ===----------------------------------------------------------------------===#

import os
import pty
import sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # The terminal's other end is closed.
        break
    if not part:
        break
    shown += part
for byte in shown.replace(b"\r\n", b"\n"):
    if byte == 0x1B:
        sys.stdout.write("<ESC>")
    elif byte < 0x20 and byte != 0x0A or byte == 0x7F:
        sys.stdout.write(f"<{byte:02x}>")
    else:
        sys.stdout.write(chr(byte))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
