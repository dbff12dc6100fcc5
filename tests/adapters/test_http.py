"""A detector behind HTTP, against a real service on this machine: good answers and all kinds of bad ones."""

from __future__ import annotations

import gzip
import json

import pytest

pytest.importorskip("httpx", reason="the HTTP adapter needs httpx")

import local_service as local
from local_service import running

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters import service as adapter
from pytest_pii_eval.detectors.adapters.http import HttpDetector
from pytest_pii_eval.detectors.adapters.service import HttpFailure
from pytest_pii_eval.detectors.answers import BadAnswer

CANARY = "Ada-Lovelace"


@pytest.fixture
def service():
    with running() as service:
        yield service


@pytest.fixture
def pauses(monkeypatch):
    """Take the place of all pauses, and list them."""
    pauses = []
    monkeypatch.setattr(adapter, "sleep", pauses.append)
    return pauses


@pytest.fixture
def ask(service, pauses):
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


def test_good_answers(service, ask) -> None:
    """A text goes out as a batch of one, as ASCII JSON, and its detection comes back."""
    text = "a \N{GRINNING FACE}\r\n\0"
    assert ask().detect(text) == _all(text)
    [request] = service.requests
    assert (request.method, request.path) == ("POST", "/detect")
    assert request.body == b'{"texts": ["a \\ud83d\\ude00\\r\\n\\u0000"]}'
    assert request.headers["content-type"] == "application/json"


def test_batches(service, ask) -> None:
    """Texts go out in batches of the size that was asked for, and come back in order."""
    texts = ["a", "bb", "", "dddd", "eeeee"]
    assert ask(batch_size="2").detect_batch(texts) == [_all(text) for text in texts]
    assert [json.loads(request.body)["texts"] for request in service.requests] == [
        ["a", "bb"],
        ["", "dddd"],
        ["eeeee"],
    ]
    assert ask().detect_batch([]) == []


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_retry_then_success(service, ask, pauses, status) -> None:
    """A service that is busy for a while is asked again, after a growing pause."""
    service.answers[:] = [local.raw(b"", status), local.raw(b"", status), local.words]
    assert ask().detect("abc") == _all("abc")
    assert pauses == [0.25, 0.5]


def test_retry_after_hanging_up(service, ask, pauses) -> None:
    """A service that hangs up is asked again."""
    service.answers[:] = [local.hang_up, local.words]
    assert ask().detect("abc") == _all("abc")
    assert pauses == [0.25]


@pytest.mark.parametrize(
    ("wanted", "pause"), [("3", 3.0), ("0", 0.0), ("86400", 10.0), ("soon", 0.25), ("-1", 0.25)]
)
def test_retry_after(service, ask, pauses, wanted, pause) -> None:
    """The pause that a service asks for is kept, up to a limit; what is no number of seconds is ignored."""
    service.answers[:] = [local.raw(b"", 503, retry_after=wanted), local.words]
    ask().detect("abc")
    assert pauses == [pause]


def test_retries_exhausted(service, ask, pauses) -> None:
    """After the last retry the failure says the status in standard words, and nothing that was sent."""
    service.answers[:] = [local.raw(CANARY.encode(), 503)]
    with pytest.raises(HttpFailure) as caught:
        ask(retries="3").detect(CANARY)
    assert str(caught.value) == "the detector's service answered with status 503 (Service Unavailable)"
    assert (caught.value.status, caught.value.reason, len(service.requests)) == (503, "status_503", 4)
    assert pauses == [0.25, 0.5, 1.0]
    assert caught.value.__context__ is None


@pytest.mark.parametrize("status", [400, 401, 404, 413, 500, 204, 301, 302, 303])
def test_no_retry(service, ask, pauses, status) -> None:
    """Any other status is final: asking again would not change it."""
    service.answers[:] = [local.raw(b"", status, location="/detect")]
    with pytest.raises(HttpFailure) as caught:
        ask().detect("abc")
    assert (caught.value.status, len(service.requests), pauses) == (status, 1, [])


def test_too_large_for_the_service(service, ask) -> None:
    """A service that refuses a large body early, and hangs up, is understood."""

    def refuse(handler, _):
        local.raw(b"", 413)(handler, b"")
        handler.close_connection = True

    service.answers[:] = [refuse]
    with pytest.raises(HttpFailure, match=r"status 413 \("):
        ask().detect("a" * 5_000_000)


@pytest.mark.parametrize("answer", [local.slow, local.drip])
def test_slow(service, ask, pauses, answer) -> None:
    """Each attempt ends with its time limit, also where the service sends a byte now and then."""
    service.answers[:] = [answer]
    with pytest.raises(HttpFailure) as caught:
        ask(timeout="0.3", retries="1").detect(CANARY)
    assert str(caught.value) == "the detector's service did not answer in time"
    assert (caught.value.reason, len(service.requests), len(pauses)) == ("time_limit", 2, 1)
    assert caught.value.__context__ is None


def test_nobody_there(pauses) -> None:
    """A service that is not there is asked again, then it is a failure without the address."""
    with running() as gone:
        pass
    detector = HttpDetector(gone.url)
    with pytest.raises(HttpFailure) as caught:
        detector.detect(CANARY)
    assert str(caught.value) == "the detector's service could not be reached, or hung up"
    assert (caught.value.reason, caught.value.status, pauses) == ("unreachable", None, [0.25, 0.5])
    assert caught.value.__context__ is None
    detector.close()


_FOUND = {"selected": [[0, 1, "A"]]}


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ({"detections": [_FOUND]}, "another number of detections than texts"),
        ({"detections": [_FOUND] * 3}, "another number of detections than texts"),
        ({"detections": {CANARY: 1, "b": 2}}, "another number of detections than texts"),
        ({"detections": [_FOUND, CANARY]}, "no object with a field selected"),
        ({"detections": [_FOUND, {"selected": [[0, CANARY, "A"]]}]}, "an offset that is no integer"),
        ({"detections": [_FOUND] * 2, CANARY: 1}, "no object with the one field detections"),
        ([_FOUND] * 2, "no object with the one field detections"),
        (CANARY, "no object with the one field detections"),
    ],
)
def test_no_detections(service, ask, answer, rule) -> None:
    """An answer that is not one detection a text is no answer for any text of the batch."""
    service.answers[:] = [local.value(answer)]
    with pytest.raises(BadAnswer, match=rule) as caught:
        ask().detect_batch(["a", "b"])
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (local.raw(CANARY.encode()), "answered with what is no strict JSON"),
        (local.raw(b""), "answered with what is no strict JSON"),
        (local.raw(b'{"detections": [], "detections": []}'), "answered with what is no strict JSON"),
        (local.raw(b'{"detections": [NaN]}'), "answered with what is no strict JSON"),
        (local.raw(b'{"detections": ["\xe9"]}'), "answered with what is no strict JSON"),
        (local.raw(b"<html>", content_type="text/html"), "answered with a content type other than"),
        (local.raw(gzip.compress(b"{}"), content_encoding="gzip"), "answered with a content encoding"),
    ],
)
def test_garbage(service, ask, answer, rule) -> None:
    """An answer that is no strict JSON is final, and told without a word of it."""
    service.answers[:] = [answer]
    with pytest.raises(HttpFailure, match=rule) as caught:
        ask().detect("abc")
    assert CANARY not in str(caught.value)
    assert (caught.value.reason, len(service.requests)) == ("bad_answer", 1)
    assert caught.value.__context__ is None


def test_content_type_with_parameters(service, ask) -> None:
    """A content type may have parameters and capitals."""
    service.answers[:] = [
        local.value({"detections": [_FOUND]}, content_type="Application/JSON; charset=utf-8")
    ]
    assert ask().detect("a") == Detection((Span(0, 1, "A"),))


def test_huge(service, ask, monkeypatch) -> None:
    """An answer without end is given up at the limit."""
    monkeypatch.setattr(adapter, "MAX_RESPONSE", 1_000_000)
    service.answers[:] = [local.endless]
    with pytest.raises(HttpFailure, match="answered with more than 1,000,000 bytes") as caught:
        ask(timeout=60).detect("abc")
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize("status", [307, 308])
def test_redirect_within(service, ask, status) -> None:
    """Within its origin a service may redirect; the text and the header go along."""
    service.answers[:] = [local.raw(b"", status, location="/there"), local.words]
    assert ask(header="x-key: 7").detect("abc") == _all("abc")
    assert [(one.method, one.path, one.headers["x-key"]) for one in service.requests] == [
        ("POST", "/detect", "7"),
        ("POST", "/there", "7"),
    ]


@pytest.mark.parametrize("status", [307, 308])
def test_redirect_to_another_origin(service, ask, status) -> None:
    """To another origin neither text nor header goes: another port is another origin."""
    with running() as other:
        service.answers[:] = [local.raw(b"", status, location=f"{other.url}/detect")]
        with pytest.raises(HttpFailure, match="redirects to another origin, which is not followed") as caught:
            ask().detect("abc")
        assert (caught.value.status, other.requests) == (status, [])


def test_redirects_for_ever(service, ask) -> None:
    """A circle of redirects ends."""
    service.answers[:] = [local.raw(b"", 307, location="/detect")]
    with pytest.raises(HttpFailure, match="redirects more than 3 times"):
        ask().detect("abc")
    assert len(service.requests) == 4


def test_proxies_are_ignored(ask, monkeypatch) -> None:
    """The environment sends no text anywhere else."""
    with running() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert ask().detect("abc") == _all("abc")
        assert proxy.requests == []
