# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the Parquet files of this folder with pyarrow 26.0.1, and damages some of them by hand.

    python3 make_parquet.py FOLDER

The same version makes the same bytes. Damage is done to bytes of a sound file whose place is found by their content.
"""
import datetime
import decimal
import struct
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

folder = Path(sys.argv[1])
IDS = ["a", "b", "c", "d", "e", "f"]
TEXTS = ["the cat sat on the mat", "dogs bark at night", "a kitten purrs", "the puppy runs", "fish swim deep",
         "sharks are fish"]
TOPICS = ["cat", "dog", "cat", "dog", "fish", "fish"]


def write(name, table, **options):
    pq.write_table(table, folder / name, write_page_checksum=True, **options)
    return (folder / name).read_bytes()


def damaged(name, data):
    (folder / name).write_bytes(data)


docs = pa.table({"id": IDS, "text": TEXTS, "topic": TOPICS})
for codec in ("none", "snappy", "zstd", "gzip", "brotli", "lz4"):
    write(f"docs-{codec}.parquet", docs, compression=codec, row_group_size=2)
write("docs-v2.parquet", docs, compression="zstd", data_page_version="2.0", use_dictionary=False)
# Without checksums, so that damage gets to what unpacks and decodes.
for name, options in (("plain-zstd", {"row_group_size": 2}), ("plain-none", {"row_group_size": 2, "compression": "none"}),
                      ("plain-v2", {"data_page_version": "2.0", "use_dictionary": False,
                                    "column_encoding": {"text": "DELTA_BYTE_ARRAY", "id": "DELTA_LENGTH_BYTE_ARRAY",
                                                        "topic": "PLAIN"}})):
    pq.write_table(docs, folder / f"{name}.parquet", **{"compression": "zstd", **options})
sound = (folder / "docs-none.parquet").read_bytes()
packed = (folder / "docs-snappy.parquet").read_bytes()

# Every kind of column that is kept, nulls, nested ones.
write("types.parquet", pa.table({
    "text": pa.array(["one", "two"], pa.large_string()),
    "nr": pa.array([7, -8], pa.int16()),
    "huge": pa.array([2**64 - 1, 0], pa.uint64()),
    "score": pa.array([0.5, None], pa.float64()),
    "small": pa.array([0.25, 2.0], pa.float32()),
    "yes": pa.array([True, False]),
    "day": pa.array([datetime.date(2024, 2, 29), None]),
    "at": pa.array([datetime.datetime(2024, 2, 29, 12, 30, 15), None], pa.timestamp("us")),
    "price": pa.array([decimal.Decimal("1.50"), None]),
    "kind": pa.array(["x", "y"]).dictionary_encode(),
    "bytes": pa.array([b"a\xff", b"plain"], pa.binary()),
    "four": pa.array([b"abcd", b"efgh"], pa.binary(4)),
    "nothing": pa.array([None, None], pa.null()),
    "tags": pa.array([["p", "q"], []], pa.list_(pa.string())),
    "numbers": pa.array([[1, 2], None], pa.list_(pa.int32())),
    "labels": pa.array([{"section": "cats", "deep": {"er": ["u", "v"]}}, None],
                       pa.struct([("section", pa.string()), ("deep", pa.struct([("er", pa.list_(pa.string()))]))])),
    "a.b": ["dotted", "dotted"],
    "map": pa.array([[("k", "v")], []], pa.map_(pa.string(), pa.string())),
}))
write("null-text.parquet", pa.table({"text": ["x", None, "z"]}))
write("no-rows.parquet", pa.table({"text": pa.array([], pa.string())}))
write("row-numbers.parquet", pa.table({"text": ["x", "y"], "id": ["p", None]}))
write("same-ids.parquet", pa.table({"text": ["x", "y", "z"], "id": ["p", "q", "p"]}))
write("long-ids.parquet", pa.table({"text": ["x", "y"], "id": pa.array(
    [decimal.Decimal(12345678901234567890123), decimal.Decimal(12345678901234567890999)], pa.decimal128(38, 0))}))
write("same-columns.parquet", pa.Table.from_arrays([pa.array(["x", "y"]), pa.array(["X", "Y"])], names=["text", "text"]))
write("same-members.parquet", pa.table({"text": ["x"], "meta": pa.StructArray.from_arrays(
    [pa.array(["p"]), pa.array(["q"])], names=["topic", "topic"])}))

# Fault row 10.
damaged("cut.parquet", sound[:-100])
damaged("cut-small.parquet", sound[:9])
damaged("no-magic.parquet", b"XXXX" + sound[4:])
damaged("no-end.parquet", sound[:-4] + b"PAR2")
damaged("encrypted.parquet", b"PARE" + sound[4:-4] + b"PARE")
damaged("long-footer.parquet", sound[:-8] + struct.pack("<I", 2**31) + b"PAR1")
damaged("broken-footer.parquet", sound[:-60] + b"\xff" * 40 + sound[-20:])
at = sound.index(b"kitten")  # in the second of three row groups
damaged("bad-crc.parquet", sound[:at] + b"K" + sound[at + 1:])

# Thrift's compact protocol: an i64 field follows as a zigzag varint. The whole file has 6 rows (12), a group 2 (4).
footer = len(sound) - 8 - struct.unpack("<I", sound[-8:-4])[0]
rows = sound.index(b"\x16\x0c\x19", footer)  # num_rows of the file, before the list of row groups
damaged("more-rows.parquet", sound[:rows + 1] + b"\x0e" + sound[rows + 2:])
groups = sound.rindex(b"\x16\x04", 0, len(sound) - 8)
damaged("lying-rows.parquet", sound[:rows + 1] + b"\x7e" + sound[rows + 2:groups + 1] +
        struct.pack("B", (63 - 4) * 2) + sound[groups + 2:])
# The dictionary page of ids: the header's struct (field 7) begins with the number of its values, 2, as an i32.
page = sound.index(b"\x3c\x15\x04", 4)
damaged("negative-dictionary.parquet", sound[:page] + b"\x3c\x15\x03" + sound[page + 3:])
# Codec 1 (snappy, zigzag 2) becomes 3 (LZO, zigzag 6) in every column of the footer.
footer = len(packed) - 8 - struct.unpack("<I", packed[-8:-4])[0]
lzo = bytearray(packed)
count = 0
for name in (b"id", b"text", b"topic"):
    place = footer
    while (place := packed.find(bytes([0x18 + 1, 0x18, len(name)]) + name + b"\x15\x02", place)) >= 0:
        lzo[place + 3 + len(name) + 1] = 6
        place += 1
        count += 1
assert count == 9, count
damaged("lzo.parquet", bytes(lzo))

# 400 MB of one letter in 20 KB: a text that is longer than any that is read.
write("bomb.parquet", pa.table({"text": ["x" * (400 << 20)]}), compression="zstd", use_dictionary=False,
      write_statistics=False)
