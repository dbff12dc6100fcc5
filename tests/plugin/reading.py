"""Reading what a run said: failed ids, the aggregate, verdicts, and patterns of a bank to change."""


def failures(result):
    """Return the failed ids of a run, from its short summary."""
    lines = [line for line in result.outlines if line.startswith("FAILED ")]
    return {line.split()[1].rpartition("::")[2] for line in lines}


def conformance(suite, **wanted):
    """Check fields of the aggregate of the last report."""
    told = suite.report()["conformance"]
    assert {field: told[field] for field in wanted} == wanted


def verdicts(suite):
    """Return metric to verdict of the gates of the last report."""
    return {gate["id"].removeprefix("conformance."): gate["verdict"] for gate in suite.report()["gates"]}


def patterns_of(suite, entity_id, name_id):
    """Return the patterns of one name of the bank, to change."""
    return suite.bank["entities"][entity_id]["names"][name_id]["patterns"]


def lines_of(result):
    """Return all that a run printed."""
    return result.stdout.str() + result.stderr.str()
