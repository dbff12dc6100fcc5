"""What a suite of contracts says where hypothesis is not installed."""

from __future__ import annotations

import sys

import pytest

import pytest_pii_eval.testing

NAMES = pytest_pii_eval.testing.__all__


@pytest.mark.parametrize("name", NAMES)
def test_the_extra_is_named(name, monkeypatch):
    """The import of each name fails with what to install, and not with the bare name of a module."""
    for module in [one for one in sys.modules if one.startswith("pytest_pii_eval.testing.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=r"pip install 'pytest-pii-eval\[testing\]'") as caught:
        getattr(pytest_pii_eval.testing, name)
    assert (type(caught.value), caught.value.name) == (ImportError, "hypothesis")


def test_another_module_that_is_missing_is_not_blamed_on_the_extra(monkeypatch):
    """An error of another origin stays what it is."""
    for module in [one for one in sys.modules if one.startswith("pytest_pii_eval.testing.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pytest_pii_eval.testing.contract", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        pytest_pii_eval.testing.DetectorContract  # noqa: B018  # the look-up is what fails
    assert caught.value.name == "pytest_pii_eval.testing.contract"
