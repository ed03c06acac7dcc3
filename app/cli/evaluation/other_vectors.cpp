// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/other_vectors.h"

#include "model/data/documents/id_rows.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"

#include <fmt/format.h>

namespace headscope::cli
{

Result<OtherVectors> readOtherVectors(const std::filesystem::path& cache, LayerIndex layer, Stage stage,
                                      const std::vector<std::string>& ids, JobContext& job)
{
    HEADSCOPE_TRY(const auto reader, CacheReader::open(cache, job));
    HEADSCOPE_TRY(const auto documents, reader->documents(job));
    const IdRows rowOf(documents->ids);
    std::vector<std::int64_t> rows;
    for (const std::string& id : ids)
    {
        const std::int64_t row = rowOf.row(id);
        if (row < 0)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the same documents, found none with the id \"{}\"", id), cache.string(),
                         "--others"};
        rows.push_back(row);
    }
    HEADSCOPE_TRY(FullPair full, fullVectors(*reader, layer, stage, {}, job));
    return OtherVectors{reader->info().header.model, fmt::format("full of {}", cache.stem().string()),
                        takeRows(full.documents.vectors, rows), full.documents.source};
}

} // namespace headscope::cli
