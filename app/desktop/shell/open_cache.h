// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/keep_work.h"
#include "model/data/maps/head_map.h"
#include "model/data/origin.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "ui/state/strengths.h"
#include "ui/window/cache_overview.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// A label column that a label map made out of one of the cache's.
struct MergedColumn
{
    std::string source;                  ///< the column in the cache, whose topics are embedded
    std::vector<std::int64_t> topicRows; ///< of each category: its row among the source's topics
    std::string labelMap;                ///< file it was merged by; "": chosen in the window
};

/// A cache just opened: its documents and maps have been read, its vectors have not.
struct OpenedCache
{
    std::shared_ptr<CacheReader> reader;
    std::shared_ptr<const ui::CacheOverview> overview;
    std::vector<std::shared_ptr<const HeadMap>> maps;
    std::vector<std::string> notices;           ///< sentences for the log
    std::map<std::string, MergedColumn> merged; ///< by the name they have in the overview
    std::optional<FoundWork> work;              ///< kept from the last session; none: work is not kept
};

/// A merged column, and the overview that includes it.
struct MergedOverview
{
    std::shared_ptr<const ui::CacheOverview> overview;
    std::string name; ///< "topic, merged"
    MergedColumn column;
    std::string notice; ///< names of the map that no label has; may be empty
};

/// Merges a label column as a label map says (`headscope similarity --merge`), besides those there are;
/// a column merged before is replaced.
/// @errors those of readLabelMap; InvalidArgument (no name of the map is a label of this column)
[[nodiscard]] Result<MergedOverview> mergeColumn(const OpenedCache& cache, const std::string& column,
                                                 const std::filesystem::path& labelMap);

/// The same by names, old to new; an empty new name takes the label away.
/// @errors InvalidArgument (no name is a label of this column)
[[nodiscard]] Result<MergedOverview> mergeColumn(const OpenedCache& cache, const std::string& column,
                                                 const std::map<std::string, std::string>& names);

/// The vectors of one layer and stage, and their strengths.
struct SourceData
{
    std::shared_ptr<const HeadVectors> vectors;
    std::shared_ptr<const ui::Strengths> strengths;
    std::shared_ptr<const FullVectors> full; ///< null until nearest documents are first searched
    Origin origin{};                         ///< of all of them
};

/// Opens a cache and reads its documents and maps. A map that cannot be read becomes a notice.
/// @param places  where work on it may be kept; none: it is not read
/// @errors those of CacheReader
/// @threads to be called on a worker
[[nodiscard]] Result<OpenedCache> openCache(const std::filesystem::path& path, JobContext& job,
                                            const std::optional<WorkPlaces>& places = {});

/// Reads the vectors of a layer and stage.
[[nodiscard]] Result<SourceData> loadSource(CacheReader& reader, LayerIndex layer, Stage stage, int numThreads,
                                            JobContext& job);

} // namespace headscope::desktop
