"""Fails where a command of the README does not end as the README shows.

  readme.py README INLAY EXAMPLES

Commands of the screen are run in the root of the project, and every line below
them has to be printed, in that order, times and memory left out. Those of the
text are run one after another in a folder where model.onnx is the model of the
demo.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Words of commands that do not end with success, and what they end with: the
# pipeline of the target does not take all of the model.
ENDS = {"--strict": 5}
# What the README only describes: verbs, and the back end of somebody else.
DESCRIBED = re.compile(r"MODEL|^inlay compare A B|^inlay bisect A B|list\|new|libChip\.so")
# What no two runs have in common.
VARIES = re.compile(r"^(time|peak memory): |min [\d.]+, median")


def screen_of(text):
    """[(command, lines)] of the fenced block that shows the demo."""
    block = re.search(r"^```\n\$ make demo\n(.*?)^```", text, re.M | re.S).group(1)
    parts = re.split(r"^(build/release/bin/inlay .*)\n", block, flags=re.M)
    return [(command, lines.split("\n")) for command, lines in zip(parts[1::2], parts[2::2])]


def commands_of(text):
    """The lines of the text that are commands of inlay, each once."""
    found = re.findall(r"^    (inlay .*)$", text, re.M)
    return [line for line in dict.fromkeys(found) if not DESCRIBED.search(line)]


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def squeeze(line):
    """Columns are as wide as what varies."""
    return " ".join(line.split())


def check_screen(command, lines, inlay, root):
    words = command.split()
    output = run([inlay, *words[1:]], root)
    if output.returncode != 0:
        return [f"{command}: exit code {output.returncode}: {output.stderr.strip()}"]
    printed = map(squeeze, output.stdout.split("\n"))
    for line in map(squeeze, lines):
        if line in ("", "...") or VARIES.search(line):
            continue
        # A line that was too long for the page is cut.
        begin = line.removesuffix("…")
        if not any(own == line or (own.startswith(begin) and begin != line) for own in printed):
            return [f"{command}: does not print '{line}'"]
    return []


def check_command(command, inlay, folder):
    words = command.split()
    wanted = next((code for word, code in ENDS.items() if word in words), 0)
    output = run([inlay, *words[1:]], folder)
    if output.returncode == wanted:
        return []
    return [f"{command}: exit code {output.returncode}, expected {wanted}: {output.stderr.strip()}"]


def write_photo(path):
    """1x3x64x64 floats, without NumPy."""
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 64, 64), }"
    head = (head.ljust(117) + "\n").encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(4 * 3 * 64 * 64))


def prepare(folder, inlay, examples):
    shutil.copy(examples / "mini_detector.onnx", folder / "model.onnx")
    write_photo(folder / "photo.npy")
    text = run([inlay, "targets", "new", "my-chip"], folder).stdout
    (folder / "my-chip.yaml").write_text(text + "\nmachine: {flops: 1e12, bandwidth: 1e10}\n", encoding="utf-8")


def main():
    readme, inlay, examples = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve()), pathlib.Path(sys.argv[3])
    text = pathlib.Path(readme).read_text(encoding="utf-8")
    screen, commands, faults = screen_of(text), commands_of(text), []
    root = pathlib.Path(readme).resolve().parent
    for command, lines in screen:
        faults += check_screen(command, lines, inlay, root)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, inlay, examples)
        for command in commands:
            faults += check_command(command, inlay, folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(screen)} commands of the screen, {len(commands)} of the text, {len(faults)} faults")
    return 1 if faults or not screen or len(commands) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
