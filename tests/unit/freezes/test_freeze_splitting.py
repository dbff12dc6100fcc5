"""Assigning groups to parts: order, whole groups, sizes, and splits that cannot be made."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.splitting import Part, assigned, check_parts, targets

FEW = settings(max_examples=50, deadline=None)
HALF, THIRD = Fraction(1, 2), Fraction("0.333")
REST = Part("rest", "rest")

sizes_of_groups = st.dictionaries(
    st.text("abcdefgh-.7", min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=25
)


def share(name, size):
    """Return a part of a share."""
    return Part(name, str(size), share=Fraction(size))


def number(name, documents):
    """Return a part of a number of documents."""
    return Part(name, str(documents), documents=documents)


def filled(sizes, part_of, parts):
    """Return how many documents each part got."""
    got = [0] * parts
    for group, part in part_of.items():
        got[part] += sizes[group]
    return got


@pytest.mark.parametrize(
    ("seed", "first"), [("salt", ["ada", "bob"]), ("", ["ada", "dan"])], ids=["salt", "none"]
)
def test_the_seed_and_the_id_decide(seed, first):
    r"""Groups come in the order of `printf 'SEED\0ID' | sha256sum`, and here to both parts in turn."""
    part_of = assigned(dict.fromkeys(["ada", "bob", "cyd", "dan"], 1), [2, 2], seed)
    assert sorted(group for group, part in part_of.items() if part == 0) == first


@FEW
@given(sizes_of_groups, st.randoms(use_true_random=False), st.integers(0, 60))
def test_order_of_groups_changes_nothing(sizes, random, wish):
    """Rows and files may come in any order."""
    wanted = [min(wish, sum(sizes.values())), max(0, sum(sizes.values()) - wish)]
    shuffled = list(sizes.items())
    random.shuffle(shuffled)
    assert assigned(dict(shuffled), wanted, "salt") == assigned(sizes, wanted, "salt")


@FEW
@given(sizes_of_groups, st.lists(st.integers(1, 5), min_size=2, max_size=4))
def test_it_is_a_partition_of_the_groups(sizes, weights):
    """Each group is in one of the parts, and no other group is."""
    whole = sum(sizes.values())
    parts = [Part(str(at), "", share=Fraction(weight, sum(weights))) for at, weight in enumerate(weights)]
    part_of = assigned(sizes, targets(parts, whole), "salt")
    assert part_of.keys() == sizes.keys()
    assert set(part_of.values()) <= set(range(len(weights)))


@FEW
@given(st.lists(st.integers(1, 6), min_size=2, max_size=8), st.integers(1, 20))
def test_no_other_single_move_or_exchange_comes_nearer(sizes, wish):
    """Sizes are as near to what was asked as moving a group, or exchanging two, can bring them."""
    groups = {str(at): size for at, size in enumerate(sizes)}
    whole = sum(sizes)
    wanted = [min(wish, whole), whole - min(wish, whole)]
    part_of = assigned(groups, wanted, "salt")
    off = abs(filled(groups, part_of, 2)[0] - wanted[0])
    counts = Counter(part_of.values())
    for one, other in product(groups, repeat=2):
        moved = {**part_of, one: 1 - part_of[one]}
        if one != other and part_of[one] != part_of[other]:
            moved[other] = 1 - part_of[other]
        elif one != other or counts[part_of[one]] == 1:
            continue
        assert abs(filled(groups, moved, 2)[0] - wanted[0]) >= off


def test_groups_of_one_give_exact_sizes():
    """Where documents are groups of their own, parts get what was asked."""
    groups = {f"group-{at}": 1 for at in range(100)}
    assert filled(groups, assigned(groups, [70, 20, 10], "salt"), 3) == [70, 20, 10]


def test_a_large_group_goes_where_it_does_least_harm():
    """A group larger than any part goes to the largest; the others make up for it."""
    groups = {"large": 60, **{f"small-{at}": 1 for at in range(40)}}
    part_of = assigned(groups, [50, 25, 25], "salt")
    assert filled(groups, part_of, 3)[part_of["large"]] == 60
    assert part_of["large"] == 0
    assert sorted(filled(groups, part_of, 3)[1:]) == [20, 20]


@pytest.mark.parametrize(
    ("parts", "documents", "wanted"),
    [
        ([share("a", "0.5"), share("b", "0.5")], 10, [5, 5]),
        ([share("a", "0.5"), share("b", "0.5")], 11, [6, 5]),
        ([share("a", "0.3"), share("b", "0.7")], 9, [3, 6]),
        ([number("a", 3), REST], 10, [3, 7]),
        ([REST, share("a", "0.25"), number("b", 1)], 8, [5, 2, 1]),
        ([number("a", 4), number("b", 6)], 10, [4, 6]),
    ],
)
def test_sizes_become_numbers_of_documents(parts, documents, wanted):
    """What is asked sums up to all documents; what is over a whole number goes to the largest remainder."""
    assert targets(parts, documents) == wanted


def test_parts_that_ask_for_too_much_are_refused():
    """There are no more documents than there are."""
    with pytest.raises(Fault, match="the parts ask for more than the 10 documents that there are"):
        targets([number("a", 6), share("b", "0.5")], 10)


@pytest.mark.parametrize("parts", [[number("a", 6), number("b", 3)], [share("a", THIRD), share("b", HALF)]])
def test_parts_that_leave_documents_out_are_refused(parts):
    """A document in no part would be tested nowhere and known to nobody."""
    with pytest.raises(Fault, match="leave some of the 10 documents out; make one of them the rest"):
        targets(parts, 10)


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ([REST], "give two parts or more"),
        ([share("a", HALF), share("A", HALF)], "the part a is given twice"),
        ([REST, Part("b", "rest")], "only one part can be the rest"),
        ([share("a", "0.6"), share("b", HALF)], "the shares of the parts sum to more than 1"),
    ],
)
def test_what_is_no_split_is_refused(parts, rule):
    """One part, equal names (on some disks), two rests, and shares of more than all are no split."""
    with pytest.raises(Fault) as fault:
        check_parts(parts)
    assert str(fault.value) == rule
