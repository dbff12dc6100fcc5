"""The contract for detectors, on ours: the bank with both engines, and Presidio through its adapter."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("hypothesis", reason="the contract draws texts with hypothesis (extra: testing)")

from pytest_pii_eval import BankDetector, load_bank
from pytest_pii_eval.detectors.finding import Wanted, build
from pytest_pii_eval.testing import DetectorContract

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.protocol import Detector

_BANK = Path(__file__).with_name("bank.json")


def make_embedded() -> BankDetector:
    """Make the bank's detector on the embedded engine."""
    return BankDetector(load_bank(_BANK))


def make_nerb() -> BankDetector:
    """Make the bank's detector on nerb."""
    return BankDetector(load_bank(_BANK), engine="nerb")


class _BankContract(DetectorContract):
    identifiers = (
        ("email", "zoe.quill@example.org"),
        ("iban", "GB82WEST12345698765432"),
        ("payment_card", "4111 1111 1111 1111"),
        ("phone", "+44 20 7946 0018"),
    )


class TestEmbedded(_BankContract):
    """The embedded engine keeps the whole contract; a compiled bank is no thing to pickle."""

    factory = make_embedded

    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls) -> Detector:
        """Return the bank on the embedded engine."""
        return make_embedded()


@pytest.mark.skipif(find_spec("nerb") is None, reason="nerb is not installed (extra: nerb)")
class TestNerb(_BankContract):
    """The engine of nerb keeps the whole contract; it takes its time, so it gets fewer texts."""

    depth = 4_000
    examples = 5
    repetitions = 20
    factory = make_nerb

    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls) -> Detector:
        """Return the bank on nerb."""
        return make_nerb()


# spaCy imports torch where it is installed, and torch warns about itself.
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
@pytest.mark.skipif(
    find_spec("presidio_analyzer") is None, reason="Presidio is not installed (extra: presidio)"
)
class TestPresidio(DetectorContract):
    """Presidio keeps the contract, at some milliseconds a document: fewer texts, and shorter ones."""

    identifiers = (
        ("EMAIL_ADDRESS", "zoe.quill@example.org"),
        ("IBAN_CODE", "GB82WEST12345698765432"),
        ("IP_ADDRESS", "192.0.2.17"),
    )
    # Not "|", which an e-mail address may hold before its at sign.
    separators = (" ", "\t", ",", ", ", ";", "; ", " / ", ") (")
    depth = 2_000
    step = 24
    examples = 5
    repetitions = 10
    growth_limit = 1_500  # spaCy keeps every word it has not met before in its string store
    factory = "presidio"
    log_level = logging.INFO  # at DEBUG it logs the words around what it found

    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls) -> Detector:
        """Return the shipped adapter."""
        return build(Wanted("presidio"))
