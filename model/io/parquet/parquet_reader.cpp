// SPDX-License-Identifier: GPL-3.0-or-later
// The module headscope_parquet.so: the rows of a Parquet file as records, some megabytes of them in memory.
#include "model/io/parquet/arrow_guard.h"
#include "model/io/parquet/parquet_batches.h"
#include "model/io/parquet/parquet_file.h"
#include "model/io/parquet/parquet_module.h"
#include "model/io/texts/byte_source.h"

#include <fmt/format.h>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/util/config.h>
#include <parquet/arrow/reader.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// A batch is decoded ahead while Arrow holds less than this for the one before.
constexpr std::int64_t kMaxBytesAhead = kMaxArrowBytes / 4;

class ParquetReader : public RecordReader
{
public:
    ParquetReader(std::unique_ptr<ParquetFile> file, std::string name, const RecordOptions& options)
        : m_file(std::move(file)), m_name(std::move(name)), m_joinLists(options.joinLists),
          m_decoder(*m_file, chooseColumns(m_file->reader->manifest(), options))
    {}

    Result<bool> next(Record& record) override
    {
        record.file = m_name;
        record.line = m_row + 1;
        record.isRow = true;
        record.untyped = false;
        record.repaired = false;
        if (m_row == m_file->numRows())
            return false;
        Status read = arrowGuarded([&]() -> Status {
            HEADSCOPE_CHECK(reachRow());
            return takeRow(record);
        });
        if (!read)
            return std::move(read).error().inFile(m_name).atPlace(place());
        ++m_row;
        return true;
    }

    [[nodiscard]] std::optional<std::int64_t> count() const override { return m_file->numRows(); }
    Result<std::int64_t> skip(std::int64_t most) override
    {
        const std::int64_t skipped = std::min(most, m_file->numRows() - m_row);
        m_row += skipped; // reachRow() goes there when it is known where to
        m_skipped = true;
        return skipped;
    }

private:
    [[nodiscard]] std::string place() const
    {
        const int at = m_decoder.groupOf(m_row);
        const auto start = m_file->starts[static_cast<std::size_t>(at)];
        const auto end = m_file->starts[static_cast<std::size_t>(at) + 1];
        return fmt::format("row group {} of {} (rows {} to {})", at + 1, m_file->numGroups(), start + 1, end);
    }

    /// Makes m_batch the one that holds m_row.
    Status reachRow()
    {
        if (m_failed) // Arrow's readers are not to be used after that
            return Error{ErrorCode::BadFormat, "the Parquet data is damaged", {}, {}};
        if (m_batch.holds(m_row))
            return {};
        m_failed = true;
        const bool allTaken = m_batch.rows && !std::exchange(m_skipped, false);
        m_arrays.clear();
        m_batch = {};
        HEADSCOPE_CHECK(takeDecoded());
        if (!m_batch.holds(m_row))
        {
            HEADSCOPE_TRY(m_batch, m_decoder.decode(m_row));
        }
        for (const CellPath& field : m_decoder.fields())
            m_arrays.push_back(field.nested ? nullptr : m_batch.rows->column(field.column));
        // Whoever took every row of a batch takes the next: a sample would not, nor the first rows of a file.
        const std::int64_t behind = m_decoded.empty() ? m_batch.end : m_decoded.back().end;
        if (allTaken && !m_ahead.isBegun() && !m_broken && behind < m_file->numRows() &&
            m_file->pool->bytes_allocated() < kMaxBytesAhead)
            m_ahead.begin(behind);
        m_failed = false;
        return {};
    }

    /// The batch of m_row out of those that were decoded ahead, if it is there.
    Status takeDecoded()
    {
        while (!m_batch.holds(m_row))
        {
            if (m_decoded.empty() && m_broken)
                return m_broken->thrown ? rethrow(m_broken->thrown) : Status(*m_broken->error);
            if (m_decoded.empty() && !m_ahead.isBegun())
                return {};
            if (m_decoded.empty())
            {
                BatchRun run = m_ahead.take();
                m_decoded.assign(std::make_move_iterator(run.batches.begin()),
                                 std::make_move_iterator(run.batches.end()));
                if (run.error || run.thrown)
                    m_broken = BatchRun{{}, std::move(run.error), run.thrown};
                continue;
            }
            m_batch = std::move(m_decoded.front());
            m_decoded.pop_front();
        }
        return {};
    }

    [[noreturn]] static Status rethrow(const std::exception_ptr& thrown) { std::rethrow_exception(thrown); }

    Status takeRow(Record& record)
    {
        const auto& fields = m_decoder.fields();
        record.fields.resize(fields.size());
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < fields.size(); ++i)
        {
            const bool repaired =
                takeValue(m_arrays[i].get(), m_row - m_batch.start, fields[i], m_joinLists, record.fields[i]);
            record.repaired = record.repaired || repaired;
            bytes += record.fields[i].text.size();
        }
        if (bytes > kMaxRecordBytes)
            return Error{ErrorCode::BadFormat,
                         "expected rows of at most 64 MiB, found a longer one",
                         {},
                         fmt::format("row {}", m_row + 1)};
        return {};
    }

    std::unique_ptr<ParquetFile> m_file;
    std::string m_name;
    bool m_joinLists = false;
    std::int64_t m_row = 0; ///< that next() gives
    bool m_skipped = false; ///< since the batch was reached

    BatchDecoder m_decoder;
    RowBatch m_batch;
    std::deque<RowBatch> m_decoded;                      ///< ahead of it
    std::optional<BatchRun> m_broken;                    ///< what came behind those
    std::vector<std::shared_ptr<arrow::Array>> m_arrays; ///< of the batch, one for each field
    bool m_failed = false;
    DecodeAhead m_ahead{m_decoder}; ///< the last: its thread ends before what it uses
};

Result<std::unique_ptr<RecordReader>> openReader(const std::filesystem::path& path, const RecordOptions& options)
{
    HEADSCOPE_TRY(auto file, openParquetFile(path));
    return arrowGuarded([&]() -> Result<std::unique_ptr<RecordReader>> {
        HEADSCOPE_CHECK(checkNames(file->reader->manifest()));
        return std::unique_ptr<RecordReader>(std::make_unique<ParquetReader>(std::move(file), path.string(), options));
    });
}

} // namespace
} // namespace headscope

const headscope::ParquetModule headscopeParquetModule = {ARROW_VERSION_STRING, headscope::openReader};
