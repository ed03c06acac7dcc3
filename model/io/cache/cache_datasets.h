// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// The datasets of a cache as its readers want them. Hdf5Reader verifies each when it is first read. Vectors are read
/// in pieces of some 8 MB.
/// @threads any; reads of one process follow one another
class CacheDatasets
{
public:
    explicit CacheDatasets(Hdf5Reader file);

    [[nodiscard]] const Hdf5Reader& file() const { return m_file; }

    /// A list of texts; integers come as their digits.
    /// @param expected  its length; below 0: any
    /// @errors BadFormat (damaged, of another shape)
    [[nodiscard]] Result<std::vector<std::string>> strings(const std::string& dataset, std::int64_t expected) const;

    /// One number for each document; T is std::int32_t or std::uint8_t.
    /// @errors BadFormat (damaged, of another length)
    template <class T>
    [[nodiscard]] Result<std::vector<T>> numbers(const std::string& dataset, std::int64_t documents) const;

    /// Rows of [documents, heads, dims] as float32.
    /// @param shape  of the dataset
    /// @errors InvalidArgument (range out of bounds), BadFormat (damaged), OutOfMemory, Cancelled
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>>
    vectors(const std::string& dataset, const VectorsInfo& shape, DocumentRange range, JobContext& job) const;

private:
    Hdf5Reader m_file;
};

} // namespace headscope
