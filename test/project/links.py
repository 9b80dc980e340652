"""Every link of a document leads to a file, and to a heading where it names one."""

import os
import re
import sys
import urllib.parse

import sources

FENCE = re.compile(r"^ {0,3}(```|~~~)")
HEADING = re.compile(r"^ {0,3}#{1,6} +(.*?)(?: +#+)? *$")
ANCHOR = re.compile(r"<a +(?:id|name)=\"([^\"]+)\"")
CODE = re.compile(r"`+[^`]*`+")
INLINE = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]^]+\]: +(\S+)")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.I)
# A document that any file speaks of; the test of these checks makes up its own.
MENTION = re.compile(r"(?<![\w/.-])docs/\w+\.md\b")


def prose(text):
    """The lines outside of blocks of code, with their numbers."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if found and fence in (None, found[1]):
            fence = None if fence else found[1]
        elif not fence and not line.startswith("    "):
            yield number, line


def slug(heading):
    """The name by which a page links to a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    found, counts = set(), {}
    for _, line in prose(text):
        found.update(ANCHOR.findall(line))
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[1])
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    return found


def links(text):
    for number, line in prose(text):
        plain = CODE.sub("", line)
        for target in INLINE.findall(plain) + REFERENCE.findall(plain):
            if not ELSEWHERE.match(target):
                yield number, urllib.parse.unquote(target)


def fault(root, path, target):
    """What is wrong with a link of a document; None where nothing is."""
    name, _, anchor = target.partition("#")
    leads = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if name.startswith("/") or leads.startswith(".."):
        return "leads out of the project"
    if not os.path.exists(os.path.join(root, leads)):
        return "leads to nothing"
    if anchor and leads.endswith(".md") and anchor not in anchors(sources.read(root, leads)):
        return f"names a heading that {leads} does not have"
    return None


def faults(root):
    found = []
    for path in sources.files_ending(root, ".md"):
        for number, target in links(sources.read(root, path)):
            what = fault(root, path, target)
            if what:
                found.append(f"{path}:{number}: the link '{target}' {what}")
    for path in sources.text_files(root):
        if os.path.basename(path) == "checks_test.py":
            continue
        for number, line in enumerate(sources.read(root, path).splitlines(), 1):
            for name in MENTION.findall(line):
                if not os.path.exists(os.path.join(root, name)):
                    found.append(f"{path}:{number}: there is no {name}")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
