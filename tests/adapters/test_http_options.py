"""The options of the HTTP adapter: where they come from, what they bind, and which of them are refused."""

from __future__ import annotations

import pytest

pytest.importorskip("httpx", reason="the HTTP adapter needs httpx")

import local_service as local

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.http import HttpDetector
from pytest_pii_eval.detectors.adapters.service import HttpFailure
from pytest_pii_eval.detectors.finding import Wanted, build

CANARY = "Ada-Lovelace"
INFO = {"name": "told", "version": "9", "offset_unit": "utf16", "fingerprint": "sha256:" + "ab" * 32}


@pytest.fixture
def service():
    with local.running() as service:
        yield service


@pytest.fixture
def ask(service):
    """Make a detector for the service; all are closed at the end."""
    made = []

    def ask(path="/detect", **options):
        made.append(HttpDetector(service.url + path, **options))
        return made[-1]

    yield ask
    for detector in made:
        detector.close()


def _all(text):
    return Detection((Span(0, len(text), "ALL"),))


def test_by_name(service) -> None:
    """Options come as text from the command line."""
    options = {
        "url": service.url,
        "name": "mine",
        "version": "3",
        "offset_unit": "byte",
        "label_map": "common",
    }
    detector = build(Wanted("http", tuple(options.items())))
    assert (detector.name, detector.version, detector.offset_unit) == ("mine", "3", "byte")
    assert (detector.label_map, detector.batch_size, detector.libraries()) == ("common", 32, {})
    assert detector.detect("abc") == _all("abc")
    detector.close()


def test_header_from_the_environment(service, ask, monkeypatch) -> None:
    """A header's value comes from the command line or a variable, and is neither told nor bound."""
    monkeypatch.setenv("PII_TEST_KEY", f"Bearer {CANARY}")
    service.answers[:] = [local.raw(b"", 401)]
    from_variable = ask(header="Authorization:env:PII_TEST_KEY")
    with pytest.raises(HttpFailure) as caught:
        from_variable.detect("abc")
    assert CANARY not in str(caught.value)
    with pytest.raises(HttpFailure):
        ask(header=["Authorization: Bearer 2", "X-More:a:b"]).detect("abc")
    sent = [request.headers for request in service.requests]
    assert [headers["Authorization"] for headers in sent] == [f"Bearer {CANARY}", "Bearer 2"]
    assert sent[1]["X-More"] == "a:b"
    assert from_variable.fingerprint() == ask().fingerprint()


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"url": CANARY}, "url must be a whole address of http or https"),
        ({"url": f"ftp://{CANARY}/"}, "url must be a whole address of http or https"),
        ({"url": f"http://{CANARY}:port/"}, "url must be a whole address of http or https"),
        ({"url": "http:///detect"}, "url must be a whole address of http or https"),
        ({"header": CANARY}, "header must be NAME:VALUE or NAME:env:VARIABLE"),
        ({"header": f"X-Key:{CANARY}\r\nX: y"}, "header must be NAME:VALUE or NAME:env:VARIABLE"),
        ({"header": f"X Key:{CANARY}"}, "header must be NAME:VALUE or NAME:env:VARIABLE"),
        ({"header": f"X-Key:env:{CANARY}"}, "header names a variable without a printable ASCII value"),
        ({"header": "X-Key:env:PII_TEST_BAD"}, "header names a variable without a printable ASCII value"),
        ({"offset_unit": CANARY}, "offset_unit must be one of: codepoint, byte, utf16"),
        ({"timeout": "0"}, "timeout must be a number"),
        ({"retries": "-1"}, "retries must be a number"),
        ({"batch_size": "0"}, "batch_size must be a number"),
        ({"info_url": "http://127.0.0.2:9/info"}, "info_url must have the origin of url"),
    ],
)
def test_bad_options(options, rule, monkeypatch) -> None:
    """Wrong options are one clear line, without a value that may be a secret."""
    monkeypatch.setenv("PII_TEST_BAD", f"{CANARY}\n")
    with pytest.raises(Fault, match=rule) as caught:
        HttpDetector(**{"url": "http://127.0.0.1:9/", **options})
    assert CANARY not in str(caught.value)


def test_credentials_in_the_address(service, ask) -> None:
    """They are sent as basic authentication, and neither they nor the query are part of the fingerprint."""
    detector = HttpDetector(service.url.replace("//", "//user:pass@") + "/detect?key=7")
    detector.detect("abc")
    assert service.requests[0].headers["Authorization"] == "Basic dXNlcjpwYXNz"
    assert service.requests[0].path == "/detect?key=7"
    assert detector.fingerprint() == ask().fingerprint()
    detector.close()


def test_fingerprint(ask) -> None:
    """It binds the address and each thing that is declared."""
    known = [
        ask().fingerprint(),
        ask("/other").fingerprint(),
        ask(version="2").fingerprint(),
        ask(offset_unit="byte").fingerprint(),
        ask(label_map="common").fingerprint(),
    ]
    assert len(set(known)) == 5
    assert all(one.startswith("sha256:") for one in known)
    assert ask(timeout=3, retries=0, batch_size=7).fingerprint() == known[0]


def test_info(service, ask) -> None:
    """Asked for it, the service says itself what it is, and the fingerprint binds that."""
    service.answers[:] = [local.value(INFO), local.value({**INFO, "fingerprint": None}), local.words]
    first, second = (ask(info_url=f"{service.url}/info", label_map="common") for _ in range(2))
    assert (service.requests[0].method, service.requests[0].path) == ("GET", "/info")
    assert (first.name, first.version, first.offset_unit, first.label_map) == ("told", "9", "utf16", "common")
    assert first.detect("abc") == _all("abc")
    assert first.fingerprint() != second.fingerprint()


@pytest.mark.parametrize(
    ("answer", "options", "rule"),
    [
        (
            local.value({**INFO, "offset_unit": CANARY}),
            {},
            "at info_url: offset_unit: the detector must state",
        ),
        (local.value(CANARY), {}, "at info_url: "),
        (local.raw(b"", 404), {}, r"answered with status 404 \(Not Found\), when it was asked what it is"),
        (local.value(INFO), {"version": "8"}, "version or offset_unit is not what the service says"),
        (local.value(INFO), {"offset_unit": "byte"}, "version or offset_unit is not what the service says"),
    ],
)
def test_bad_info(service, ask, answer, options, rule) -> None:
    """A service that does not say what it is, or says it otherwise than declared, is one clear line."""
    service.answers[:] = [answer]
    with pytest.raises(Fault, match=rule) as caught:
        ask(info_url=f"{service.url}/info", **options)
    assert CANARY not in str(caught.value)
