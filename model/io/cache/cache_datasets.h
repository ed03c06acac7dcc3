// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace headscope
{

/// The datasets of an HDF5 file, each verified against the file's table of checksums when it is first read, before
/// any number of it is returned; later reads of it are not verified again. A dataset that is not in the table is
/// read as it is. Numbers are read in pieces of some 8 MB.
/// @threads any; reads of one process follow one another
class CacheDatasets
{
public:
    CacheDatasets(Hdf5Reader file, ChecksumTable checksums);

    [[nodiscard]] const Hdf5Reader& file() const { return m_file; }

    /// Verifies a dataset by reading all of it, unless that was done before.
    /// @errors BadFormat (not what the table says), Cancelled
    [[nodiscard]] Status verify(const std::string& dataset, JobContext& job);

    /// A list of texts; integers come as their digits.
    /// @param expected  its length; below 0: any
    /// @errors BadFormat (damaged, of another shape)
    [[nodiscard]] Result<std::vector<std::string>> strings(const std::string& dataset, std::int64_t expected);

    /// One number for each document; T is std::int32_t or std::uint8_t.
    /// @errors BadFormat (damaged, of another length), Cancelled
    template <class T>
    [[nodiscard]] Result<std::vector<T>> numbers(const std::string& dataset, std::int64_t documents, JobContext& job);

    /// Rows of [documents, heads, dims] as float32.
    /// @param shape  of the dataset
    /// @errors InvalidArgument (range out of bounds), BadFormat (damaged), OutOfMemory, Cancelled
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>>
    vectors(const std::string& dataset, const VectorsInfo& shape, DocumentRange range, JobContext& job);

private:
    [[nodiscard]] bool needsCheck(const std::string& dataset);
    /// Compares a digest with the table and remembers that it was right.
    [[nodiscard]] Status accept(const std::string& dataset, const std::string& digest);

    Hdf5Reader m_file;
    ChecksumTable m_checksums;
    std::mutex m_mutex;               ///< guards what is verified
    std::set<std::string> m_verified; ///< datasets whose checksum was right
};

} // namespace headscope
