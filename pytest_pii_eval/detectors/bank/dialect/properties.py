"""Unicode properties by the names that Rust's `regex` takes, written the way `regex` takes them."""

from __future__ import annotations

from pytest_pii_eval.detectors.bank.dialect.cursor import WHITE_SPACE
from pytest_pii_eval.detectors.bank.dialect.nodes import Negation, Property, Ranges, Set
from pytest_pii_eval.detectors.bank.dialect.sets import is_known
from pytest_pii_eval.detectors.bank.errors import BadExpression

_CATEGORIES = frozenset(
    """
    c cc cf cn co l lc ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s sc sk sm so z
    zl zp zs letter casedletter lowercaseletter uppercaseletter titlecaseletter modifierletter
    otherletter mark combiningmark spacingmark enclosingmark nonspacingmark number decimalnumber
    letternumber othernumber punctuation punct connectorpunctuation dashpunctuation openpunctuation
    closepunctuation initialpunctuation finalpunctuation otherpunctuation symbol mathsymbol
    currencysymbol modifiersymbol othersymbol separator spaceseparator lineseparator
    paragraphseparator other control cntrl format unassigned privateuse digit
    """.split()  # noqa: SIM905 -- a list literal would take a line for each name
)
_BOOLEANS = frozenset(
    """
     alphabetic lowercase uppercase whitespace emoji emojipresentation emojimodifier
    emojimodifierbase emojicomponent extendedpictographic asciihexdigit hexdigit cased caseignorable
    changeswhenlowercased changeswhenuppercased changeswhentitlecased changeswhencasefolded
    changeswhencasemapped dash hyphen defaultignorablecodepoint deprecated diacritic extender
    graphemebase graphemeextend idstart idcontinue xidstart xidcontinue ideographic joincontrol math
    noncharactercodepoint patternsyntax patternwhitespace quotationmark radical regionalindicator
    sentenceterminal softdotted terminalpunctuation unifiedideograph variationselector bidimirrored
    bidicontrol
    """.split()  # noqa: SIM905 -- a list literal would take a line for each name
)
# Written out, because `regex` takes some of the short names for those of blocks.
_SHORT_BOOLEANS = dict(
    pair.split("=")
    for pair in """
    alpha=alphabetic lower=lowercase upper=uppercase space=whitespace epres=emojipresentation
    emod=emojimodifier ebase=emojimodifierbase ecomp=emojicomponent extpict=extendedpictographic
    ahex=asciihexdigit hex=hexdigit ci=caseignorable cwl=changeswhenlowercased
    cwu=changeswhenuppercased cwt=changeswhentitlecased cwcf=changeswhencasefolded
    cwcm=changeswhencasemapped di=defaultignorablecodepoint dep=deprecated dia=diacritic
    ext=extender grbase=graphemebase grext=graphemeextend ids=idstart idc=idcontinue xids=xidstart
    xidc=xidcontinue ideo=ideographic joinc=joincontrol nchar=noncharactercodepoint
    patsyn=patternsyntax patws=patternwhitespace qmark=quotationmark ri=regionalindicator
    sterm=sentenceterminal sd=softdotted term=terminalpunctuation uideo=unifiedideograph
    vs=variationselector bidim=bidimirrored bidic=bidicontrol
    """.split()  # noqa: SIM905 -- a list literal would take a line for each name
)
_KEYS = {
    "gc": "gc",
    "generalcategory": "gc",
    "sc": "sc",
    "script": "sc",
    "scx": "scx",
    "scriptextensions": "scx",
    "gcb": "gcb",
    "graphemeclusterbreak": "gcb",
    "wb": "wb",
    "wordbreak": "wb",
    "sb": "sb",
    "sentencebreak": "sb",
}
_EVERYTHING = {"any": Ranges(((0, 0x10FFFF),)), "ascii": Ranges(((0, 127),))}


def property_set(name: str) -> Set:
    """Return the set of a property: `L`, `Greek`, `sc=Greek`, `sc!=Greek`; raises `BadExpression`."""
    for separator in ("!=", "=", ":"):
        key, found, value = name.partition(separator)
        if found:
            inner = _by_key(_plain(key), _plain(value))
            return Negation(inner) if separator == "!=" else inner
    return _by_value(_plain(name))


def _plain(name: str) -> str:
    """Return `name` as Unicode compares property names: without case, space, `_`, `-` and a leading `is`."""
    start = 2 if name[:2].lower() == "is" and name.lower() != "isc" else 0
    return "".join(c for c in name[start:] if c not in WHITE_SPACE and c not in "_-").lower()


def _by_value(value: str) -> Set:
    if value in _EVERYTHING:
        return _EVERYTHING[value]
    if value == "assigned":
        return Negation(Property(r"\p{gc=cn}"))
    value = _SHORT_BOOLEANS.get(value, value)
    if value in _BOOLEANS:
        return _checked(value)
    return _by_key("gc" if value in _CATEGORIES else "sc", value)


def _by_key(key: str, value: str) -> Set:
    if key not in _KEYS or not value:
        raise BadExpression("a Unicode property that is not known")
    kind = _KEYS[key]
    if kind == "gc" and value not in _CATEGORIES:
        if value in _EVERYTHING or value == "assigned":
            return _by_value(value)
        raise BadExpression("a Unicode property that is not known")
    return _checked(f"{kind}={value}")


def _checked(name: str) -> Set:
    source = f"\\p{{{name}}}"
    if not name.replace("=", "").isascii() or not name.replace("=", "").isalnum() or not is_known(source):
        raise BadExpression("a Unicode property that is not known")
    return Property(source)
