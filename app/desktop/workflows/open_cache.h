// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_map.h"
#include "model/io/cache_reader.h"
#include "ui/cache_overview.h"
#include "ui/strengths.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// A cache after its first look: no vectors yet, but its maps.
struct OpenedCache
{
    std::shared_ptr<CacheReader> reader;
    std::shared_ptr<const ui::CacheOverview> overview;
    std::vector<std::shared_ptr<const HeadMap>> maps;
    std::vector<std::string> notices; ///< sentences for the log
};

/// The vectors of one layer and stage, and their strengths.
struct SourceData
{
    std::shared_ptr<const HeadVectors> vectors;
    std::shared_ptr<const ui::Strengths> strengths;
    std::shared_ptr<const FullVectors> full; ///< null until somebody asked for nearest documents
};

/// Opens a cache and reads its documents and maps. A map that cannot be read becomes a notice.
/// @errors those of CacheReader
/// @threads a worker's business
[[nodiscard]] Result<OpenedCache> openCache(const std::filesystem::path& path, JobContext& job);

/// Reads the vectors of a layer and stage.
[[nodiscard]] Result<SourceData> loadSource(CacheReader& reader, LayerIndex layer, Stage stage, int numThreads,
                                            JobContext& job);

} // namespace headscope::desktop
