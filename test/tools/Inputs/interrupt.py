# ===- interrupt.py - A signal for a command that listens -----------------===#
#
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
#   interrupt.py SIGNAL COMMAND...
#
# Runs a command, sends it the signal as soon as it catches that, however long
# it takes to do so, and ends with its exit code.
#
# ===----------------------------------------------------------------------===#

import re
import signal
import subprocess
import sys
import time


sent = signal.Signals[sys.argv[1]]


def catches(process):
    with open(f"/proc/{process.pid}/status") as status:
        caught = re.search(r"SigCgt:\s*(\w+)", status.read())
    return caught and int(caught[1], 16) >> (sent - 1) & 1


process = subprocess.Popen(sys.argv[2:])
while process.poll() is None and not catches(process):
    time.sleep(0.01)
# The handlers of LLVM come first, for a moment.
time.sleep(0.1)
process.send_signal(sent)
sys.exit(process.wait())
