"""The content of the built-in taxonomy: types of the shipped bank, labels of common corpora and detectors."""

from __future__ import annotations

from itertools import chain
from typing import Final

_CLASSES: Final = {
    "account": "membership",
    "biometric": "iris_scan",
    "business": "product project",
    "contact": "contact email fax_archive mail_header phone telex user_handle",
    "demographic": "age nationality title",
    "device": "device_id mac_address vehicle",
    "gov_id": "driving_licence gov_id national_id passport tax_business_id",
    "health": "medical",
    "location": "coordinates place postal_address",
    "network": "domain_name ip_address url",
    "organization": "company",
    "payment": "bank_account crypto_wallet iban payment payment_card",
    "person": "person person_native",
    "secret": "secret",
    "time": "date_of_birth date_time",
}

_PRESIDIO: Final = {
    "AGE": "age",
    "AU_ABN": "tax_business_id",
    "AU_ACN": "tax_business_id",
    "AU_MEDICARE": "national_id",
    "AU_TFN": "national_id",
    "CREDIT_CARD": "payment_card",
    "CRYPTO": "crypto_wallet",
    "DATE_TIME": "date_time",
    "DOMAIN_NAME": "domain_name",
    "EMAIL_ADDRESS": "email",
    "ES_NIE": "national_id",
    "ES_NIF": "national_id",
    "GPE": "place",
    "IBAN_CODE": "iban",
    "IN_AADHAAR": "national_id",
    "IN_PAN": "national_id",
    "IN_PASSPORT": "passport",
    "IP_ADDRESS": "ip_address",
    "IT_DRIVER_LICENSE": "driving_licence",
    "IT_FISCAL_CODE": "national_id",
    "IT_IDENTITY_CARD": "national_id",
    "IT_PASSPORT": "passport",
    "IT_VAT_CODE": "tax_business_id",
    "LOCATION": "place",
    "MEDICAL_LICENSE": "medical",
    "NRP": "nationality",
    "ORGANIZATION": "company",
    "PERSON": "person",
    "PHONE_NUMBER": "phone",
    "PL_PESEL": "national_id",
    "SG_NRIC_FIN": "national_id",
    "STREET_ADDRESS": "postal_address",
    "TITLE": "title",
    "UK_NHS": "national_id",
    "UK_NINO": "national_id",
    "URL": "url",
    "US_BANK_NUMBER": "bank_account",
    "US_DRIVER_LICENSE": "driving_licence",
    "US_ITIN": "national_id",
    "US_PASSPORT": "passport",
    "US_SSN": "national_id",
    "ZIP_CODE": "postal_address",
}

_PL_PII_BENCH: Final = {
    "DOB": "date_of_birth",
    "DOWOD": "national_id",
    "DRIVING_LICENSE": "driving_licence",
    "EMAIL": "email",
    "IBAN": "iban",
    "LOC": "place",
    "NIP": "tax_business_id",
    "ORG": "company",
    "PASSPORT": "passport",
    "PAYMENT_CARD": "payment_card",
    "PERSON": "person",
    "PESEL": "national_id",
    "PHONE": "phone",
    "POSTAL": "postal_address",
    "REGON": "tax_business_id",
    "VEHICLE_PLATE": "vehicle",
    "VIN": "vehicle",
}

# The words of spec/evaluation.md and those that detectors without a list of their own tend to use.
_COMMON: Final = {
    "ADDRESS": "postal_address",
    "BANK_ACCOUNT": "bank_account",
    "CITY": "place",
    "COMPANY": "company",
    "DATE": "date_time",
    "DATE_OF_BIRTH": "date_of_birth",
    "DRIVER_LICENSE": "driving_licence",
    "EMAIL": "email",
    "GOV_ID": "gov_id",
    "IBAN": "iban",
    "IP": "ip_address",
    "IP_ADDRESS": "ip_address",
    "LOC": "place",
    "LOCATION": "place",
    "ORG": "company",
    "ORGANIZATION": "company",
    "PASSPORT": "passport",
    "PASSWORD": "secret",
    "PAYMENT": "payment",
    "PER": "person",
    "PERSON": "person",
    "PHONE": "phone",
    "SECRET": "secret",
    "SSN": "national_id",
    "URL": "url",
    "USERNAME": "user_handle",
}

_TYPES: Final = {name: class_ for class_, names in _CLASSES.items() for name in names.split()}
_LABEL_MAPS: Final = {"common": _COMMON, "pl_pii_bench": _PL_PII_BENCH, "presidio": _PRESIDIO}

# A label is a type as well, of the class of the type that it maps to, so gold may keep a corpus' own labels.
DEFAULT: Final = {
    "version": "pii_eval.taxonomy.v1",
    "types": _TYPES
    | {
        label: _TYPES[type_]
        for label, type_ in chain.from_iterable(map_.items() for map_ in _LABEL_MAPS.values())
    },
    "label_maps": _LABEL_MAPS,
}
