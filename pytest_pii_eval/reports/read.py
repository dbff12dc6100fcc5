"""Reading a report back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    import os

_MAX_BYTES = 256 * 1024 * 1024


def read_report(path: str | os.PathLike[str]) -> Report:
    """Return the report at `path`; raises `Fault` where it is not a `pii_eval.report.v1`."""
    file = Path(path)
    try:
        document = parse(read_input(file, limit=_MAX_BYTES))
        return Report.model_validate(document, strict=True)
    except ValidationError as error:
        fault = fault_of(error, None)
        field = None if fault.field is None else inert(fault.field)  # keys may be anyone's
        raise Fault(fault.rule, file=file.name, field=field) from None
    except Fault as fault:
        raise fault.at(file=file.name) from None
