// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/map_text.h"

#include "model/data/application_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

std::string startWord(TsneStart start)
{
    switch (start)
    {
    case TsneStart::Pca:
        return "PCA initialization";
    case TsneStart::Random:
        return "random initialization";
    case TsneStart::Given:
        return "given initialization";
    }
    return "PCA initialization";
}

/// What the seed decided; empty where it decided nothing.
std::string seedText(const TsneOptions& options, bool matters)
{
    if (!matters)
        return {};
    const bool ofStart = options.start == TsneStart::Random || options.startJitter > 0;
    return fmt::format(", {}seed {}", ofStart ? "" : "neighbours searched with ", options.seed);
}

std::string startText(const TsneOptions& options, std::int64_t points, std::string start)
{
    if (options.startJitter > 0 && options.start != TsneStart::Random)
        start += fmt::format(" jittered by {:g}% of its spread", 100 * options.startJitter);
    return start + seedText(options, seedMatters(options, points));
}

} // namespace

bool seedMatters(const HeadMap& map)
{
    return map.equalPoints > 0 || seedMatters(map.options, map.xy.rows()) ||
           std::any_of(map.turns.begin(), map.turns.end(),
                       [](const MapTurn& turn) { return turn.kind == MapTurn::Kind::Noise; });
}

std::string startText(const TsneOptions& options, std::int64_t points)
{
    return startText(options, points, startWord(options.start));
}

std::string startText(const HeadMap& map)
{
    std::string start = startWord(map.options.start);
    bool noise = false;
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Start)
            start = fmt::format("initialized from \"{}\"", turn.name);
        noise = noise || turn.kind == MapTurn::Kind::Noise;
    }
    std::string text = startText(map.options, map.xy.rows(), std::move(start));
    if (noise && !seedMatters(map.options, map.xy.rows()))
        text += fmt::format(", moved by noise of seed {}", map.options.seed);
    else if (map.equalPoints > 0 && !seedMatters(map.options, map.xy.rows()))
        text += fmt::format(", equal vectors moved apart by seed {}", map.options.seed);
    return text;
}

std::string affinitiesText(const TsneOptions& options, std::int64_t points)
{
    if (options.affinities == TsneAffinities::Dense)
        return "dense affinities (all pairs)";
    return fmt::format("sparse affinities ({} neighbours)", affinityNeighbors(options.perplexities, points));
}

bool isExaggerated(const HeadMap& map)
{
    const TsneOptions& options = map.options;
    return map.iteration > 0 && map.iteration <= options.exaggerationIterations && options.exaggeration != 1 &&
           std::none_of(map.turns.begin(), map.turns.end(),
                        [](const MapTurn& turn) { return turn.kind == MapTurn::Kind::Exaggeration; });
}

std::string otherVersionText(const HeadMap& map)
{
    const std::string running = applicationName();
    if (map.application == running)
        return {};
    return fmt::format("{}, but this is {}: another version may place points differently",
                       map.application.empty() ? "a version that was not stored" : map.application, running);
}

} // namespace headscope
