// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/report_command.h"
#include "model/data/head_vectors.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{
class CacheReader;
class LabelColumn;
} // namespace headscope

namespace headscope::cli
{

/// What a part of a report says, which decides its sentences and its table.
enum class ReportTopic
{
    Schema,
    Similarity,
    Map,        ///< a computed map; no figure of its own
    MapPicture, ///< of a map that was computed before
    Probe,
    Match,
    Heatmap,
    Heads,
    LabelProbe,
    Layers,
    Pruning,
    Retrieval,
    Circuits,
};

/// One verb of headscope that a report runs.
struct ReportItem
{
    std::string id;     ///< of its files: "map-stage1"
    std::string cache;  ///< as typed
    std::string origin; ///< of the cache
    std::size_t of = 0; ///< ReportSubject::number
    ReportTopic topic = ReportTopic::Schema;
    std::string verb;
    std::vector<std::string> words; ///< behind the cache, without the output
    std::string option;             ///< that names the output: "-o", "--figure"; empty: it has none
    std::string output;             ///< below the folder: "figures/map-stage1.pdf"
};

/// What of a cache decides what its report shows.
struct ReportSubject
{
    std::string cache;  ///< as typed
    std::string origin; ///< of the cache
    std::string name;   ///< that tells it from the other one of the report; empty: it is the only one
    std::string prefix; ///< of its items' ids
    std::size_t number = 0;
    LayerIndex layer;
    std::vector<Stage> stages; ///< at this layer, ascending
    std::string changed;       ///< in the model (ModelChanges::words); empty: nothing
    std::int64_t documents = 0;
    std::int64_t heads = 0;
    std::int64_t groups = 0;
    std::int64_t layers = 0; ///< that the cache has vectors of
    std::string label;       ///< column of the topics; empty: there is none
    std::string labelMap;
    bool topics = false;       ///< there are vectors of the topics' names
    bool isOtherLayer = false; ///< next to another layer of the same cache: what is of the full vector is of neither
    std::vector<std::string> circuits; ///< files of contributions, composition or lens, as typed
    std::string preset;
    std::string palette = "standard"; ///< of labels and heads
};

/// @return in the order of the report; every item after those whose outputs it reads
[[nodiscard]] std::vector<ReportItem> reportPlan(const ReportSubject& subject);

/// What to type behind the item's verb.
/// @param folder  as typed
[[nodiscard]] std::vector<std::string> wordsOf(const ReportItem& item, const std::filesystem::path& folder);

} // namespace headscope::cli
