"""Files of rows in every container: the same rows, from any row on, and what is refused of packed ones."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tracemalloc
import zlib
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from row_containers import NAMES, PACKED, lines, record, write, zstd

from pytest_pii_eval.contracts import parquet_rows
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.contracts.row_files import RowFiles, container_of, open_row_file, row_file_of

CANARY = "Quenby Nowhere"
ROWS = [record(number, f"{CANARY} {number}") for number in range(1, 101)]


def values(path) -> list:
    """Return what the rows of a file say."""
    with open_row_file(path) as file:
        return [row.value for row in file.rows()]


def fault(path) -> str:
    """Return the fault of a file, which shows nothing of its text nor of what a library says."""
    with pytest.raises(Fault) as caught:
        values(path)
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


@pytest.fixture(params=[".gz", ".zst"])
def packed(request, tmp_path):
    """Write bytes into a packed file that its name says the packing of; return the function that does."""

    def write_packed(content, *, cut=None, behind=b""):
        path = tmp_path / f"rows.jsonl{request.param}"
        path.write_bytes(PACKED[request.param](content)[:cut] + behind)
        return path

    write_packed.name = {".gz": "gzip", ".zst": "Zstandard"}[request.param]
    return write_packed


@pytest.mark.parametrize(
    ("name", "container"),
    [
        ("quality-records.jsonl", "jsonl"),
        ("quality-records.jsonl.gz", "gzip"),
        ("quality-records.jsonl.zst", "zstd"),
        ("quality-records.parquet", "parquet"),
        ("gz", "gzip"),
        ("a.gz.jsonl", "jsonl"),
    ],
)
def test_the_end_of_a_name_tells_the_container(name, container) -> None:
    """Nothing else does: the content is held to it."""
    assert container_of(name) == container


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_every_container_gives_the_same_rows(tmp_path, name, members) -> None:
    """In one member, frame or row group, or in several."""
    assert values(write(tmp_path / name, ROWS, members=members)) == ROWS


@pytest.mark.parametrize("name", NAMES[:3])
def test_rows_of_packed_lines_lie_where_the_lines_lie(tmp_path, name) -> None:
    """Offsets and sizes are those of the lines, whatever they are packed in; `raw` is the line."""
    with open_row_file(write(tmp_path / name, ROWS)) as file:
        found = [(row.line, row.offset, row.size, row.raw) for row in file.rows()]
    content = lines(ROWS)
    assert [line for line, *_ in found] == list(range(1, 101))
    assert all(content[offset : offset + size] == raw for _, offset, size, raw in found)
    assert b"".join(raw + b"\n" for *_, raw in found) == content


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_reading_goes_on_from_any_row(data, tmp_path_factory) -> None:
    """Whichever rows were read before, and in whichever order parts are asked for."""
    name = data.draw(st.sampled_from(NAMES))
    folder = tmp_path_factory.mktemp("rows")
    path = write(folder / name, ROWS, members=data.draw(st.integers(1, 4)))
    with open_row_file(path) as file:
        places = [(row.line - 1, row.offset) for row in file.rows()]
    files = RowFiles()
    for at, count in data.draw(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 40)), max_size=6)):
        with files.open(path) as file:
            line, offset = places[at]
            part = list(islice(file.rows(line=line, offset=offset), count))
        assert [row.value for row in part] == ROWS[at : at + count]
        assert [(row.line - 1, row.offset) for row in part] == places[at : at + count]
    files.close()


@pytest.mark.parametrize("name", NAMES[1:])
def test_parts_in_order_are_read_from_one_beginning(tmp_path, name, monkeypatch) -> None:
    """Ten parts of a packed file need no more of its bytes than the file has."""
    path = write(tmp_path / name, [record(n, os.urandom(3000).hex()) for n in range(200)], members=2)
    with open_row_file(path) as file:
        places = [(row.line - 1, row.offset) for row in file.rows()]
    taken = []
    count = zlib.decompressobj, zstd.ZstdDecompressor

    def counted(make):
        def made(*arguments, **options):
            taken.append(1)
            return make(*arguments, **options)

        return made

    monkeypatch.setattr(zlib, "decompressobj", counted(count[0]))
    monkeypatch.setattr(zstd, "ZstdDecompressor", counted(count[1]))
    files = RowFiles()
    seen = []
    for at in range(0, 200, 20):
        with files.open(path) as file:
            line, offset = places[at]
            seen += [file, *islice(file.rows(line=line, offset=offset), 20)]
    assert len({id(one) for one in seen[::21]}) == 1
    assert len(taken) == (0 if name.endswith("parquet") else 2)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_was_replaced_is_another_file(tmp_path, name) -> None:
    """The kept file is let go of, and the state is that of the new one."""
    files = RowFiles()
    with files.open(write(tmp_path / name, ROWS)) as file:
        state = file.state
        assert next(file.rows()).value == ROWS[0]
    write(tmp_path / "new", ROWS[5:]) if name == "rows.jsonl" else write(tmp_path / f"new-{name}", ROWS[5:])
    (tmp_path / ("new" if name == "rows.jsonl" else f"new-{name}")).replace(tmp_path / name)
    with files.open(tmp_path / name) as file:
        assert next(file.rows()).value == ROWS[5]
        with pytest.raises(Fault, match="changed while the run went on; run again"):
            file.check_unchanged(state)


def test_a_file_in_use_is_not_given_away(tmp_path) -> None:
    """Who reads the same packed file inside reads it by itself."""
    path = write(tmp_path / "rows.jsonl.gz", ROWS)
    files = RowFiles()
    with files.open(path) as kept:
        assert next(kept.rows()).line == 1
    with files.open(path) as one, files.open(path) as other:
        assert one is kept
        assert other is not kept
        assert next(one.rows()).line == 1
        assert len(list(other.rows())) == 100


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_row_that_was_refused_is_refused_again(tmp_path, name, monkeypatch) -> None:
    """Reading anew does not go on behind it."""
    monkeypatch.setattr(parquet_rows, "MAX_LINE_BYTES", 400)
    rows = [*ROWS[:5], record(6, "long" * 200), *ROWS[6:]]
    path = write(tmp_path / name, rows)
    if not name.endswith("parquet"):
        content = lines(rows).replace(b'"doc-6"', b'"doc-6" "doc-6"', 1)
        path.write_bytes(PACKED[path.suffix](content))
    behind = 5 if name.endswith("parquet") else len(lines(rows[:5]))
    with open_row_file(path) as file:
        for line, offset in ((0, 0), (5, behind), (5, behind)):
            with pytest.raises(Fault) as caught:
                list(file.rows(line=line, offset=offset))
            assert caught.value.line == 6
        assert [row.value for row in islice(file.rows(), 5)] == rows[:5]


@pytest.mark.parametrize("name", NAMES)
def test_a_handle_without_a_descriptor_is_read(tmp_path, name) -> None:
    """Storage elsewhere gives such handles; of their state nothing is known, and it never differs."""
    handle = io.BytesIO(write(tmp_path / name, ROWS).read_bytes())
    file = row_file_of(handle, "shown", container=container_of(name))
    assert [row.value for row in file.rows()] == ROWS
    file.check_unchanged()
    assert file.state == ()


def test_a_file_without_rows_has_none(packed) -> None:
    """Packed nothing is no row, as nothing is."""
    assert values(packed(b"")) == []


def test_a_file_without_bytes_is_refused(packed) -> None:
    """It is what is left where writing was cut off before it began."""
    path = packed(b"")
    path.write_bytes(b"")
    assert fault(path) == f"{path.name}:1: is empty; not even {packed.name} data of nothing are that"


@pytest.mark.parametrize("cut", [5, -1, -9])
def test_a_file_that_is_cut_off_is_refused(packed, cut) -> None:
    """In its head, and by one byte or nine."""
    path = packed(lines(ROWS), cut=cut)
    assert fault(path).endswith(f": {packed.name} data end too early; the file is cut off")


@pytest.mark.parametrize("behind", [b"\0", b"{}\n", b"\0" * 512, b"\x1f", b"\x28\xb5"])
def test_anything_behind_the_end_is_refused(packed, behind) -> None:
    """Zeros, lines, and half a mark of what it might be; the line is the one behind the last."""
    path = packed(lines(ROWS), behind=behind)
    assert fault(path) == f"{path.name}:101: goes on behind its {packed.name} data with something else"


@pytest.mark.parametrize("place", [-8, -3])
def test_a_wrong_checksum_or_length_is_refused(tmp_path, place) -> None:
    """A member ends with both, and neither is passed over."""
    content = bytearray(gzip.compress(lines(ROWS)))
    content[place] ^= 1
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(content)
    assert "gzip data are broken in this line or behind it" in fault(path)


def test_a_wrong_checksum_of_a_frame_is_refused(tmp_path) -> None:
    """Zstandard has one where whoever wrote it asked for it, as the program `zstd` does."""
    options = {zstd.CompressionParameter.checksum_flag: 1}
    content = bytearray(zstd.compress(lines(ROWS), options=options))
    content[-1] ^= 1
    (tmp_path / "rows.jsonl.zst").write_bytes(content)
    assert "Zstandard data are broken in this line or behind it" in fault(tmp_path / "rows.jsonl.zst")


def test_a_window_that_asks_for_gigabytes_is_refused(tmp_path) -> None:
    """A frame of 2 GiB of window is nothing to unpack a row with."""
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    (tmp_path / "rows.jsonl.zst").write_bytes(packer.compress(lines(ROWS)) + packer.flush())
    assert "Zstandard data are broken in this line or behind it" in fault(tmp_path / "rows.jsonl.zst")


def test_frames_without_content_are_passed_over(tmp_path) -> None:
    """Zstandard has frames for notes of programs, before and behind others."""
    note = b"\x50\x2a\x4d\x18\x04\x00\x00\x00note"
    (tmp_path / "rows.jsonl.zst").write_bytes(note + zstd.compress(lines(ROWS)) + note)
    assert values(tmp_path / "rows.jsonl.zst") == ROWS


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"{}\n", "rows.jsonl.{}:1: is no {} file, which its name says it is"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "rows.jsonl.{}:1: is a Git LFS pointer, not the file",
        ),
    ],
)
def test_a_name_that_is_wrong_is_refused(tmp_path, content, rule) -> None:
    """Lines in a file that should be packed, and what Git LFS leaves in its place."""
    for end, name in (("gz", "gzip"), ("zst", "Zstandard")):
        path = tmp_path / f"rows.jsonl.{end}"
        path.write_bytes(content)
        assert fault(path).startswith(rule.format(end, name))


@pytest.mark.parametrize(
    ("name", "said"), [(NAMES[1], "gzip"), (NAMES[2], "Zstandard"), (NAMES[3], "Parquet")]
)
def test_a_packed_file_under_a_plain_name_is_refused(tmp_path, name, said) -> None:
    """The line says what it is, and not that it is no UTF-8."""
    write(tmp_path / name, ROWS).replace(tmp_path / "rows.jsonl")
    assert fault(tmp_path / "rows.jsonl") == (
        f"rows.jsonl:1: holds {said} data and no lines of text; unpack it, or give it the name that says so"
    )


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b'{"a": 1}\n{"a": 2, "a": 3}\n', "2: duplicate key in an object (column 10)"),
        (b'{"a": 1}\n{"a": 2}', "2: last line does not end with a line feed; the file may be cut off"),
        (b'{"a": 1}\r\n', "1: holds a carriage return; lines end with a line feed alone"),
        (b'{"a": 1}\n\n', "2: blank line"),
        (
            b'\xef\xbb\xbf{"a": 1}\n',
            "1: starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
        ),
    ],
)
def test_packed_lines_are_held_to_every_rule_of_lines(packed, content, rule) -> None:
    """The same words, with the same line."""
    path = packed(content)
    assert fault(path) == f"{path.name}:{rule}"


def test_what_a_small_file_expands_to_is_bounded(packed) -> None:
    """A line of 80 MB from some kB is refused at 16 MiB, and no more than that is ever in memory."""
    path = packed(b"x" * 80_000_000)
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    try:
        assert fault(path) == f"{path.name}:1: line is longer than the limit of 16,777,216 bytes"
        assert tracemalloc.get_traced_memory()[1] < 3 * MAX_LINE_BYTES
    finally:
        tracemalloc.stop()


def test_without_the_library_one_line_names_the_extra(tmp_path, monkeypatch) -> None:
    """It is asked for where a Zstandard file is met, and only there."""
    monkeypatch.setitem(sys.modules, "compression" if sys.version_info >= (3, 14) else "backports.zstd", None)
    monkeypatch.delattr(sys.modules.get("backports", os), "zstd", raising=False)
    path = write(tmp_path / "rows.jsonl.zst", ROWS)
    assert fault(path) == (
        "rows.jsonl.zst: is a Zstandard file; to read it, pip install 'pytest-pii-eval[zstd]'"
    )
    assert values(write(tmp_path / "rows.jsonl.gz", ROWS)) == ROWS
