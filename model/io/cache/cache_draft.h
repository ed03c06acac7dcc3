// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/output/output_file.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/stage.h"
#include "model/io/cache/cache_info.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace headscope
{

/// A cache that comes to be, as long as its vectors are written: a part file in which the datasets of all layers and
/// stages have their places. Rows go there in any order, each to the bytes where the finished cache has it; then a
/// CacheWriter adds what else there is and publishes it.
///
/// HDF5 has the file only before the first row and after the last: what it keeps of it in memory is never in doubt
/// while rows are written, however that ends.
///
/// Moves, does not copy.
/// @threads one at a time
class CacheDraft
{
public:
    /// A part file that goes with this object.
    /// @param vectors  of the same number of documents, in the order in which they lie in the file
    /// @errors those of OutputFile::create and Hdf5Writer
    /// @cost   some kilobytes; no room on a disk that keeps none for what was never written
    [[nodiscard]] static Result<CacheDraft> create(const std::filesystem::path& target,
                                                   const std::vector<VectorsInfo>& vectors);
    /// One that stays until it is published or somebody removes it.
    /// @param part  a new name, on the file system of the target
    [[nodiscard]] static Result<CacheDraft> createAt(const std::filesystem::path& target,
                                                     const std::filesystem::path& part,
                                                     const std::vector<VectorsInfo>& vectors);

    /// Where the file is until it is published.
    [[nodiscard]] const std::filesystem::path& path() const { return m_output.part(); }
    /// Rows that each layer and stage has room for.
    [[nodiscard]] std::int64_t documents() const { return m_vectors.empty() ? 0 : m_vectors.front().documents; }
    /// The byte at which the first row of each layer and stage lies.
    [[nodiscard]] const std::vector<std::uint64_t>& offsets() const { return m_offsets; }

    /// Writes the rows of some documents.
    /// @param raw  [count, heads, dims] as they are stored
    /// @errors Resource (disk full, ...)
    [[nodiscard]] Status writeRows(LayerIndex layer, Stage stage, std::int64_t begin, std::int64_t count,
                                   std::span<const std::byte> raw);
    /// Waits until the disk has the rows.
    /// @errors Resource
    [[nodiscard]] Status sync() { return m_output.sync(); }

    /// The file for who writes the rest: this is of no use any more.
    [[nodiscard]] OutputFile handOver() { return std::move(m_output); }

private:
    static Result<CacheDraft> makeRoom(OutputFile output, const std::vector<VectorsInfo>& vectors);
    CacheDraft(OutputFile output, std::vector<VectorsInfo> vectors, std::vector<std::uint64_t> offsets);

    OutputFile m_output;
    std::vector<VectorsInfo> m_vectors;
    std::vector<std::uint64_t> m_offsets; ///< of the same
};

} // namespace headscope
