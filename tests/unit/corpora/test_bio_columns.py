"""Rows with lists of tokens and tags: exact white space, ids, and what is refused."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from standoff_files import array_file, drafts, lines_file, reasons

ROW = {
    "tokens": ["Anna", "-", "Bo", "Åkesson", ",", "\n\n", "hej"],
    "tags": ["B-PER", "I-PER", "I-PER", "I-PER", "O", "O", "O"],
    "trailing_whitespaces": [False, False, True, False, True, False, True],
}


def test_trailing_white_space_rebuilds_the_text_exactly(tmp_path):
    """A blank stands where the list says, also at the end, and none where it does not."""
    (draft,) = drafts(lines_file(tmp_path, ROW), "bio", shape="columns")
    assert draft.text == "Anna-Bo Åkesson, \n\nhej "
    assert (draft.row, draft.document_id, draft.template_id) == (1, "1", None)
    assert draft.spans == ((0, 15, "PER"),)


def test_rows_without_white_space_are_joined_by_one_blank(tmp_path):
    """Where the column is absent or null, as some data sets are."""
    bare = {"tokens": ["Bo", "!", "Bo"], "tags": ["B-PER", "O", "B-PER"]}
    path = lines_file(tmp_path, bare, {**bare, "trailing_whitespaces": None})
    found = drafts(path, "bio", shape="columns")
    assert [(one.text, one.spans) for one in found] == [("Bo ! Bo", ((0, 2, "PER"), (5, 7, "PER")))] * 2


def test_adjacent_spans_stay_two(tmp_path):
    """B- B- are two spans, with and without white space between them."""
    row = {"tokens": ["a", "b"], "tags": ["B-X", "B-X"], "trailing_whitespaces": [False, False]}
    (draft,) = drafts(lines_file(tmp_path, row), "bio", shape="columns")
    assert (draft.text, draft.spans) == ("ab", ((0, 1, "X"), (1, 2, "X")))


def test_columns_have_the_names_that_options_give(tmp_path):
    """Ids may be whole numbers, and a null template says that the text has its own."""
    rows = [
        {"words": ["Bo"], "ner": ["B-PER"], "ws": [True], "uid": 7, "tpl": "t1"},
        {"words": ["Bo"], "ner": ["O"], "ws": [False], "uid": "x", "tpl": None},
    ]
    options = {
        "shape": "columns",
        "tokens": "words",
        "tags": "ner",
        "trailing_whitespaces": "ws",
        "document_id": "uid",
        "template_id": "tpl",
    }
    expected = [("7", "Bo ", "t1"), ("x", "Bo", None)]
    for path in (lines_file(tmp_path, *rows), array_file(tmp_path, *rows), parquet_file(tmp_path, rows)):
        found = drafts(path, "bio", **options)
        assert [(one.document_id, one.text, one.template_id) for one in found] == expected


def parquet_file(folder, rows):
    columns = {name: [str(row[name]) if name == "uid" else row[name] for row in rows] for name in rows[0]}
    path = folder / "rows.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet_may_lack_the_column_of_white_space(tmp_path):
    """Where the option does not name it, a file without it is joined by blanks."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"tokens": [["a", "Bo"]], "tags": [["O", "B-PER"]]}), path)
    (draft,) = drafts(path, "bio", shape="columns")
    assert (draft.text, draft.spans) == ("a Bo", ((2, 4, "PER"),))


def test_document_without_tokens_is_empty(tmp_path):
    """An empty document is a document."""
    row = {"tokens": [], "tags": [], "trailing_whitespaces": []}
    (draft,) = drafts(
        lines_file(
            tmp_path,
            row,
        ),
        "bio",
        shape="columns",
    )
    assert (draft.text, draft.spans) == ("", ())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tags": ["B-PER"]}, "bad_tag"),
        ({"tags": ["B-PER", "I-PER", "I-PER", "I-PER", "O", "O", 0]}, "bad_tag"),
        ({"tags": "BIIIOOO"}, "bad_tag"),
        ({"tags": None}, "bad_tag"),
        ({"trailing_whitespaces": [True]}, "bad_tag"),
        ({"trailing_whitespaces": [0, 0, 1, 0, 1, 0, 1]}, "row_not_readable"),
        ({"tokens": ["Anna", "-", "Bo", "Åkesson", ",", "\n\n", 7]}, "text_not_string"),
        ({"tokens": "Anna-Bo"}, "text_not_string"),
        ({"tokens": ["", "", "", "", "x", "x", "x"], "trailing_whitespaces": [False] * 7}, "empty_span"),
    ],
)
def test_lists_that_do_not_fit_quarantine_their_row(tmp_path, change, reason):
    """Lists of different length, class numbers for tags, numbers for flags: the row is refused alone."""
    assert reasons(lines_file(tmp_path, {**ROW, **change}, ROW), "bio", shape="columns") == [reason, "fits"]


def test_absent_columns_and_rows_that_are_no_objects(tmp_path):
    """A row without a column that is needed, or that is no object, is refused for that."""
    options = {"shape": "columns", "trailing_whitespaces": "trailing_whitespaces", "document_id": "id"}
    bare = {name: ROW[name] for name in ("tokens", "tags")}
    path = lines_file(tmp_path, {**bare, "id": 1}, ROW, {**ROW, "id": 1.5}, [1], {**ROW, "id": "a"})
    assert reasons(path, "bio", **options) == [
        "field_missing",
        "field_missing",
        "field_missing",
        "row_not_readable",
        "fits",
    ]
