"""The children of the benchmark of engines: each works in a process of its own and returns figures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.texts import people, seeded, texts
from bench.timing import repeated, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_SHAPES = (
    r"\b{0}-\d{{4,6}}\b",
    r"\b[\w.+-]+@{0}\.[a-z]{{2,6}}\b",
    r"(?i)\b{0}[ :#]+\d{{3,12}}\b",
    r"\b\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d{{2}} {0}\b",
    r"\b[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}} ?{0}\b",
)
# Codes of one simple shape are what nerb's automaton likes best; mixed shapes are what banks hold.
SETS = {"no": (), "50 mixed": _SHAPES, "50 simple": _SHAPES[:1]}
EXPRESSIONS = 50
LIMIT = 50_000  # Patterns an entity that nerb takes.
TEXT_KINDS = {"ascii": "ASCII", "accents": "accented"}
_TEXTS = 200
_FEW_TEXTS = 20  # So few that they do not count in the memory of loading a bank.
_LONG_ENOUGH = 0.3
_MOST = 100_000


def write(folder: str, names: int, kind: str) -> dict[str, Any]:
    """Write `bank.json` in nerb's format, which is ours, too, and a few texts beside it."""
    from pytest_pii_eval.detectors.nerb import bank_document  # noqa: PLC0415  # the runner must stay small

    patterns, written = bank(names, kind)
    document = json.dumps(bank_document(patterns), ensure_ascii=False)
    Path(folder, "bank.json").write_text(document, encoding="utf-8")
    few = [text for accents in (False, True) for text in texts(written, _FEW_TEXTS, accents=accents)]
    Path(folder, "texts.json").write_text(json.dumps(few), encoding="utf-8")
    return {}


def ours_loaded(folder: str) -> dict[str, Any]:
    """Read, check and compile the bank of a folder with the embedded engine; scan a few texts untimed."""
    from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415  # the runner must stay small
    from pytest_pii_eval.detectors.bank.engine import Engine  # noqa: PLC0415  # the same

    def work() -> tuple[Any, Engine]:
        bank = load_bank(Path(folder, "bank.json"))
        return bank, Engine(bank.patterns, bank.normalization)

    seconds, (bank, engine) = timed(work)
    numbers = (
        [(start, end, _number(bank.patterns[index].name_id)) for start, end, index in engine.scan(text)]
        for text in _few_texts(folder)
    )
    return {"cpu": seconds, "records": _digest(numbers)}


def nerb_loaded(folder: str) -> dict[str, Any]:
    """Do the same with nerb: plain JSON and `compile_bank`, which checks and hashes the bank, too."""
    from nerb.bank import read_bank_json  # noqa: PLC0415  # a peer, and the runner must stay small

    return _nerb_loaded(folder, read_bank_json)


def nerb_commands(folder: str) -> dict[str, Any]:
    """Do it as nerb's own commands do: its `load_bank` checks what `compile_bank` checks again."""
    from nerb.bank import load_bank  # noqa: PLC0415  # a peer, and the runner must stay small

    return _nerb_loaded(folder, load_bank)


def _nerb_loaded(folder: str, read: Callable[[Path], Any]) -> dict[str, Any]:
    from nerb.engines import compile_bank  # noqa: PLC0415  # as above

    def work() -> Any:
        document = read(Path(folder, "bank.json"))
        return compile_bank(document, options={"include_statuses": ["active"]})[0]

    seconds, compiled = timed(work)
    scan = compiled.native_bank.scan_bytes
    numbers = (
        [
            (one["start"], one["end"], _number(one["canonical_name"]))
            for one in scan(text.encode(), max_matches=_MOST)
        ]
        for text in _few_texts(folder)
    )
    return {"cpu": seconds, "records": _digest(numbers)}


def _few_texts(folder: str) -> list[str]:
    return list(json.loads(Path(folder, "texts.json").read_text(encoding="utf-8")))


def _number(name: str) -> int:
    """Return the number of a pattern from its name id or canonical name in the written bank (`n7`, `c7`)."""
    return int(name[1:])


def ours(names: int, kind: str) -> dict[str, Any]:
    """Compile ready patterns with the embedded engine, and scan."""
    from pytest_pii_eval.detectors.bank.engine import Engine  # noqa: PLC0415  # the runner must stay small

    patterns, written = bank(names, kind)
    seconds, engine = timed(lambda: Engine(patterns))
    return {"cpu": seconds, **_scans(engine.scan, engine.scan, written)}


def nerb(names: int, kind: str) -> dict[str, Any]:
    """Compile ready patterns with nerb's native code, and scan by its fastest way (`scan_bytes`)."""
    import nerb.validation  # noqa: F401, PLC0415  # not to be timed; a peer, and the runner must stay small

    from pytest_pii_eval.detectors.nerb import NerbEngine  # noqa: PLC0415  # the runner must stay small

    patterns, written = bank(names, kind)
    seconds, engine = timed(lambda: NerbEngine(patterns))
    scan: Any = engine.native and engine.native.scan_bytes  # There is none for a bank without patterns.
    return {
        "cpu": seconds,
        **_scans(lambda text: scan(text.encode(), max_matches=_MOST), engine.scan, written),
    }


def bank(number: int, kind: str) -> tuple[list[Any], list[str]]:
    """Return patterns of case-insensitive names between word boundaries and of codes, and the names.

    No entity has more names than nerb takes: what is beyond stands in a second one, for both sides.
    """
    from pytest_pii_eval.contracts.patterns import ActivePattern  # noqa: PLC0415  # the runner must stay small

    code = ActivePattern("code", "n", "p", "regex", "code", "", 10)
    person = ActivePattern(
        "person", "n", "p", "literal", "", "", 100, frozenset(), False, True, "word", "word"
    )
    written = [" ".join(pair) for pair in people(number, seeded())]
    expressions = SETS[kind] and [_expression(at, SETS[kind]) for at in range(EXPRESSIONS)]
    codes = [
        code._replace(name_id=f"n{at:03}", pattern_id=f"p{at:03}", value=value)
        for at, value in enumerate(expressions)
    ]
    return codes + [
        person._replace(
            entity_id=f"person{at // LIMIT}", name_id=f"n{at:06}", canonical_name=name, value=name
        )
        for at, name in enumerate(written)
    ], written


def _expression(number: int, shapes: Sequence[str]) -> str:
    prefix = chr(65 + number % 26) + chr(66 + number % 23)
    return shapes[number % len(shapes)].format(prefix)


def _scans(
    scan: Callable[[str], object], records: Callable[[str], object], names: list[str]
) -> dict[str, float | str]:
    """Return for texts of each kind the CPU seconds of a pass, MB a second, and a digest of records."""
    figures: dict[str, float | str] = {}
    for kind in TEXT_KINDS:
        written = texts(names, _TEXTS, accents=kind == "accents")
        seconds = _pass(scan, written)
        megabytes = sum(len(text.encode()) for text in written) / 1e6
        figures |= {f"{kind}_cpu": seconds, f"{kind}_mb": megabytes / seconds}
        figures[f"{kind}_records"] = _digest(map(records, written))
    return figures


def _pass(scan: Callable[[str], object], written: list[str]) -> float:
    return repeated(lambda: [scan(text) for text in written], _LONG_ENOUGH)[0]


def _digest(records: Iterable[object]) -> str:
    return hashlib.sha256(repr(list(records)).encode()).hexdigest()
