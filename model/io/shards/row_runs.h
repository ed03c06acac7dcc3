// SPDX-License-Identifier: GPL-3.0-or-later
// Between the rows of a shard, in the order in which they were computed, and those of a cache; for the other files of
// this folder alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Rows of a shard whose documents follow one another.
struct RowRun
{
    std::int64_t first = 0;            ///< document of the first
    std::span<const std::size_t> rows; ///< of the shard, by document

    [[nodiscard]] std::int64_t count() const { return std::ssize(rows); }
};

/// The rows of a shard, ordered by their documents.
class RowRuns
{
public:
    /// @param index  document of each row
    explicit RowRuns(std::span<const std::int64_t> index);
    /// Those of some rows alone.
    RowRuns(std::span<const std::int64_t> index, std::vector<std::size_t> rows);
    RowRuns(const RowRuns&) = delete;
    RowRuns& operator=(const RowRuns&) = delete;

    /// Ascending, as long as they can be; of a document that comes twice each row is in a run of its own.
    [[nodiscard]] const std::vector<RowRun>& runs() const { return m_runs; }
    /// The rows of a run one after another.
    /// @param raw      all rows
    /// @param scratch  holds them where they do not lie so
    [[nodiscard]] static std::span<const std::byte> gathered(const RowRun& run, std::span<const std::byte> raw,
                                                             std::size_t rowBytes, std::vector<std::byte>& scratch);
    /// Puts the rows of a run to their places among all.
    static void scatter(const RowRun& run, std::span<const std::byte> rows, std::size_t rowBytes,
                        std::span<std::byte> raw);

private:
    std::vector<std::size_t> m_order; ///< rows, by document; the runs are pieces of it
    std::vector<RowRun> m_runs;
};

} // namespace headscope
