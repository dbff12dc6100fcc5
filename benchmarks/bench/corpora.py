"""Reading, preparing and verifying corpora: rows a CPU second, and memory at ten times the rows."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import targets
from bench.corpora_files import WORKLOADS, rows
from bench.plan import child, children_in_turns, cost_of, need
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.corpora_files import Workload
    from bench.plan import Plan

_ROWS = 40_000
_TENTH = 10
_ROUNDS = 2
_STEPS = ("read", "prepare", "verify")


def measure(plan: Plan) -> list[Row]:
    """Return a row a file and step; a step is in a process of its own."""
    need("pyarrow")
    return [one for at, name in enumerate(WORKLOADS) for one in _of(plan, name, f"corpus-{at}")]


def _of(plan: Plan, name: str, folder_name: str) -> list[Row]:
    number = plan.size(_ROWS)
    jobs: dict[str, dict[str, Any]] = {}
    for size, count in (("small", number // _TENTH), ("large", number)):
        path = str(plan.new_folder(f"{folder_name}-{size}") / WORKLOADS[name].file)
        child("bench.corpora:write", name=name, path=path, number=count)
        jobs |= {
            f"{size} {step}": {"place": f"bench.corpora:{step}", "name": name, "path": path}
            for step in _STEPS
        }
    found = children_in_turns(jobs, plan.turns(_ROUNDS))
    return [_row(name, step, number, found) for step in _STEPS]


def _row(name: str, step: str, number: int, found: dict[str, dict[str, Any]]) -> Row:
    few, many = found[f"small {step}"], found[f"large {step}"]
    return row(
        (f"{name}, {number:,} rows", step),
        cost_of(many),
        Check("rows a CPU second", number / many["cpu"], least=targets.CORPUS_RATE),
        Check("peak MB", many["peak_mb"], most=targets.CORPUS_MB),
        Check("MB of those at a tenth", many["peak_mb"] / few["peak_mb"], most=targets.GROWTH_MEMORY),
    )


def write(name: str, path: str, number: int) -> dict[str, Any]:
    """Write a corpus file, and the suite made of it into a cache beside it."""
    from pytest_pii_eval.corpora.cache import Cache  # noqa: PLC0415  # the runner must stay small
    from pytest_pii_eval.corpora.prepare import prepare as make  # noqa: PLC0415  # the same

    workload, written = WORKLOADS[name], Path(path)
    workload.write(written, rows(number, workload))
    make(_recipe(workload, written), written, Cache(written.with_suffix(".cache")))
    return {}


def read(name: str, path: str) -> dict[str, float]:
    """Make the drafts of the file, and keep none."""
    from pytest_pii_eval.corpora.finding import build_adapter  # noqa: PLC0415  # as above

    workload, started = WORKLOADS[name], time.process_time()
    deque(build_adapter(workload.adapter, workload.options).read(Path(path)), maxlen=0)
    return {"cpu": time.process_time() - started}


def prepare(name: str, path: str) -> dict[str, float]:
    """Hash the file, and write the whole suite into a new cache."""
    from pytest_pii_eval.corpora.cache import Cache  # noqa: PLC0415  # as above
    from pytest_pii_eval.corpora.prepare import prepare as make  # noqa: PLC0415  # as above

    written, started = Path(path), time.process_time()
    cache = written.with_suffix(f".cache-{time.time_ns()}")
    make(_recipe(WORKLOADS[name], written), written, Cache(cache))
    return {"cpu": time.process_time() - started}


def verify(name: str, path: str) -> dict[str, float]:
    """Verify the suite that `write` made, down to its artifact."""
    from pytest_pii_eval.corpora.cache import Cache  # noqa: PLC0415  # as above
    from pytest_pii_eval.corpora.verify import verify as check  # noqa: PLC0415  # as above

    written, started = Path(path), time.process_time()
    check(_recipe(WORKLOADS[name], written), Cache(written.with_suffix(".cache")), written)
    return {"cpu": time.process_time() - started}


def _recipe(workload: Workload, path: Path) -> Any:
    from pytest_pii_eval.contracts.corpora_file import parse_corpora  # noqa: PLC0415  # as above
    from pytest_pii_eval.contracts.taxonomy import default_taxonomy  # noqa: PLC0415  # as above
    from pytest_pii_eval.corpora.finding import build_adapter  # noqa: PLC0415  # as above
    from pytest_pii_eval.corpora.recipe import make_recipe  # noqa: PLC0415  # as above

    document = {"version": "pii_eval.corpora.v1", "corpora": {"bench": _pin(workload, path)}}
    corpora = parse_corpora(document, path.parent / "corpora.yaml", default_taxonomy())
    adapter = build_adapter(workload.adapter, workload.options)
    return make_recipe(corpora.pins["bench"], adapter, corpora.taxonomy)


def _pin(workload: Workload, path: Path) -> dict[str, Any]:
    with path.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    return {
        "source": {"kind": "local", "path": path.name},
        "bytes": str(path.stat().st_size),
        "sha256": digest,
        "licence": "generated",
        "redistribution": "generated",
        "adapter": workload.adapter,
        "options": dict(workload.options),
        "label_map": "nemotron_pii",
        "split_key": "document_id",
        "split_role": "test",
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "regions": ["document"],
        "languages": ["en"],
        "max_quarantined": "0",
    }
