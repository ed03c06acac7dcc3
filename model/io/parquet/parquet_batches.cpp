// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/parquet/parquet_batches.h"

#include "model/io/parquet/arrow_guard.h"

#include <fmt/format.h>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>
#include <parquet/arrow/reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kMaxBatchRows = 1024;
constexpr std::int64_t kBatchBytes = std::int64_t{4} << 20; ///< of values, about

} // namespace

int BatchDecoder::groupOf(std::int64_t row) const
{
    const auto behind = std::upper_bound(m_file.starts.begin(), m_file.starts.end(), row);
    return static_cast<int>(behind - m_file.starts.begin()) - 1;
}

Result<RowBatch> BatchDecoder::decode(std::int64_t row)
{
    if (const int wanted = groupOf(row); wanted != m_group || row < m_next)
        HEADSCOPE_CHECK(openGroup(wanted));
    while (true)
    {
        HEADSCOPE_TRY(RowBatch batch, decodeNext());
        if (batch.holds(row))
            return batch;
    }
}

Status BatchDecoder::openGroup(int group)
{
    m_batches.reset();
    m_group = group;
    m_next = m_file.starts[static_cast<std::size_t>(group)];
    m_file.reader->set_batch_size(batchRows(group));
    auto batches = m_file.reader->GetRecordBatchReader({group}, m_columns.leaves);
    if (!batches.ok())
        return arrowError(batches.status());
    m_batches = std::move(*batches);
    const auto schema = m_batches->schema();
    const bool asBefore = m_schema ? schema->Equals(*m_schema) : placeColumns(*schema, m_columns.fields);
    if (!asBefore)
        return Error{ErrorCode::BadFormat, "expected the columns of the footer, found other columns", {}, {}};
    m_schema = schema;
    return {};
}

/// How many rows of a group are decoded at once, by the mean size of its rows as the footer says it.
std::int64_t BatchDecoder::batchRows(int group) const
{
    const auto footer = m_file.reader->parquet_reader()->metadata()->RowGroup(group);
    std::int64_t bytes = 0;
    for (const int leaf : m_columns.leaves)
        bytes +=
            std::clamp<std::int64_t>(footer->ColumnChunk(leaf)->total_uncompressed_size(), 0, std::int64_t{1} << 40);
    const std::int64_t rows = std::max<std::int64_t>(footer->num_rows(), 1);
    return std::clamp<std::int64_t>(kBatchBytes / std::max<std::int64_t>(bytes / rows, 1), 1, kMaxBatchRows);
}

Result<RowBatch> BatchDecoder::decodeNext()
{
    RowBatch batch;
    const auto status = m_batches->ReadNext(&batch.rows);
    if (!status.ok())
        return arrowError(status);
    batch.start = m_next;
    batch.end = m_next + (batch.rows ? batch.rows->num_rows() : 0);
    const std::int64_t groupStart = m_file.starts[static_cast<std::size_t>(m_group)];
    const std::int64_t groupEnd = m_file.starts[static_cast<std::size_t>(m_group) + 1];
    if (batch.end == batch.start || batch.end > groupEnd)
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected {} rows as the footer says, found {}", groupEnd - groupStart, batch.end - groupStart),
            {},
            {}};
    if (const auto valid = batch.rows->Validate(); !valid.ok())
        return arrowError(valid);
    m_next = batch.end;
    return batch;
}

DecodeAhead::~DecodeAhead()
{
    m_ending = true;
    {
        const std::lock_guard lock(m_mutex); // or the thread might look before and sleep after
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void DecodeAhead::begin(std::int64_t row)
{
    if (m_threadless)
        return;
    if (!m_thread.joinable())
    {
        try
        {
            m_thread = std::thread([this] { work(); });
        }
        catch (const std::system_error&)
        {
            m_threadless = true;
            return;
        }
    }
    {
        const std::lock_guard lock(m_mutex);
        m_asked = row;
    }
    m_begun = true;
    m_changed.notify_all();
}

BatchRun DecodeAhead::take()
{
    m_begun = false;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_asked; });
    return std::exchange(m_done, {});
}

void DecodeAhead::work()
{
    std::unique_lock lock(m_mutex);
    while (true)
    {
        m_changed.wait(lock, [this] { return m_ending || m_asked; });
        if (m_ending)
            return;
        const std::int64_t row = *m_asked;
        lock.unlock();
        BatchRun done = decodeFrom(row);
        lock.lock();
        m_done = std::move(done);
        m_asked.reset();
        lock.unlock();
        m_changed.notify_all();
        lock.lock();
    }
}

BatchRun DecodeAhead::decodeFrom(std::int64_t row)
{
    BatchRun run;
    try
    {
        for (std::int64_t bytes = 0; bytes < kBatchBytes && row < m_decoder.numRows() && !m_ending;)
        {
            auto batch = m_decoder.decode(row);
            if (!batch)
            {
                run.error = std::move(batch).error();
                break;
            }
            row = batch->end;
            bytes += arrow::util::TotalBufferSize(*batch->rows);
            run.batches.push_back(std::move(*batch));
        }
    }
    catch (...) // Arrow's, and memory that is lacking: whoever comes to this row meets it
    {
        run.thrown = std::current_exception();
    }
    return run;
}

} // namespace headscope
