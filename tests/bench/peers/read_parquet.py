# SPDX-License-Identifier: GPL-3.0-or-later
"""pyarrow on the columns that bench_parquet reads: read_parquet.py FILE [TIMES]. One thread, then as many as it takes."""
import os
import sys
import time

import pyarrow.parquet as pq

path, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
for threads in (False, True):
    best = 1e9
    for _ in range(times):
        start = time.perf_counter()
        rows = size = 0
        for batch in pq.ParquetFile(path, page_checksum_verification=True).iter_batches(
                batch_size=1024, columns=["text", "id"], use_threads=threads):
            rows += batch.num_rows
            size += batch.column(0).nbytes
        best = min(best, time.perf_counter() - start)
    print(f"pyarrow, {'its' if threads else 'one'} thread{'s' if threads else ''}: {rows} rows in {best:.3f} s: "
          f"{rows / best:.0f} rows/s, {size / best / 1e6:.0f} MB/s of text, {os.path.getsize(path) / best / 1e6:.0f} MB/s of file")
