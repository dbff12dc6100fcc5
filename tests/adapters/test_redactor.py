"""The redactor adapter: masked text in, removed ranges out."""

from __future__ import annotations

import re
import sys

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.redactor import RedactorDetector
from pytest_pii_eval.detectors.alignment import AmbiguousAlignment, NotAMasking
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.finding import Wanted, build

MAIL = re.compile(r"[\w.]+@[\w.]+\w")
NAME = re.compile("Bob|Al")

PRODUCT = """
import re

def mask(text):
    return re.sub("Bob|Al", "<PERSON>", text)

class Gateway:
    def mask(self, text):
        return re.sub("Bob|Al", lambda match: "#" * len(match.group()), text)

gateway = Gateway()
number = 7
"""


def masked(text):
    return NAME.sub("<PERSON>", MAIL.sub("[EMAIL_1]", text))


@pytest.fixture
def product(tmp_path, monkeypatch):
    (tmp_path / "own_redactor.py").write_text(PRODUCT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "own_redactor"
    sys.modules.pop("own_redactor", None)


def test_removed_ranges_are_spans_and_protection():
    """Each range is one span with the letters of its placeholder, and the same ranges protect."""
    assert RedactorDetector(masked).detect("Bob is b@x.example, ok") == Detection(
        (Span(0, 3, "PERSON"), Span(7, 18, "EMAIL")), None, ((0, 3), (7, 18))
    )


def test_text_without_finds_has_no_spans():
    """An untouched text is an answer: nothing was removed, and that is known."""
    assert RedactorDetector(masked).detect("nothing here") == Detection((), None, ())


def test_touching_placeholders_that_disagree_are_labelled_masked():
    """One range has one label; PERSON and EMAIL together have none."""
    detector = RedactorDetector(lambda text: text.replace("Bobb@x.example", "<PERSON><EMAIL>"))
    assert detector.detect("to Bobb@x.example!").selected == (Span(3, 17, "MASKED"),)


def test_touching_placeholders_that_agree_keep_their_label():
    """Two persons in a row are one range of PERSON."""
    assert RedactorDetector(masked).detect("to BobAl!").selected == (Span(3, 8, "PERSON"),)


def test_the_label_option_labels_every_span():
    """A product whose placeholders say nothing can be given a label."""
    detector = RedactorDetector(masked, label="person")
    assert [span.type for span in detector.detect("Bob, b@x.example").selected] == ["person", "person"]


def test_an_ambiguous_text_is_refused():
    """A look-alike in the text leaves open whether it was masked: the document has no answer."""
    with pytest.raises(AmbiguousAlignment):
        RedactorDetector(masked).detect("see <PERSON> and Bob")


def test_a_rewritten_text_is_refused():
    """A product that changes other text as well cannot be aligned."""
    with pytest.raises(NotAMasking):
        RedactorDetector(lambda text: masked(text).upper()).detect("Bob rang")


@pytest.mark.parametrize("answer", [None, b"<PERSON>", ("<PERSON>", {})])
def test_what_is_no_text_is_refused(answer):
    """An answer of another kind is told by its rule, without a value."""
    with pytest.raises(BadAnswer, match="the masked text is no text"):
        RedactorDetector(lambda _: answer).detect("Bob")


def test_it_is_found_by_name_with_text_options(product):
    """The command line names function, placeholder and label as text; a method of an object will do."""
    options = (("function", f"{product}:gateway.mask"), ("placeholder", "#+"), ("label", "NAME"))
    detector = build(Wanted("redactor", options))
    assert (detector.name, detector.offset_unit) == ("redactor", "codepoint")
    assert detector.detect("to \U0001f600 Bob, Al").selected == (Span(5, 8, "NAME"), Span(10, 12, "NAME"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "needs a value for: function"),
        ((("function", "own_redactor"),), "function must be module:attribute"),
        ((("function", "no_such_module:mask"),), "function: there is no module no_such_module"),
        ((("function", "own_redactor:maskk"),), "function: own_redactor has no attribute maskk"),
        ((("function", "own_redactor:number"),), "function is not callable"),
        (
            (("function", "own_redactor:mask"), ("placeholder", "(")),
            "placeholder must be a regular expression",
        ),
        ((("function", "own_redactor:mask"), ("placeholder", "#*")), "matches no empty text"),
    ],
)
def test_wrong_options_are_one_line(product, options, message):
    """What is wrong with an option is said when the detector is built."""
    with pytest.raises(Fault, match=re.escape(message)) as fault:
        build(Wanted("redactor", options))
    assert "\n" not in str(fault.value)


def test_the_fingerprint_binds_function_and_options(product, tmp_path):
    """Another function, placeholder, label or source of the module is another detector."""

    def print_of(**options):
        return RedactorDetector(**{"function": f"{product}:mask", **options}).fingerprint()

    prints = {
        print_of(),
        print_of(function=f"{product}:gateway.mask"),
        print_of(placeholder="#+"),
        print_of(label="NAME"),
    }
    assert len(prints) == 4
    assert print_of() == print_of()
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", one) for one in prints)


@pytest.mark.filterwarnings("ignore:Filth.replace_with:DeprecationWarning")  # clean calls it itself
def test_a_real_product_is_aligned():
    """The `clean` of scrubadub is a redactor: {{EMAIL}} and {{PHONE}} stand for what it removed."""
    scrubadub = pytest.importorskip("scrubadub", reason="the extra `scrubadub` is not installed")
    detector = RedactorDetector(scrubadub.clean)
    text = "write to k.osei@post.example or call +44 20 7946 0958 today"
    assert detector.detect(text) == Detection(
        (Span(9, 28, "EMAIL"), Span(37, 53, "PHONE")), None, ((9, 28), (37, 53))
    )
