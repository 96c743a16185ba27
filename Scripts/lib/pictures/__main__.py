"""Draws what devaccess shows on a terminal, for Scripts/pictures.

    python3 -B Scripts/lib/pictures PROGRAM ROOT FOLDER

Runs PROGRAM on recorded machines and writes explain.svg and top.svg to FOLDER. ROOT is the repository.
"""
import pathlib
import subprocess
import sys
import time

from drawing import picture
from terminal import lines_of

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}


def explanation(program):
    """The explanation of the built-in example, with colours."""
    run = subprocess.run(
        [program, "explain", "--example", "--color=always"], env=ENVIRONMENT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60, check=False)
    if run.returncode != 1:
        raise SystemExit(f"devaccess explain ends with {run.returncode}, not 1 (refused)")
    return run.stdout


def screen(program, snapshot, folder, columns, rows):
    """The screen of top, as tmux shows it."""
    def tmux(*words):
        return subprocess.run(
            ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null", *words], env=ENVIRONMENT,
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60, check=True).stdout

    tmux("-u", "new-session", "-d", "-x", str(columns), "-y", str(rows),
         "--", program, "top", f"--from={snapshot}")
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if "q quit" in tmux("capture-pane", "-p"):
                return tmux("capture-pane", "-e", "-N", "-p")
            time.sleep(0.05)
        raise SystemExit("devaccess top shows nothing within a minute")
    finally:
        tmux("kill-server")


def main(program, root, folder):
    snapshot = root / "Tests/Fixtures/Pictures/desk.jsonl"
    prompt = lines_of("$ devaccess explain --example\n")
    (folder / "explain.svg").write_text(
        picture(
            prompt + lines_of(explanation(program)), 80,
            "A refused camera in the output of devaccess explain: the cause, and the fixes"),
        encoding="utf-8")
    (folder / "top.svg").write_text(
        picture(
            lines_of(screen(program, snapshot, folder, 80, 16)), 80,
            "The screen of devaccess top: ten devices, who may use them, and who does"),
        encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
