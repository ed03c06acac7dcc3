// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_datasets.h"

#include "model/base/free_memory.h"
#include "model/base/memory/pages.h"
#include "model/io/cache/cache_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

namespace headscope
{

CacheDatasets::CacheDatasets(Hdf5Reader file) : m_file(std::move(file)) {}

Result<std::vector<std::string>> CacheDatasets::strings(const std::string& dataset, std::int64_t expected) const
{
    HEADSCOPE_TRY(const DatasetInfo found, m_file.describe(dataset));
    if (found.shape.size() != 1 || (expected >= 0 && found.rows() != expected))
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {}, found {}",
                                 expected < 0 ? std::string("a list") : fmt::format("{} entries", expected),
                                 found.describe()),
                     m_file.path().string(), dataset};
    if (found.text)
        return m_file.readStrings(dataset, 0, found.rows());
    std::vector<std::string> values;
    HEADSCOPE_TRY(const auto integers, readNumbers<std::int64_t>(m_file, dataset)); // ids that are numbers
    for (const std::int64_t value : integers)
        values.push_back(std::to_string(value));
    return values;
}

template <class T>
Result<std::vector<T>> CacheDatasets::numbers(const std::string& dataset, std::int64_t documents) const
{
    HEADSCOPE_TRY(auto values, readNumbers<T>(m_file, dataset));
    if (static_cast<std::int64_t>(values.size()) != documents)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected one value for each of {} documents, found {}", documents, values.size()),
                     m_file.path().string(), dataset};
    return values;
}

template Result<std::vector<std::int32_t>> CacheDatasets::numbers(const std::string&, std::int64_t) const;
template Result<std::vector<std::uint8_t>> CacheDatasets::numbers(const std::string&, std::int64_t) const;

Result<std::shared_ptr<const HeadVectors>> CacheDatasets::vectors(const std::string& dataset, const VectorsInfo& shape,
                                                                  DocumentRange range, JobContext& job) const
{
    HEADSCOPE_TRY(range, rowsWithin(range, shape.documents, m_file.path(), dataset));
    const auto rowSize = static_cast<std::size_t>(shape.heads * shape.dims);
    const std::size_t rowBytes = rowSize * numberBytes(shape.type);
    const auto numbers = static_cast<double>(range.end - range.begin) * static_cast<double>(rowSize);
    if (auto fits =
            checkMemory({numbers * sizeof(float), fmt::format("{} of {} documents", dataset, range.end - range.begin),
                         "use a cache of fewer documents"});
        !fits)
        return std::move(fits).error().inFile(m_file.path().string());
    try
    {
        const std::int64_t documents = range.end - range.begin;
        const std::size_t size = static_cast<std::size_t>(documents) * rowSize;
        const auto values = std::make_shared_for_overwrite<float[]>(size); // all of it is written below
        const std::span<float> all(values.get(), size);
        // HDF5 leaves out what it never wrote: only numbers that lie in the file are read to where they stay.
        const auto region =
            shape.type == NumberType::F32 && documents == shape.documents ? m_file.region(dataset) : std::nullopt;
        const bool inPlace = region && region->size == all.size_bytes();
        // Keeps the rows of a piece that are wanted.
        const RowVisitor keep = [&](std::int64_t begin, std::int64_t count, std::span<const std::byte> raw) -> Status {
            job.report("reading vectors", static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(range.end),
                       "documents");
            const std::int64_t first = std::max(begin, range.begin);
            const std::int64_t last = std::min(begin + count, range.end);
            if (first >= last || inPlace)
                return {};
            const auto rows = static_cast<std::size_t>(last - first);
            floatsFromRaw(shape.type, raw.subspan(static_cast<std::size_t>(first - begin) * rowBytes, rows * rowBytes),
                          all.subspan(static_cast<std::size_t>(first - range.begin) * rowSize, rows * rowSize));
            return {};
        };
        const PagesAhead pages(std::as_writable_bytes(all));
        HEADSCOPE_CHECK(m_file.visitRows(dataset, range.begin, range.end, keep, job,
                                         inPlace ? std::as_writable_bytes(all) : std::span<std::byte>()));
        return std::make_shared<const HeadVectors>(shape.stage, shape.layer, documents, shape.heads,
                                                   SharedRows(values, documents * shape.heads, shape.dims),
                                                   shape.finalNorm);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("{} vectors of {} numbers do not fit into memory", (range.end - range.begin), rowSize),
                     m_file.path().string(), dataset};
    }
}

} // namespace headscope
