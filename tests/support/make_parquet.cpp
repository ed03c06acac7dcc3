// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a Parquet file with the columns of FineWeb, by Arrow, for tests and benchmarks of reading it:
//
//     make_parquet OUT ROWS CODEC GROUP [WORDS]
//
// CODEC is zstd, snappy or none, GROUP the rows of a row group, WORDS those of a text (40). The same numbers make the
// same file. Row r has the id "doc-r" and the text "document r ..." of words of a small vocabulary.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

namespace
{

constexpr std::array kWords = {"the",   "cat",   "sat",   "on",   "a",     "mat",  "dogs", "bark",  "at",    "night",
                               "river", "stone", "green", "fish", "swims", "deep", "some", "quiet", "birds", "sing"};
constexpr std::array kDumps = {"CC-MAIN-2013-20", "CC-MAIN-2019-04", "CC-MAIN-2024-10"};

/// A generator that is the same everywhere (splitmix64).
std::uint64_t mixed(std::uint64_t value)
{
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

std::string textOf(std::int64_t row, std::int64_t words)
{
    std::string text = "document " + std::to_string(row);
    for (std::int64_t i = 0; i < words; ++i)
    {
        text += ' ';
        text += kWords[mixed(static_cast<std::uint64_t>(row * words + i)) % kWords.size()];
    }
    return text;
}

std::shared_ptr<arrow::Schema> schema()
{
    return arrow::schema({arrow::field("text", arrow::utf8()), arrow::field("id", arrow::utf8()),
                          arrow::field("dump", arrow::utf8()), arrow::field("url", arrow::utf8()),
                          arrow::field("date", arrow::utf8()), arrow::field("file_path", arrow::utf8()),
                          arrow::field("language", arrow::utf8()), arrow::field("language_score", arrow::float64()),
                          arrow::field("token_count", arrow::int64())});
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> batch(std::int64_t begin, std::int64_t end, std::int64_t words)
{
    ARROW_ASSIGN_OR_RAISE(auto builder, arrow::RecordBatchBuilder::Make(schema(), arrow::default_memory_pool()));
    const auto add = [&builder](int column, const std::string& text) {
        return builder->GetFieldAs<arrow::StringBuilder>(column)->Append(text);
    };
    for (std::int64_t row = begin; row < end; ++row)
    {
        const std::string number = std::to_string(row);
        const std::string dump = kDumps[static_cast<std::size_t>(row) % kDumps.size()];
        ARROW_RETURN_NOT_OK(add(0, textOf(row, words)));
        ARROW_RETURN_NOT_OK(add(1, "doc-" + number));
        ARROW_RETURN_NOT_OK(add(2, dump));
        ARROW_RETURN_NOT_OK(add(3, "https://example.org/" + number));
        ARROW_RETURN_NOT_OK(add(4, "2019-04-01T00:00:" + number));
        ARROW_RETURN_NOT_OK(add(5, "s3://crawl/" + dump + "/" + std::to_string(row / 1000)));
        ARROW_RETURN_NOT_OK(add(6, "en"));
        ARROW_RETURN_NOT_OK(
            builder->GetFieldAs<arrow::DoubleBuilder>(7)->Append(0.65 + 0.35 * static_cast<double>(row % 100) / 100));
        ARROW_RETURN_NOT_OK(builder->GetFieldAs<arrow::Int64Builder>(8)->Append(words + 2));
    }
    return builder->Flush();
}

arrow::Status write(const std::string& path, std::int64_t rows, const std::string& codec, std::int64_t group,
                    std::int64_t words)
{
    parquet::WriterProperties::Builder properties;
    properties.compression(codec == "zstd"     ? parquet::Compression::ZSTD
                           : codec == "snappy" ? parquet::Compression::SNAPPY
                                               : parquet::Compression::UNCOMPRESSED);
    properties.max_row_group_length(group);
    properties.enable_page_checksum();
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(path));
    ARROW_ASSIGN_OR_RAISE(auto writer, parquet::arrow::FileWriter::Open(*schema(), arrow::default_memory_pool(), file,
                                                                        properties.build()));
    for (std::int64_t begin = 0; begin < rows; begin += group)
    {
        ARROW_RETURN_NOT_OK(writer->NewBufferedRowGroup());
        constexpr std::int64_t kAtOnce = 1000;
        for (std::int64_t at = begin; at < std::min(begin + group, rows); at += kAtOnce)
        {
            ARROW_ASSIGN_OR_RAISE(const auto some, batch(at, std::min({at + kAtOnce, begin + group, rows}), words));
            ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(*some));
        }
    }
    ARROW_RETURN_NOT_OK(writer->Close());
    return file->Close();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 5 && argc != 6)
    {
        std::fputs("make_parquet OUT ROWS CODEC GROUP [WORDS]\n", stderr);
        return 2;
    }
    try
    {
        const auto status =
            write(argv[1], std::atoll(argv[2]), argv[3], std::atoll(argv[4]), argc == 6 ? std::atoll(argv[5]) : 40);
        if (status.ok())
            return 0;
        std::fprintf(stderr, "make_parquet: %s\n", status.ToString().c_str());
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "make_parquet: %s\n", error.what());
    }
    return 1;
}
