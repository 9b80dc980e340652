# ===- interrupt.py - Ctrl-C for a command that listens -------------------===#
#
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Runs a command, interrupts it as soon as it catches interrupts, however long
# that takes, and ends with its exit code.
#
# ===----------------------------------------------------------------------===#

import re
import signal
import subprocess
import sys
import time


def catches_interrupts(process):
    with open(f"/proc/{process.pid}/status") as status:
        caught = re.search(r"SigCgt:\s*(\w+)", status.read())
    return caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1


process = subprocess.Popen(sys.argv[1:])
while process.poll() is None and not catches_interrupts(process):
    time.sleep(0.01)
process.send_signal(signal.SIGINT)
sys.exit(process.wait())
