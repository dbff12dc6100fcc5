"""What tests of downloads share: pins with canaries, refusals, and what an interrupted command leaves."""

from __future__ import annotations

import hashlib
import json

import pytest
from loopback import BODY, CANARY, HASH, pin_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.download import download

EMPTY = {".demo.lock": b"", ".gitignore": b"# Written by pytest-pii-eval.\n*\n", "artifacts": None}
PLACE = f"artifacts/demo/{HASH[:16]}"
SHORT = HASH[:16]
PARTIAL, JOURNAL = f".{SHORT}.partial", f".{SHORT}.journal"
ETAG = '"v1"'


def pin_at(server, **changed):
    """Return a pin whose address holds canary text."""
    return pin_of(f"{server.origin}/{CANARY}/file.jsonl", **changed)


def refused(pin, cache):
    """Return the one-line message with which a download is refused; it has no canary text."""
    with pytest.raises(Fault) as caught:
        download(pin, cache)
    message = str(caught.value)
    assert "\n" not in message
    assert "anary" not in message
    assert caught.value.__cause__ is None
    return message


def ranges(server):
    """Return the part that each request asked for."""
    return [heard.get("Range") for heard in server.heard]


def is_resumed(path):
    """Return what the receipt beside an artifact says, and check the artifact."""
    assert path.read_bytes() == BODY
    assert {file.name for file in path.parent.parent.iterdir()} == {SHORT}
    return json.loads((path.parent / "receipt.json").read_bytes())["resumed"]


def journal(size, *, etag=ETAG, body=BODY):
    """Return the journal of the first `size` bytes."""
    digest = f"sha256:{hashlib.sha256(body[:size]).hexdigest()}"
    return {"schema_version": "pii_eval.corpus_journal.v1", "bytes": size, "sha256": digest, "etag": etag}


def leave(cache, kept, entry):
    """Put down what an interrupted command leaves: `kept` bytes and a journal."""
    folder = cache.root / "artifacts/demo"
    folder.mkdir(parents=True, mode=0o700)
    for name, payload in ((PARTIAL, kept), (JOURNAL, json.dumps(entry).encode())):
        (folder / name).write_bytes(payload)
        (folder / name).chmod(0o600)
    return folder
