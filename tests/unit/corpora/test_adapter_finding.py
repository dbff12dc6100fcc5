"""From a name to an adapter: shipped, of a module, of a plugin; every failure of it in one line."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from corpus_files import CANARY, DRAFTS, FakeAdapter

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import CorpusAdapter
from pytest_pii_eval.corpora.finding import ADAPTERS, build_adapter


@pytest.fixture
def module(monkeypatch) -> ModuleType:
    """An importable module of somebody else."""
    made = ModuleType("somebodys_adapters")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def _bare() -> FakeAdapter:
    return FakeAdapter()


def refused(name: str, options: dict[str, str] | None = None, make=lambda _: None) -> str:
    with pytest.raises(Fault) as caught:
        build_adapter(name, options or {}, make)
    assert CANARY not in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


NEEDED = {
    "bio": {"shape": "columns"},
    "inline": {"tags": "brackets"},
    "spy": {"seed": "0", "faker": "40.63.0"},
}


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_every_shipped_adapter_is_there(name) -> None:
    """Each name leads to an adapter that has all that is asked of one."""
    made = build_adapter(name, NEEDED.get(name, {}))
    assert isinstance(made, CorpusAdapter)
    assert made.policy
    assert made.version == ("spy-fill.v1+faker-40.63.0+seed-0" if name == "spy" else "1")


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_an_adapter_says_which_options_it_needs(name) -> None:
    """Those without a default are named."""
    assert refused(name) == f"the adapter {name} needs the options {', '.join(NEEDED[name])}"


def test_an_adapter_of_a_module(module, tmp_path) -> None:
    """A class or factory is called with the options by name, and what it makes reads."""
    given = []

    def make(**options):
        given.append(options)
        return FakeAdapter()

    module.Mine, module.make = FakeAdapter, make
    for name, options in (("Mine", {}), ("make", {"any": "x", "other": "y"})):
        made = build_adapter(f"somebodys_adapters:{name}", options)
        assert (made.name, made.version, made.offset_unit) == ("fake", "1", "codepoint")
        assert list(made.read(tmp_path)) == list(DRAFTS)
    assert given == [{"any": "x", "other": "y"}]


def test_an_adapter_of_a_plugin() -> None:
    """The hook is asked for names that are not shipped, and for no others."""
    asked = []

    def make(name):
        asked.append(name)
        return FakeAdapter

    assert build_adapter("mine", {}, make).name == "fake"
    assert build_adapter("spans", {}, make).name == "spans"
    assert asked == ["mine"]


def test_what_it_wishes_is_asked_of_it(module) -> None:
    """What an adapter may say beyond its protocol is heard, and absent where it says nothing."""
    module.Mine = type("Mine", (FakeAdapter,), {"keeps_labels_apart": True, "not_promotable": "own_reason"})
    made = build_adapter("somebodys_adapters:Mine", {})
    assert (made.keeps_labels_apart, made.not_promotable) == (True, "own_reason")
    module.Mine = FakeAdapter
    assert not hasattr(build_adapter("somebodys_adapters:Mine", {}), "not_promotable")


def test_what_it_prints_is_not_shown(module, tmp_path, capsys) -> None:
    """Its output may be text of documents; what others print in between is theirs."""
    module.Mine = lambda: FakeAdapter(before=lambda *_: sys.stdout.write(CANARY))
    for number, _ in enumerate(build_adapter("somebodys_adapters:Mine", {}).read(tmp_path)):
        sys.stdout.write(f"{number}\n")
    assert capsys.readouterr().out == "0\n1\n2\n3\n4\n"


def test_a_draft_that_is_none_does_not_end_the_corpus(module, tmp_path) -> None:
    """A corpus is never cut short in silence: the adapter breaks its contract, and that is told."""
    module.Mine = lambda: FakeAdapter([DRAFTS[0], None, DRAFTS[1]])
    drafts = build_adapter("somebodys_adapters:Mine", {}).read(tmp_path)
    assert next(drafts) == DRAFTS[0]
    with pytest.raises(
        Fault, match=r"^the adapter fake breaks its contract: it yields a row that is no Draft"
    ):
        next(drafts)


@pytest.mark.parametrize(
    "name", ["mine", "Spans", "spans.", "somebodys_adapters:Absent", "somebodys_adapters:"]
)
def test_an_unknown_name_is_told_with_the_known_ones(module, name) -> None:
    """The fault lists what is shipped, and says how others are named."""
    told = refused(name)
    assert told.startswith("no corpus adapter has this name; name module:attribute or one of: bio, brat, ")
    assert told.endswith(", spans, spy, tab")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "no_such_module_here:Mine",
            "the adapter no_such_module_here:Mine needs the module no_such_module_here,",
        ),
        (":Mine", "the adapter :Mine could not be built: ValueError in "),
        (".relative:Mine", "the adapter .relative:Mine could not be built: TypeError in "),
        ("somebodys_adapters:number", "the adapter somebodys_adapters:number is no class or factory"),
    ],
)
def test_a_module_that_gives_none(module, name, told) -> None:
    """Whatever is wrong with the name, it is one line."""
    module.number = 7
    assert refused(name).startswith(told)


@pytest.mark.parametrize(
    ("factory", "options", "told"),
    [
        (FakeAdapter, {"befor": CANARY}, "takes no option befor; it takes: drafts, before"),
        (FakeAdapter, {"befor": CANARY, "a": CANARY}, "takes no option a, befor; it takes: drafts, before"),
        (_bare, {"a": CANARY}, "takes no option a; it takes: none"),
        (lambda *, one, two, three=1: FakeAdapter([one, two, three]), {"one": ""}, "needs the options two"),
        (lambda one: FakeAdapter([one]), {}, "needs the options one"),
    ],
)
def test_options_are_those_of_the_adapter(module, factory, options, told) -> None:
    """An option that it does not take, and one that it needs, are told by name, and never by value."""
    module.Mine = factory
    assert refused("somebodys_adapters:Mine", options) == f"the adapter somebodys_adapters:Mine {told}"


def test_what_a_factory_raises_is_withheld(module) -> None:
    """Only its type and place are told, of a fault of its own as of any exception."""

    def bad(**_):
        raise ValueError(CANARY)

    module.Bad = bad
    told = refused("somebodys_adapters:Bad", {"a": CANARY})
    assert told.startswith(
        "the adapter somebodys_adapters:Bad could not be built: ValueError in test_adapter_finding"
    )

    def faulty():
        raise Fault(CANARY, file=CANARY, field=CANARY)

    module.Faulty = faulty
    assert refused("somebodys_adapters:Faulty").startswith(
        "the adapter somebodys_adapters:Faulty could not be built: Fault in test_adapter_finding"
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"offset_unit": CANARY}, "counts in no known unit; offset_unit is one of codepoint, byte, utf16"),
        ({"name": f"{CANARY} of"}, "has a name that is no identifier of up to 128 characters"),
        ({"name": 7}, "has a name that is no identifier of up to 128 characters"),
        ({"version": f"{CANARY}\n"}, "has a version that is no identifier of up to 128 characters"),
        ({"version": "1" * 129}, "has a version that is no identifier of up to 128 characters"),
        (
            {"not_promotable": f"by {CANARY}"},
            "has a not_promotable that is no identifier of up to 128 characters",
        ),
        ({"policy": 7}, "has a policy that is no text"),
    ],
)
def test_what_is_no_adapter_is_refused(module, changes, told) -> None:
    """What receipts and reports tell of an adapter is an identifier."""
    module.Mine = type("Mine", (FakeAdapter,), changes)
    assert refused("somebodys_adapters:Mine") == f"the adapter somebodys_adapters:Mine {told}"


@pytest.mark.parametrize("lacking", ["name", "version", "offset_unit", "policy", "read"])
def test_an_adapter_lacks_nothing(module, lacking) -> None:
    """Each part of the protocol must be there."""
    parts = {"name": "a", "version": "1", "offset_unit": "byte", "policy": "p", "read": lambda _: iter(())}
    del parts[lacking]
    module.Mine = type("Other", (), parts)
    told = "the adapter somebodys_adapters:Mine lacks one of: name, version, offset_unit, policy, read"
    assert refused("somebodys_adapters:Mine") == told
