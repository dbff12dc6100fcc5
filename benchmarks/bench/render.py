"""Makes the Markdown of the results and puts it between two marks of a page; measures nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bench.rows import Check, Results, Row

BEGIN = "<!-- results -->"
END = "<!-- end of results -->"
_HUNDRED = 100
_THOUSAND = 1_000
_HEAD = (
    "| work | who | CPU s | wall s | peak MB | figure | target | holds |",
    "|---|---|---|---|---|---|---|---|",
)


def placed(page: str, results: Results) -> str:
    """Return the page with new results between its marks; raises `SystemExit` where they are not there."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise SystemExit(f"the page needs one line {BEGIN} and one line {END}")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{markdown(results)}\n{END}{rest.partition(END)[2]}"


def markdown(results: Results) -> str:
    """Return runs, table and missed targets as Markdown."""
    if not results.rows:
        return "Nothing was measured yet.\n"
    return "\n".join([*_about_runs(results), "", *_table(results), "", *_missed(results), ""])


def _about_runs(results: Results) -> Iterator[str]:
    for name, about in results.runs.items():
        benchmarks = dict.fromkeys(row.benchmark for row in results.rows if row.run == name)
        yield f"- {', '.join(benchmarks)}: {_about(about)}"


def _about(about: Mapping[str, Any]) -> str:
    rounds = f"mostly medians of {about['rounds']} rounds in turns" if about["rounds"] > 1 else "one round"
    size = ", sizes a twentieth (a quick run: held to no target, not for quoting)" if about["quick"] else ""
    packages = ", ".join(f"{name} {version}" for name, version in about["packages"].items())
    return (
        f"{about['date']}, revision {about['revision'] or 'unknown'}, {rounds}{size};"
        f" {about['processor']}, {about['cores']} cores, {about['memory_gb']} GB,"
        f" {about['system']}, load {about['load']} at the start; Python {about['python']}, {packages}."
    )


def _table(results: Results) -> Iterator[str]:
    yield from _HEAD
    last = ("", "")
    for row in results.rows:
        name = (row.benchmark, row.work)
        yield _line(row, f"**{row.benchmark}**: {row.work}" if name != last else "")
        last = name


def _line(row: Row, work: str) -> str:
    cells = [
        work,
        row.who,
        _seconds(row.cpu),
        _seconds(row.wall),
        _memory(row),
        "<br>".join(f"{check.measure}: {number(check.value)}" for check in row.checks),
        _broken(_target(check) for check in row.checks),
        _broken(_holds(check) for check in row.checks),
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _broken(lines: Iterable[str]) -> str:
    """Return a line for each figure of the row, or nothing where none of them says anything."""
    told = list(lines)
    return "<br>".join(told) if any(told) else ""


def _seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def _memory(row: Row) -> str:
    if row.peak_mb is None:
        return ""
    return f"{row.peak_mb:.0f}" + ("" if row.sum_mb is None else f" (all: {row.sum_mb:.0f})")


def number(value: float) -> str:
    """Return a number with as many digits as are worth reading."""
    if abs(value) >= _THOUSAND:
        return f"{value:,.0f}"
    if abs(value) >= _HUNDRED:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= _HUNDRED / 10 else f"{value:.2f}"


def _target(check: Check) -> str:
    if check.most is not None:
        return f"at most {number(check.most)}"
    return "" if check.least is None else f"at least {number(check.least)}"


def _holds(check: Check) -> str:
    return "" if check.holds is None else ("yes" if check.holds else "**no**")


def _missed(results: Results) -> Iterator[str]:
    if not any(row.held for row in results.rows):
        yield "No figure has a target."
        return
    missed = [row for row in results.rows if row.missed]
    yield from ("Targets that are missed, and why:", "") if missed else ("No target is missed.",)
    for row in missed:
        yield f"- {row.benchmark}, {row.work}, {row.who}: {row.reason or 'no reason is given yet'}"
