"""Corpus adapters of installed pytest plugins, asked for outside of pytest."""

from __future__ import annotations

import sys

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.plugins_outside import outside_adapter

CANARY = "Canary-Ottoline"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a plugin of the given source under a name."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def installing(name, source):
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.delitem(sys.modules, name, raising=False)
        known = tmp_path / f"{name}-1.dist-info"
        known.mkdir()
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (known / "entry_points.txt").write_text(f"[pytest11]\n{name} = {name}\n")

    return installing


@pytest.mark.parametrize("mark", ["", "import pytest\n@pytest.hookimpl(tryfirst=True)\n"])
def test_the_hook_of_a_plugin_is_asked(install, mark) -> None:
    """A plugin makes its adapter by name, with or without pytest's mark, and may leave `config` out."""
    install(
        "outside_acme",
        f"{mark}def pytest_pii_make_corpus_adapter(name):\n    return int if name == 'a' else None\n",
    )
    assert outside_adapter("a") is int
    assert outside_adapter("b") is None


def test_there_is_no_config_outside_of_pytest(install) -> None:
    """The hook is called with None in the place of pytest's config."""
    install("outside_acme", "def pytest_pii_make_corpus_adapter(name, config):\n    return {name: config}\n")
    assert outside_adapter("a") == {"a": None}


def test_what_a_hook_raises_is_withheld(install) -> None:
    """The exception of a hook is one line without its text."""
    install("outside_acme", f"def pytest_pii_make_corpus_adapter(name):\n    raise ValueError({CANARY!r})\n")
    with pytest.raises(Fault, match=r"ValueError in outside_acme\.py:2; its text is withheld") as caught:
        outside_adapter("a")
    assert "anary" not in str(caught.value)


@pytest.mark.parametrize("kind", ["SystemExit", "GeneratorExit", "Fault"])
def test_whatever_a_hook_raises_is_withheld(install, kind) -> None:
    """Neither an exit nor a fault of the plugin's own gets its words out."""
    known = "from pytest_pii_eval.contracts.faults import Fault"
    install(
        "outside_acme",
        f"{known}\ndef pytest_pii_make_corpus_adapter(name):\n    raise {kind}({CANARY!r})\n",
    )
    with pytest.raises(Fault, match=rf"{kind} in outside_acme\.py:3; its text is withheld") as caught:
        outside_adapter("a")
    assert CANARY not in str(caught.value)


def test_a_plugin_that_prints_and_exits_while_it_is_imported_is_broken(install, capfd) -> None:
    """It is told by its name, and what it says goes nowhere."""
    install(
        "outside_exits",
        f"import os\nprint({CANARY!r})\nos.write(2, b{CANARY!r})\nraise SystemExit({CANARY!r})\n",
    )
    with pytest.raises(Fault, match=r": outside_exits$"):
        outside_adapter("b")
    assert capfd.readouterr() == ("", "")


def test_a_broken_plugin_is_named_where_nobody_has_the_adapter(install) -> None:
    """A plugin that cannot be imported stops nobody else's adapter, and is told where it might be the one."""
    install("outside_broken", f"raise RuntimeError({CANARY!r})\n")
    install(
        "outside_acme", "def pytest_pii_make_corpus_adapter(name):\n    return int if name == 'a' else None\n"
    )
    assert outside_adapter("a") is int
    with pytest.raises(Fault, match=r"no plugin has the adapter b, .*: outside_broken$"):
        outside_adapter("b")
