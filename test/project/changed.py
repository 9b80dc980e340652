"""What differs from the commit that a change is judged against.

The commit is where HEAD left $INLAY_BASE, by default HEAD~20. A clone that does
not reach so far back has its oldest commit instead.
"""

import os
import subprocess

DEFAULT_DEPTH = 20


def git(root, *arguments):
    """What git prints, or None where it fails."""
    run = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else None


def base_commit(root, wanted):
    """The commit, or None where there is none before HEAD: then all has changed.

    Throws if `wanted` is given and is no commit: a misspelt base would check nothing.
    """
    if wanted:
        base = git(root, "merge-base", wanted, "HEAD")
        if base is None:
            raise ValueError(f"INLAY_BASE '{wanted}' is no commit that HEAD shares history with")
        return base
    history = (git(root, "rev-list", "--first-parent", f"--max-count={DEFAULT_DEPTH + 1}", "HEAD") or "").split()
    return history[-1] if len(history) > 1 else None


def changed_files(root, base):
    """Absolute paths of what differs from `base`, committed or not."""
    listed = [git(root, "diff", "--name-only", "--diff-filter=d", base),
              git(root, "ls-files", "--others", "--exclude-standard")]
    return {os.path.join(root, path) for text in listed for path in (text or "").splitlines()}


def choose(root, sources, wanted=None):
    """(those of the sources that differ, in words what they were compared with)."""
    base = base_commit(root, wanted)
    if base is None:
        return set(sources), "no earlier commit"
    return changed_files(root, base).intersection(sources), f"since {base[:9]}"
