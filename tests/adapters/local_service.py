"""An HTTP service on this machine that answers each request as a test asks it to."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Request(NamedTuple):
    """What the service was asked."""

    method: str
    path: str
    headers: dict
    body: bytes


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def handle_error(self, request, client_address):
        """Say nothing: clients of a test hang up on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5

    def log_message(self, *_):
        """Say nothing."""

    def do_POST(self):
        """Answer by the next of the answers, the last of them for ever."""
        service = self.server.service
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        service.requests.append(Request(self.command, self.path, dict(self.headers.items()), body))
        answer = service.answers.pop(0) if len(service.answers) > 1 else service.answers[0]
        answer(self, body)

    def do_GET(self):
        """Answer like any other request."""
        self.do_POST()


class Service:
    """Its address, what it was asked, what it will answer, and an event that ends its slow answers."""

    def __init__(self, server):
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.requests = []
        self.answers = [words]
        self.over = threading.Event()


@contextmanager
def running():
    """Give a service that ends with the block."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.service = service = Service(server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def raw(content, status=200, **headers):
    """Answer with these bytes."""

    def answer(handler, _):
        handler.send_response(status)
        handler.send_header("content-type", headers.pop("content_type", "application/json"))
        handler.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def value(answer, status=200, **headers):
    """Answer with a value as JSON."""
    return raw(json.dumps(answer).encode(), status, **headers)


def words(handler, body):
    """Answer with one span a text, over all of it."""
    texts = json.loads(body)["texts"]
    value({"detections": [{"selected": [[0, len(text), "ALL"]]} for text in texts]})(handler, body)


def slow(handler, _):
    """Answer nothing before the test is over."""
    handler.server.service.over.wait()
    handler.close_connection = True


def drip(handler, _):
    """Answer a byte at a time, for ever."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.end_headers()
    handler.close_connection = True
    while not handler.server.service.over.wait(0.05):
        handler.wfile.write(b" ")


def hang_up(handler, _):
    """Answer nothing and close the connection."""
    handler.close_connection = True


def endless(handler, _):
    """Answer more than anyone wants."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.end_headers()
    handler.close_connection = True
    while not handler.server.service.over.is_set():
        handler.wfile.write(b" " * 65536)
