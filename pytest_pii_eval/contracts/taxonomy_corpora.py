"""The labels of the pinned public corpora as types of the built-in taxonomy; data, no rules."""

from __future__ import annotations

from typing import Final

_CMU_ENRON_MEETINGS: Final = {"true_name": "person"}

# The 29 labels of gretelai/synthetic_pii_finance_multilingual.
_GRETEL_FINANCE: Final = {
    "account_pin": "secret",
    "api_key": "secret",
    "bank_routing_number": "bank_account",
    "bban": "bank_account",
    "company": "company",
    "credit_card_number": "payment_card",
    "credit_card_security_code": "secret",
    "customer_id": "membership",
    "date": "date_time",
    "date_of_birth": "date_of_birth",
    "date_time": "date_time",
    "driver_license_number": "driving_licence",
    "email": "email",
    "employee_id": "membership",
    "first_name": "person",
    "iban": "iban",
    "ipv4": "ip_address",
    "ipv6": "ip_address",
    "last_name": "person",
    "local_latlng": "coordinates",
    "name": "person",
    "passport_number": "passport",
    "password": "secret",
    "phone_number": "phone",
    "ssn": "national_id",
    "street_address": "postal_address",
    "swift_bic_code": "bank_account",
    "time": "date_time",
    "user_name": "user_handle",
}

# The 55 labels of nvidia/Nemotron-PII.
_NEMOTRON_PII: Final = {
    "account_number": "bank_account",
    "age": "age",
    "api_key": "secret",
    "bank_routing_number": "bank_account",
    "biometric_identifier": "biometric",
    "blood_type": "medical",
    "certificate_license_number": "gov_id",
    "city": "place",
    "company_name": "company",
    "coordinate": "coordinates",
    "country": "place",
    "county": "place",
    "credit_debit_card": "payment_card",
    "customer_id": "membership",
    "cvv": "secret",
    "date": "date_time",
    "date_of_birth": "date_of_birth",
    "date_time": "date_time",
    "device_identifier": "device_id",
    "education_level": "education",
    "email": "email",
    "employee_id": "membership",
    "employment_status": "occupation",
    "fax_number": "phone",
    "first_name": "person",
    "gender": "gender",
    "health_plan_beneficiary_number": "medical",
    "http_cookie": "secret",
    "ipv4": "ip_address",
    "ipv6": "ip_address",
    "language": "language",
    "last_name": "person",
    "license_plate": "vehicle",
    "mac_address": "mac_address",
    "medical_record_number": "medical",
    "national_id": "national_id",
    "occupation": "occupation",
    "password": "secret",
    "phone_number": "phone",
    "pin": "secret",
    "political_view": "political_view",
    "postcode": "postal_address",
    "race_ethnicity": "ethnicity",
    "religious_belief": "religion",
    "sexuality": "sexuality",
    "ssn": "national_id",
    "state": "place",
    "street_address": "postal_address",
    "swift_bic": "bank_account",
    "tax_id": "tax_business_id",
    "time": "date_time",
    "unique_id": "membership",
    "url": "url",
    "user_name": "user_handle",
    "vehicle_identifier": "vehicle",
}

# The 20 labels of ai4privacy/open-pii-masking-500k-ai4privacy.
_OPEN_PII_MASKING: Final = {
    "AGE": "age",
    "BUILDINGNUM": "postal_address",
    "CITY": "place",
    "CREDITCARDNUMBER": "payment_card",
    "DATE": "date_time",
    "DRIVERLICENSENUM": "driving_licence",
    "EMAIL": "email",
    "GENDER": "gender",
    "GIVENNAME": "person",
    "IDCARDNUM": "national_id",
    "PASSPORTNUM": "passport",
    "SEX": "gender",
    "SOCIALNUM": "national_id",
    "STREET": "postal_address",
    "SURNAME": "person",
    "TAXNUM": "tax_business_id",
    "TELEPHONENUM": "phone",
    "TIME": "date_time",
    "TITLE": "title",
    "ZIPCODE": "postal_address",
}

_SPY: Final = {
    "ADDRESS": "postal_address",
    "EMAIL": "email",
    "ID_NUM": "gov_id",
    "NAME": "person",
    "PHONE_NUM": "phone",
    "URL": "url",
    "USERNAME": "user_handle",
}

# Quantities and what TAB calls MISC are no types of ours; a pin leaves them out.
_TAB: Final = {
    "CODE": "membership",
    "DATETIME": "date_time",
    "DEM": "demographic",
    "LOC": "place",
    "ORG": "company",
    "PERSON": "person",
}

CORPUS_LABEL_MAPS: Final = {
    "cmu_enron_meetings": _CMU_ENRON_MEETINGS,
    "gretel_finance": _GRETEL_FINANCE,
    "nemotron_pii": _NEMOTRON_PII,
    "open_pii_masking": _OPEN_PII_MASKING,
    "spy": _SPY,
    "tab": _TAB,
}
"""Label maps by the name that a pin gives."""
