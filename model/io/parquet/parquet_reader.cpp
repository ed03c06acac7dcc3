// SPDX-License-Identifier: GPL-3.0-or-later
// The module headscope_parquet.so: the rows of a Parquet file as records, one batch of one row group in memory.
#include "model/io/parquet/arrow_guard.h"
#include "model/io/parquet/parquet_columns.h"
#include "model/io/parquet/parquet_file.h"
#include "model/io/parquet/parquet_module.h"
#include "model/io/texts/byte_source.h"

#include <fmt/format.h>

#include <arrow/record_batch.h>
#include <arrow/util/config.h>
#include <parquet/arrow/reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kMostBatchRows = 1024;
constexpr std::int64_t kBatchBytes = std::int64_t{4} << 20; ///< of values, about

class ParquetReader : public RecordReader
{
public:
    ParquetReader(std::unique_ptr<ParquetFile> file, std::string name, const RecordOptions& options)
        : m_file(std::move(file)), m_name(std::move(name)), m_joinLists(options.joinLists),
          m_columns(chooseColumns(m_file->reader->manifest(), options))
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
        return skipped;
    }

private:
    /// The row group of the row that is read.
    [[nodiscard]] int group() const
    {
        const auto behind = std::upper_bound(m_file->starts.begin(), m_file->starts.end(), m_row);
        return static_cast<int>(behind - m_file->starts.begin()) - 1;
    }
    [[nodiscard]] std::string place() const
    {
        const int at = group();
        const auto start = m_file->starts[static_cast<std::size_t>(at)];
        const auto end = m_file->starts[static_cast<std::size_t>(at) + 1];
        return fmt::format("row group {} of {} (rows {} to {})", at + 1, m_file->numGroups(), start + 1, end);
    }

    /// Makes m_batch the one that holds m_row.
    Status reachRow()
    {
        if (m_failed) // Arrow's readers are not to be used after that
            return Error{ErrorCode::BadFormat, "expected sound Parquet, found it damaged", {}, {}};
        m_failed = true;
        if (const int wanted = group(); wanted != m_group)
            HEADSCOPE_CHECK(openGroup(wanted));
        while (m_row >= m_batchStart + (m_batch ? m_batch->num_rows() : 0))
        {
            if (m_batch)
                m_batchStart += m_batch->num_rows();
            m_batch.reset();
            HEADSCOPE_CHECK(readBatch());
        }
        m_failed = false;
        return {};
    }

    Status openGroup(int wanted)
    {
        m_batch.reset();
        m_batches.reset();
        m_group = wanted;
        m_batchStart = m_file->starts[static_cast<std::size_t>(wanted)];
        m_file->reader->set_batch_size(batchRows(wanted));
        auto batches = m_file->reader->GetRecordBatchReader({wanted}, m_columns.leaves);
        if (!batches.ok())
            return arrowError(batches.status());
        m_batches = std::move(*batches);
        if (!placeColumns(*m_batches->schema(), m_columns.fields))
            return Error{ErrorCode::BadFormat, "expected the columns of the footer, found others", {}, {}};
        return {};
    }

    /// How many rows of a group are decoded at once, by the mean size of its rows as the footer says it.
    [[nodiscard]] std::int64_t batchRows(int wanted) const
    {
        const auto footer = m_file->reader->parquet_reader()->metadata()->RowGroup(wanted);
        std::int64_t bytes = 0;
        for (const int leaf : m_columns.leaves)
            bytes += std::clamp<std::int64_t>(footer->ColumnChunk(leaf)->total_uncompressed_size(), 0,
                                              std::int64_t{1} << 40);
        const std::int64_t rows = std::max<std::int64_t>(footer->num_rows(), 1);
        return std::clamp<std::int64_t>(kBatchBytes / std::max<std::int64_t>(bytes / rows, 1), 1, kMostBatchRows);
    }

    Status readBatch()
    {
        const auto status = m_batches->ReadNext(&m_batch);
        if (!status.ok())
            return arrowError(status);
        const std::int64_t end = m_file->starts[static_cast<std::size_t>(m_group) + 1];
        if (!m_batch || m_batch->num_rows() == 0 || m_batchStart + m_batch->num_rows() > end)
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected {} rows as the footer says, found {}",
                                     end - m_file->starts[static_cast<std::size_t>(m_group)],
                                     m_batchStart + (m_batch ? m_batch->num_rows() : 0) -
                                         m_file->starts[static_cast<std::size_t>(m_group)]),
                         {},
                         {}};
        if (const auto valid = m_batch->Validate(); !valid.ok())
            return arrowError(valid);
        m_arrays.clear();
        for (const CellPath& field : m_columns.fields)
            m_arrays.push_back(field.nested ? nullptr : m_batch->column(field.column));
        return {};
    }

    Status takeRow(Record& record)
    {
        record.fields.resize(m_columns.fields.size());
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < m_columns.fields.size(); ++i)
        {
            const bool repaired =
                takeValue(m_arrays[i].get(), m_row - m_batchStart, m_columns.fields[i], m_joinLists, record.fields[i]);
            record.repaired = record.repaired || repaired;
            bytes += record.fields[i].text.size();
        }
        if (bytes > kMostRecordBytes)
            return Error{ErrorCode::BadFormat,
                         "expected rows of at most 64 MiB, found a longer one",
                         {},
                         fmt::format("row {}", m_row + 1)};
        return {};
    }

    std::unique_ptr<ParquetFile> m_file;
    std::string m_name;
    bool m_joinLists = false;
    ParquetColumns m_columns;
    std::int64_t m_row = 0; ///< that next() gives

    int m_group = -1; ///< that m_batches reads
    std::unique_ptr<arrow::RecordBatchReader> m_batches;
    std::shared_ptr<arrow::RecordBatch> m_batch;
    std::vector<std::shared_ptr<arrow::Array>> m_arrays; ///< of the batch, one for each field
    std::int64_t m_batchStart = 0;                       ///< row of its first
    bool m_failed = false;
};

Result<std::unique_ptr<RecordReader>> openReader(const std::filesystem::path& path, const RecordOptions& options)
{
    HEADSCOPE_TRY(auto file, openParquetFile(path));
    return arrowGuarded([&]() -> Result<std::unique_ptr<RecordReader>> {
        return std::unique_ptr<RecordReader>(std::make_unique<ParquetReader>(std::move(file), path.string(), options));
    });
}

} // namespace
} // namespace headscope

const headscope::ParquetModule headscopeParquetModule = {ARROW_VERSION_STRING, headscope::openReader};
