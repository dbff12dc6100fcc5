"""Who runs which code block: the rules of docs/contributing.md, one claim a rule, and what each does."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import yaml
from docs_expected import difference
from docs_not_run import NOT_RUN
from pydantic import TypeAdapter

from pytest_pii_eval.contracts.yaml_file import parse_yaml
from pytest_pii_eval.reports.schemas import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_fences import Fence
    from docs_reader import Reader

_DIRECTIVES = ("{include}", "{toctree}")
_FORMS = ("ini", "json", "jsonl", "toml", "yaml")
_COMMAND = re.compile(r"\s*(?:(?:git|pii-eval|pip|pytest|python3?)\s|\$ )")
_RUN = ("python", "sh")


@dataclass(frozen=True, slots=True)
class Claim:
    """One rule: which blocks are its own, and what a reader does with one of them."""

    name: str
    claims: Callable[[Fence], bool]
    follow: Callable[[Fence, Reader], None]


def follow(fence: Fence, reader: Reader) -> None:
    """Do with a block what its one claim says."""
    claims = [one for one in CLAIMS if one.claims(fence)]
    assert len(claims) == 1, f"{fence.place}: rules that know `{fence.language} {fence.name}`: {len(claims)}"
    for source, name in brought(fence):
        reader.bring(source, name)
    claims[0].follow(fence, reader)


def brought(fence: Fence) -> list[tuple[str, str]]:
    """Return what the comments above a block bring into the folder: path in the repository, name there."""
    told = [comment.removeprefix("with ") for comment in fence.comments if comment.startswith("with ")]
    parts = [one.partition(" as ") for one in told]
    return [(source.rstrip("/"), (name or source).rstrip("/")) for source, _, name in parts]


def is_hidden_command(fence: Fence) -> bool:
    """Whether a block that is shown, and followed by nobody, begins with something to type."""
    is_shown = fence.language == "text" and not fence.name and not _is_output(fence)
    return is_shown and _COMMAND.match(fence.text) is not None


def exit_status(fence: Fence) -> int:
    """Return the status that a block of shell must end with."""
    told = [comment.removeprefix("exits ") for comment in fence.comments if comment.startswith("exits ")]
    return int(told[0]) if told else 0


def _run(fence: Fence, reader: Reader) -> None:
    status = reader.shell(fence.text)
    assert status == exit_status(fence), f"{fence.place} ended with {status}:\n{reader.output}"


def _execute(fence: Fence, reader: Reader) -> None:
    reader.execute(fence.text, fence.place)


def _compare(fence: Fence, reader: Reader) -> None:
    fault = difference(fence.text, reader.output)
    assert fault is None, f"{fence.place}: {fault}\nThe whole output:\n{reader.output}"


def _write(fence: Fence, reader: Reader) -> None:
    if fence.language in _FORMS:
        _parse(fence, reader)
    elif fence.language == "python":
        compile(fence.text, fence.place, "exec")
    reader.write(fence.name, fence.text)


def _validate(fence: Fence, _: Reader) -> None:
    module, model = SCHEMAS[fence.name]
    described = getattr(import_module(f"pytest_pii_eval.{module}"), model)
    value = parse_yaml(fence.text.encode()) if fence.language == "yaml" else json.loads(fence.text)
    TypeAdapter(described).validate_python(value)


def _parse(fence: Fence, _: Reader) -> None:
    if fence.language == "jsonl":
        for line in fence.text.splitlines():
            json.loads(line)
    else:
        _PARSERS[fence.language](fence.text)


_PARSERS: dict[str, Callable[[str], object]] = {
    "ini": configparser.ConfigParser().read_string,
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


def _nothing(fence: Fence, reader: Reader) -> None:
    """Leave it: it is shown to be read."""


def _is_run(fence: Fence) -> bool:
    return fence.language in _RUN and not fence.name and not _is_listed(fence)


def _is_listed(fence: Fence) -> bool:
    return (fence.page, fence.first) in {(one.page, one.first) for one in NOT_RUN}


def _is_file(fence: Fence) -> bool:
    return fence.language in (*_FORMS, "python", "text") and "." in fence.name and not _is_listed(fence)


def _is_output(fence: Fence) -> bool:
    if fence.language != "text" or fence.name:
        return False
    return "output" in fence.comments or (fence.follows is not None and _is_run(fence.follows))


CLAIMS = (
    Claim("part of the site", lambda fence: fence.language in _DIRECTIVES, _nothing),
    Claim("listed as not run", _is_listed, _nothing),
    Claim("commands", lambda fence: _is_run(fence) and fence.language == "sh", _run),
    Claim("Python", lambda fence: _is_run(fence) and fence.language == "python", _execute),
    Claim("a file of the page", _is_file, _write),
    Claim(
        "a value of a schema",
        lambda fence: fence.language in ("json", "yaml") and fence.name in SCHEMAS,
        _validate,
    ),
    Claim("a value", lambda fence: fence.language in _FORMS and not fence.name, _parse),
    Claim("output", _is_output, _compare),
    Claim(
        "shown",
        lambda fence: fence.language == "text" and not fence.name and not _is_output(fence),
        _nothing,
    ),
)
