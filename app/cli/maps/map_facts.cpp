// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/maps/map_facts.h"

#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace headscope::cli
{

Node neighborsNode(const HeadMap& map)
{
    return map.options.affinities == TsneAffinities::Dense
               ? Node()
               : Node(affinityNeighbors(map.options.perplexities, map.xy.rows()));
}

std::span<const std::int32_t> classesOf(const HeadMap& map)
{
    if (map.points == nullptr)
        return {};
    return map.points->head;
}

std::string_view unitsOf(const HeadMap& map)
{
    return unitNames(std::array{map.stage});
}

void noteLeftOut(Answer& answer, std::int64_t leftOut, std::string_view what)
{
    if (leftOut > 0)
        answer.notices.push_back(fmt::format("excluded {} {} NaN or infinity", leftOut, what));
}

void noteEqual(Answer& answer, const HeadMap& map)
{
    if (map.equalPoints > 0)
        answer.notices.push_back(fmt::format("{} of {} points have the same vector as an earlier point: they start "
                                             "slightly apart (random noise from the seed)",
                                             map.equalPoints, map.xy.rows()));
}

void noteExaggerated(Answer& answer, const HeadMap& map)
{
    if (!isExaggerated(map))
        return;
    const TsneOptions& options = map.options;
    answer.notices.push_back(
        fmt::format("the run finished after {} iterations, during its early exaggeration ({} iterations at {:g}): "
                    "clusters look tighter than they are in the vectors; use more --iterations",
                    map.iteration, options.exaggerationIterations, options.exaggeration));
    (*answer.json)["notices"] = answer.notices;
}

void addChanged(Facts& facts, const ModelInfo& model)
{
    const std::string changed = model.changes.words(model.kvHeads);
    facts.member("changed", textOrNull(changed));
    if (!changed.empty())
        facts.line("changed", changed);
}

} // namespace headscope::cli
