// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/parquet/parquet_columns.h"
#include "model/io/parquet/parquet_file.h"

#include <arrow/type_fwd.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace headscope
{

/// Rows that were decoded together, all of one row group.
struct RowBatch
{
    std::shared_ptr<arrow::RecordBatch> rows; ///< null: none
    std::int64_t start = 0;                   ///< row of the file that is the first
    std::int64_t end = 0;                     ///< behind the last

    [[nodiscard]] bool holds(std::int64_t row) const { return row >= start && row < end; }
};

/// Decodes the rows of a file, some megabytes at once.
/// @threads one at a time
class BatchDecoder
{
public:
    /// @param file  outlives this
    BatchDecoder(const ParquetFile& file, ParquetColumns columns) : m_file(file), m_columns(std::move(columns)) {}

    /// The batch that holds a row; rows in front of it in its group are decoded, too. After an error no other is to be
    /// asked for: Arrow's readers are left as they were.
    /// @errors those of arrowError
    /// @throws what Arrow throws at a damaged file
    [[nodiscard]] Result<RowBatch> decode(std::int64_t row);

    /// Where the fields are in the batches; stays as it is once a batch was decoded.
    [[nodiscard]] const std::vector<CellPath>& fields() const { return m_columns.fields; }
    /// The row group of a row.
    [[nodiscard]] int groupOf(std::int64_t row) const;

private:
    [[nodiscard]] Status openGroup(int group);
    [[nodiscard]] std::int64_t batchRows(int group) const;
    [[nodiscard]] Result<RowBatch> decodeNext();

    const ParquetFile& m_file;
    ParquetColumns m_columns;
    std::shared_ptr<arrow::Schema> m_schema; ///< of the first batch
    int m_group = -1;                        ///< that m_batches reads
    std::int64_t m_next = 0;                 ///< row that m_batches gives next
    std::unique_ptr<arrow::RecordBatchReader> m_batches;
};

/// Decodes one batch ahead in a thread of its own, while the rows of the one before are taken.
class DecodeAhead
{
public:
    /// @param decoder  outlives this; not to be used between begin() and take()
    explicit DecodeAhead(BatchDecoder& decoder) : m_decoder(decoder) {}
    DecodeAhead(const DecodeAhead&) = delete;
    DecodeAhead& operator=(const DecodeAhead&) = delete;
    /// Waits for the batch that is being decoded.
    ~DecodeAhead();

    /// Begins with the batch that holds this row. Where the system gives no thread nothing happens.
    void begin(std::int64_t row);
    /// The batch that was begun, once it is decoded; nothing: none was.
    [[nodiscard]] std::optional<Result<RowBatch>> take();

private:
    void work();

    BatchDecoder& m_decoder;
    bool m_begun = false;
    bool m_threadless = false; ///< the system gave none
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<std::int64_t> m_asked; ///< row; nothing: the thread waits
    std::optional<Result<RowBatch>> m_done;
    std::exception_ptr m_thrown;
    bool m_ending = false;
    std::thread m_thread;
};

} // namespace headscope
