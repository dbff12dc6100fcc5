"""An https server on 127.0.0.1 whose answers are scripted, and pins of what it serves; for tests alone."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any

import trustme

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy

CANARY = "Canary-Ottoline-Fensworth"
BODY = (f"{CANARY} lives at 12 Invented Lane.\n".encode() * 4000)[:150_000]
HASH = hashlib.sha256(BODY).hexdigest()


@dataclass
class Reply:
    """One answer: a status, headers as they stand, and a body of which `cut` bytes are sent (None: all)."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = BODY
    cut: int | None = None
    length: int | None = -1  # -1: that of the body; None: no length is announced
    chunked: bool = False
    silent: bool = False  # the connection stays open behind the body, until the client ends it


def part(start, body=BODY, **given):
    """Return the answer of a host that serves ranges, from `start` on."""
    headers = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
    return Reply(206, headers | given.pop("headers", {}), body[start:], **given)


class Served:
    """A running server: `script` holds its answers in order, the last one repeats; `heard` what was asked."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.script: list[Reply] = [Reply()]
        self.heard: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.port = server.server_address[1]
        self.origin = f"https://127.0.0.1:{self.port}"

    def next(self) -> Reply:
        """Return the answer to the next question."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


class _Handler(BaseHTTPRequestHandler):
    served: Served

    def do_GET(self) -> None:
        self.served.heard.append(dict(self.headers.items()))
        self.served.paths.append(self.path)
        reply = self.served.next()
        self.send_response(reply.status)
        length = len(reply.body) if reply.length == -1 else reply.length
        headers = {"Content-Length": str(length)} if length is not None and not reply.chunked else {}
        headers |= {"Transfer-Encoding": "chunked"} if reply.chunked else {}
        for name, value in (headers | reply.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        try:
            if reply.chunked:
                for start in range(0, len(body), 40_000):
                    block = body[start : start + 40_000]
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
                body = b"0\r\n\r\n" if reply.cut is None else b""
            self.wfile.write(body)
            if reply.silent:
                self.rfile.read(1)
        except OSError:
            pass  # the client has seen enough

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, *_: object) -> None:
        """Say nothing: a client that hangs up is what tests are about."""


@contextmanager
def serving(folder: Path, monkeypatch: Any, *, host: str = "127.0.0.1"):
    """A server whose authority this process trusts; its certificate is for `host`."""
    authority = trustme.CA()
    trusted = folder / "authority.pem"
    with trusted.open("ab") as handle:
        handle.write(authority.cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    context = SSLContext(PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    handler = type("Handler", (_Handler,), {})
    server = _Server(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    handler.served = Served(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield handler.served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def pin_document(url: str, **changed: object) -> dict[str, Any]:
    """Return the entry of a pin for `url`; `changed` replaces or adds fields."""
    source = {"kind": "https", "url": url}
    return {
        "source": source,
        "bytes": str(len(BODY)),
        "sha256": HASH,
        "licence": "CC0-1.0",
        "redistribution": "invented; anybody may have it",
        "adapter": "spans",
        "label_map": "types",
        "split_key": "document_id",
        "split_role": "test",
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "regions": ["body"],
        "languages": ["en"],
        "max_quarantined": "0",
        **changed,
    }


def pin_of(url: str, *, redirects: list[str] | None = None, **changed: object):
    """Return the pin of `BODY` behind `url`, under the key `demo`."""
    document = pin_document(url, **changed)
    if redirects is not None:
        document["source"]["redirects"] = redirects
    whole = {"version": "pii_eval.corpora.v1", "corpora": {"demo": document}}
    return parse_corpora(whole, Path("corpora.yaml"), default_taxonomy()).pins["demo"]


def tree(root: Path) -> dict[str, bytes | None]:
    """Return every file and folder below `root`, by its path."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }
