// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/vector_copy.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/checksums.h"

#include <cstddef>
#include <span>
#include <string>

namespace headscope
{

Error changedMeanwhile(const std::filesystem::path& cache)
{
    return {ErrorCode::BadFormat,
            "expected the cache that was opened before, found another cache: it has changed since",
            cache.string(),
            {}};
}

Status copyChecked(const Hdf5Reader& file, const VectorsInfo& vectors, std::int64_t begin, CacheDraft& target,
                   JobContext& job)
{
    const std::string dataset = schema::vectorsPath(vectors.layer, vectors.stage);
    HEADSCOPE_TRY(const DatasetInfo shape, file.describe(dataset));
    if (shape.rows() != vectors.documents || shape.number != vectors.type ||
        shape.rowSize() != vectors.heads * vectors.dims)
        return changedMeanwhile(file.path());
    const auto place = [&](std::int64_t first, std::int64_t count, std::span<const std::byte> raw) {
        return target.writeRows(vectors.layer, vectors.stage, begin + first, count, raw);
    };
    if (!file.checksums().contains(dataset))
        return checksumMismatch(file, dataset);
    return file.visitRows(dataset, 0, vectors.documents, place, job);
}

} // namespace headscope
