"""From a name to a detector: what `module:attribute` may be, options, and faults in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pytest_pii_eval import Detection, Detector, Span
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.finding import ADAPTERS, Wanted, build
from pytest_pii_eval.detectors.plain import FunctionDetector, detection_of

MODULE = """
from pytest_pii_eval import Detection, Span

def find(text):
    return [(0, len(text), "X")]

def find_with_limit(text, limit=3):
    return [(0, limit, "X")]

class Kept:
    name, version, offset_unit = "kept", "1", "codepoint"
    def __init__(self, depth=1):
        self.depth = depth
    def detect(self, text):
        return Detection((Span(0, 1, "X"),))
    def fingerprint(self):
        return "sha256:" + "0" * 64

def factory():
    return Kept(depth=9)

def factory_of_a_function():
    return find

def demanding(*, model, size="1"):
    return Kept(depth=model + size)

def anything(**options):
    return Kept(depth=options)

def made_with(keep="all"):
    return lambda text: [(0, 1, keep)]

class Inner:
    detector = Kept(depth=5)

def two(text, other):
    return []

made = Kept(depth=4)
find_utf16 = lambda text: [(0, 2, "X")]
find_utf16.offset_unit, find_utf16.version, find_utf16.label_map = "utf16", "7", "common"
number = 3
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """A folder that is not on the path, with the module `found_here`."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "found_here.py").write_text(MODULE)
    before = list(sys.path)
    yield (str(folder),)
    sys.path[:] = before


@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [
        ("Kept", (), 1),
        ("Kept", (("depth", "7"),), "7"),
        ("factory", (), 9),
        ("made", (), 4),
        ("Inner.detector", (), 5),
        ("demanding", (("model", "m"),), "m1"),
        ("anything", (("a", "1"), ("b", "2")), {"a": "1", "b": "2"}),
    ],
)
def test_classes_factories_and_objects(paths, name, options, depth):
    """What is called is called once with the options as keyword arguments; an object is taken as it is."""
    detector = build(Wanted(f"found_here:{name}", options, paths))
    assert isinstance(detector, Detector)
    assert detector.depth == depth


def test_parameters_with_a_default_are_options_of_a_function(paths):
    """They are handed to every call, as they were written, and bound by the fingerprint."""
    wanted = Wanted("found_here:find_with_limit", (), paths)
    asked = build(wanted._replace(options=(("limit", "2"),)))
    assert (
        asked.detect("four").selected[0].end == "2"
    )  # text, and what is made of it is the function's affair
    assert asked.fingerprint() != build(wanted).fingerprint()


def test_options_of_a_factory_are_bound(paths):
    """A function made with other options is another detector."""
    wanted = [Wanted("found_here:made_with", (("keep", keep),), paths) for keep in ("a", "b", "a")]
    prints = [build(one).fingerprint() for one in wanted]
    assert prints[0] == prints[2] != prints[1]


@pytest.mark.parametrize(("name", "end"), [("find", 4), ("find_with_limit", 3), ("factory_of_a_function", 4)])
def test_functions_from_text_become_detectors(paths, name, end):
    """One parameter without a default makes a function from text to spans; none makes a factory."""
    detector = build(Wanted(f"found_here:{name}", (), paths))
    assert isinstance(detector, FunctionDetector)
    assert detector.detect("four") == Detection((Span(0, end, "X"),))
    assert detector.name == name


def test_a_function_says_more_by_attributes(paths):
    """Its unit, version and label map."""
    detector = build(Wanted("found_here:find_utf16", (), paths))
    assert (detector.offset_unit, detector.version, detector.label_map) == ("utf16", "7", "common")


def test_a_function_is_bound_by_its_version():
    """Another version of the same source is another detector."""

    def find(text):
        return []

    prints = []
    for version in ("1", "2", "1"):
        find.version = version
        prints.append(FunctionDetector(find, "find").fingerprint())
    assert prints[0] == prints[2] != prints[1]


@pytest.mark.parametrize(
    ("given", "score"), [(0.25, 0.25), ("0.75", 0.75), (1, 1.0), (None, None), ("?", None)]
)
def test_scores_are_read_as_they_are(given, score):
    """Neither rounded nor cut off; what is no number is no score."""
    spans = [(0, 1, "X", given), {"start": 0, "end": 1, "label": "X", "score": given}]
    assert detection_of(spans) == Detection((Span(0, 1, "X", score),) * 2)


def test_a_function_is_bound_by_its_source(paths, tmp_path):
    """Another line in its module is another detector; the same source elsewhere is the same."""
    first = build(Wanted("found_here:find", (), paths)).fingerprint()
    (tmp_path / "found_there.py").write_text(MODULE)
    (tmp_path / "found_changed.py").write_text(MODULE.replace("len(text)", "len(text) - 1"))
    assert build(Wanted("found_there:find", (), (str(tmp_path),))).fingerprint() == first
    assert build(Wanted("found_changed:find", (), (str(tmp_path),))).fingerprint() != first


def test_folders_are_looked_in_last(tmp_path, monkeypatch):
    """A folder that is named hides no module that can be imported already, and is named once."""
    for folder, end in (("first", 1), ("second", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "found_twice.py").write_text(f"def find(text):\n    return [(0, {end}, 'X')]\n")
    before = [str(tmp_path / "first"), *sys.path]
    monkeypatch.setattr(sys, "path", list(before))
    second = str(tmp_path / "second")
    assert build(Wanted("found_twice:find", (), (second,))).detect("four").selected[0].end == 1
    build(Wanted("found_twice:find", (), (second,)))
    assert sys.path == [*before, second]


@pytest.mark.parametrize(
    ("name", "options", "rule"),
    [
        ("number", (), "--pii-detector: found_here:number is neither a detector nor callable"),
        (
            "Inner.lost",
            (),
            "--pii-detector: found_here has no attribute lost; it was found in modules0/found_here.py",
        ),
        ("two", (), "--pii-detector: found_here:two takes 2 arguments; a function from text takes one"),
        ("Kept.", (), "--pii-detector: found_here has no attribute ; it was found in modules0/found_here.py"),
        ("", (), "--pii-detector: name both, as in module:attribute"),
        ("find", (("size", "1"),), "--pii-detector-option: found_here:find takes no size; it takes: none"),
        ("made", (("depth", "1"),), "--pii-detector-option: found_here:made takes no depth; it takes: none"),
        ("demanding", (), "--pii-detector-option: found_here:demanding needs a value for: model"),
        (
            "demanding",
            (("model", "m"), ("speed", "1")),
            "--pii-detector-option: found_here:demanding takes no speed; it takes: model, size",
        ),
    ],
)
def test_faults_say_what_to_give(paths, name, options, rule):
    """One line, with the names of options but never their values."""
    with pytest.raises(Fault) as caught:
        build(Wanted(f"found_here:{name}", options, paths))
    assert str(caught.value) == rule


def test_every_adapter_has_its_extra_and_its_page():
    """Each name has an extra of its own, where it needs a library, and a section in the docs."""
    root = Path(__file__).parents[3]
    pages = (root / "docs/adapters.md").read_text(encoding="utf-8")
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    for name in ADAPTERS:
        assert f"\n## {name}\n" in pages
        assert f"\n{name} = [" in project or name in {"process", "redactor"}
