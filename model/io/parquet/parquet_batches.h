// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/parquet/parquet_columns.h"
#include "model/io/parquet/parquet_file.h"

#include <arrow/type_fwd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

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
    [[nodiscard]] std::int64_t numRows() const { return m_file.numRows(); }

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

/// Batches that follow each other, and what came instead of the next where something did.
struct BatchRun
{
    std::vector<RowBatch> batches;
    std::optional<Error> error; ///< behind the last
    std::exception_ptr thrown;  ///< likewise
};

/// Decodes some megabytes ahead in a thread of its own, while the rows of the batches before are taken. Whoever waits
/// and is woken for each batch alone loses more by that than is gained.
class DecodeAhead
{
public:
    /// @param decoder  outlives this; not to be used between begin() and take()
    explicit DecodeAhead(BatchDecoder& decoder) : m_decoder(decoder) {}
    DecodeAhead(const DecodeAhead&) = delete;
    DecodeAhead& operator=(const DecodeAhead&) = delete;
    /// Waits for the batch that is being decoded.
    ~DecodeAhead();

    /// Begins with the batch that holds this row, and goes on to the rows behind it. Where the system gives no thread
    /// nothing happens.
    void begin(std::int64_t row);
    /// Whether something was begun and not yet taken.
    [[nodiscard]] bool isBegun() const { return m_begun; }
    /// What was begun, once it is decoded.
    /// @pre isBegun()
    [[nodiscard]] BatchRun take();

private:
    void work();
    [[nodiscard]] BatchRun decodeFrom(std::int64_t row);

    BatchDecoder& m_decoder;
    bool m_begun = false;
    bool m_threadless = false; ///< the system gave none
    std::atomic<bool> m_ending = false;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<std::int64_t> m_asked; ///< row; nothing: the thread waits
    BatchRun m_done;
    std::thread m_thread;
};

} // namespace headscope
