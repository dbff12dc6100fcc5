"""A detector in a child process that answers each text in the way that its first word asks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

CANARY = "Ada-Lovelace"
HELLO = {"name": "bad", "version": "1", "offset_unit": "codepoint"}
FULL = {
    "name": "full",
    "version": "2.1",
    "offset_unit": "utf16",
    "fingerprint": "sha256:" + "ab" * 32,
    "libraries": {"tool": "7"},
    "label_map": "common",
    "identities": True,
}
HOLD = """
import os, sys, time
os.write(os.open(sys.argv[1], os.O_WRONLY), b'x')
print(flush=True)
time.sleep(1000)
"""
LINES = {
    "garbage": f"{CANARY} is no JSON",
    "nan": '{"id": NUMBER, "selected": [[0, 1, "A", NaN]]}',
    "twice": '{"id": NUMBER, "id": NUMBER, "selected": []}',
    "text-id": '{"id": "NUMBER", "selected": []}',
    "true-id": '{"id": true, "selected": []}',
    "no-id": '{"selected": []}',
    "array": "[]",
    "empty": "",
    "latin-1": '{"id": NUMBER, "selected": [[0, 1, "\xe9"]]}',
    "error": '{"id": NUMBER, "error": {"type": "ValueError", "place": "mine.go:12"}}',
    "telling": '{"id": NUMBER, "error": {"type": "Ada Lovelace", "place": "/Ada:x", "rule": "Ada-Lovelace"}}',
    "bare": '{"id": NUMBER, "error": "Ada-Lovelace"}',
    "form": '{"id": NUMBER, "selected": [["Ada-Lovelace", 1, "A"]]}',
}


def write(line):
    os.write(1, line.encode("latin-1") + b"\n")


def say(number, text):
    write(json.dumps({"id": number, "selected": [[0, len(text), "WORD", 0.5]]}))


def hang(*_):
    time.sleep(1000)


def loop(*_):
    while True:
        pass


def endless(*_):
    while True:
        os.write(1, b" " * 65536)


def drip(*_):
    while True:
        os.write(1, b" ")
        time.sleep(0.05)


def die(*_):
    os.abort()


def leave(*_):
    sys.exit(0)


def half(*_):
    os.write(1, b'{"id": ')
    sys.exit(0)


def noisy(number, text):
    sys.stderr.write(CANARY * 100_000)
    say(number, text)


def more(number, text):
    say(number, text)
    say(number, text)


def other(number, text):
    say(number + 1, text)


ODD = {
    "hang": hang,
    "loop": loop,
    "endless": endless,
    "drip": drip,
    "die": die,
    "leave": leave,
    "half": half,
    "noisy": noisy,
    "more": more,
    "other": other,
}


def answer(number, text):
    word = text.partition(" ")[0]
    if word in LINES:
        write(LINES[word].replace("NUMBER", str(number)))
    else:
        ODD.get(word, say)(number, text)


def talk_while_reading():
    """Write as much as is read, while it is read: who only writes, and then only reads, waits for ever."""
    asked = b""
    while not asked.endswith(b"\n"):
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit(0)
        asked += chunk
        written = 0
        while written < len(chunk):
            written += os.write(1, b" " * (len(chunk) - written))
    say(json.loads(asked)["id"], json.loads(asked)["text"])


def starts_another(fifo):
    """Start a process that holds `fifo` open, and wait until it does."""
    other = subprocess.Popen([sys.executable, "-S", "-c", HOLD, fifo], stdout=subprocess.PIPE)
    other.stdout.readline()


def starts_so_far(counter):
    """Return how often a child with this file has started: the file grows by a byte each time."""
    with Path(counter).open("ab") as file:
        file.write(b"x")
        return file.tell()


def main(mode, file=None):
    count = starts_so_far(file) if file and mode != "parent" else 1
    if mode == "silent":
        hang()
    if mode == "gone" or (mode == "once" and count > 1):
        sys.exit(3)
    if mode == "parent":
        starts_another(file)
    hello = {"full": FULL, "changing": {**HELLO, "version": str(count)}}.get(mode, HELLO)
    write(mode if mode.startswith("{") else json.dumps(hello))
    while mode == "busy":
        talk_while_reading()
    for line in sys.stdin:
        asked = json.loads(line)
        answer(asked["id"], asked["text"])
    if mode == "stubborn":
        hang()


main(*sys.argv[1:])
