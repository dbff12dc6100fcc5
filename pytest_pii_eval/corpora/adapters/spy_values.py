"""What the placeholders of SPY are filled with: one profile a row from a seeded Faker; rows live in `spy`."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from faker import Faker

FILL: Final = "spy-fill.v1"
"""How values are drawn; it changes whenever the same seed and Faker version give other values."""

_LOCALE: Final = "en_US"

# The order of types, and that of the generators of a type, decide the values.
_GENERATORS: Final[Mapping[str, tuple[Callable[[Faker], str], ...]]] = {
    "EMAIL": (lambda fake: fake.ascii_email(), lambda fake: fake.ascii_free_email()),
    "NAME": (lambda fake: fake.name(),),
    "URL": (lambda fake: fake.uri(deep=1), lambda fake: fake.uri(deep=2)),
    "PHONE_NUM": (lambda fake: fake.phone_number(),),
    "ID_NUM": (
        lambda fake: fake.ripe_id(),
        lambda fake: fake.msisdn(),
        lambda fake: fake.ssn(),
        lambda fake: fake.sbn9(),
        lambda fake: fake.isbn10(),
        lambda fake: fake.isbn13(),
        lambda fake: fake.credit_card_number(),
        lambda fake: fake.aba(),
        lambda fake: fake.bban(),
        lambda fake: fake.iban(),
    ),
    "ADDRESS": (lambda fake: fake.street_address(),),
    "USERNAME": (lambda fake: fake.user_name(),),
}

TYPES: Final = tuple(_GENERATORS)


def faker_of_version(wanted: str) -> Faker:
    """Return a Faker; raises `Fault` unless exactly the version `wanted` of it is installed."""
    try:
        import faker  # noqa: PLC0415  # optional, and slow to import
    except ModuleNotFoundError:
        raise Fault(f"SPY is filled by Faker, which is not installed: pip install Faker=={wanted}") from None
    if wanted != faker.VERSION:
        rule = f"names Faker {wanted}, installed is {faker.VERSION}: pip install Faker=={wanted}"
        raise Fault(rule, field="options.faker")
    return faker.Faker(_LOCALE)


def profile(fake: Faker, seed: int, row: int) -> dict[str, list[str]]:
    """Return the words of one value a type; they depend on `seed` and the number of the row alone.

    The generators of a type that has several are drawn from with equal chance.
    """
    digest = hashlib.sha256(f"{FILL}:{seed}:{row}".encode()).digest()
    source = Random(int.from_bytes(digest[:8], "big"))  # noqa: S311  # must repeat, and keeps no secret
    fake.seed_instance(source.getrandbits(64))
    return {label: source.choice(generators)(fake).split() for label, generators in _GENERATORS.items()}
