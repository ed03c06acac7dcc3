// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the rows of a Parquet file become records: all of them, the columns text and id.
//
//     make_parquet big.parquet 300000 zstd 1000; bench_parquet big.parquet [TIMES]; peers/read_parquet.py big.parquet
#include "model/base/clock.h"
#include "model/io/texts/parquet_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace
{

struct Read
{
    std::int64_t rows = 0;
    std::size_t textBytes = 0;
};

headscope::Result<Read> readAll(const std::filesystem::path& path)
{
    headscope::RecordOptions options;
    options.columns = {"text", "id"};
    HEADSCOPE_TRY(const auto reader, headscope::openParquet(path, options));
    Read read;
    headscope::Record record;
    while (true)
    {
        HEADSCOPE_TRY(const bool any, reader->next(record));
        if (!any)
            return read;
        ++read.rows;
        read.textBytes += record.fields.front().text.size();
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    const int times = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    double best = 1e9;
    Read read;
    for (int i = 0; i < times; ++i)
    {
        const auto start = headscope::Clock::now();
        const auto done = readAll(argv[1]);
        if (!done)
        {
            fmt::print(stderr, "bench_parquet: {}\n", done.error().sentence());
            return 3;
        }
        best = std::min(best, headscope::secondsSince(start));
        read = *done;
    }
    fmt::print("bench_parquet: {} rows in {:.3f} s: {:.0f} rows/s, {:.0f} MB/s of text, {:.0f} MB/s of file\n",
               read.rows, best, static_cast<double>(read.rows) / best, static_cast<double>(read.textBytes) / best / 1e6,
               static_cast<double>(std::filesystem::file_size(argv[1])) / best / 1e6);
    return 0;
}
