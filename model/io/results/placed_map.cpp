// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/placed_map.h"

#include "model/base/fields/fields.h"
#include "model/data/maps/map_text.h"
#include "model/formats/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace headscope
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Position of a number in an ascending list, or nothing.
std::optional<std::size_t> placeIn(std::span<const std::int64_t> sorted, std::int64_t value)
{
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), value);
    if (found == sorted.end() || *found != value)
        return std::nullopt;
    return static_cast<std::size_t>(found - sorted.begin());
}

using Facts = std::vector<std::pair<std::string, FieldRecord>>;

Facts factsOf(const HeadMap& map, MapUnit unit)
{
    TsneOptions options = map.options;
    Fields rows;
    fields(rows, options);
    const MapTrust trust = map.trust.value_or(MapTrust{kNan, kNan, kNan, kNan, kNan});
    Facts facts = {
        {"of", unit == MapUnit::Document ? std::string("documents") : fmt::format("{}s", unitName(map.stage))},
        {"layer", static_cast<std::int64_t>(map.layer.value())},
        {"stage", std::string(stageName(map.stage))},
        {"points", static_cast<std::int64_t>(map.xy.rows())},
        {"left_out", static_cast<std::int64_t>(map.leftOut)},
    };
    const auto add = [&](std::initializer_list<const char*> keys) {
        for (const char* key : keys)
            facts.emplace_back(key, rows.ofKey(key)->recordValue().value_or(""));
    };
    add({"perplexity", "affinities", "metric"});
    facts.emplace_back("start", startText(map));
    add({"seed", "iterations"});
    facts.emplace_back("iterations_done", std::int64_t{map.iteration});
    constexpr std::array kTold = {"perplexity", "affinities", "metric", "init", "start_jitter", "seed", "iterations"};
    for (const Field& row : rows.used(kRecordUse)) // all others, whatever is added to them
        if (const auto value = row.recordValue(); value && std::ranges::find(kTold, row.key) == kTold.end())
            facts.emplace_back(row.key, *value);
    const Facts measured = {
        {"kl", map.kl},
        {"kl_exact", trust.klExact},
        {"knn10", trust.knn10},
        {"trustworthiness", trust.trustworthiness},
        {"continuity", trust.continuity},
        {"spearman", trust.spearman},
        {"sampled", map.trust ? static_cast<double>(trust.sampled) : kNan},
        {"noise_floor_twins", map.floor ? static_cast<double>(map.floor->twins) : kNan},
        {"noise_floor_neighbors", map.floor ? static_cast<double>(map.floor->mean.neighbors) : kNan},
        {"noise_floor_kept", map.floor ? map.floor->mean.kept : kNan},
        {"noise_floor_correlation", map.floor ? map.floor->mean.correlation : kNan},
        {"hash", map.hash},
        {"input_hash", map.inputHash},
    };
    facts.insert(facts.end(), measured.begin(), measured.end());
    return facts;
}

} // namespace

Result<PlacedMap> placeMap(const HeadMap& map, MapUnit unit, std::span<const std::int64_t> rows,
                           std::span<const std::int64_t> heads)
{
    if (map.points == nullptr || map.points->count() != map.xy.rows())
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected a map with the documents of its points, found \"{}\" of plain numbers", map.name),
            {},
            "--map"};
    const std::size_t count = rows.size() * heads.size();
    PlacedMap placed{map.name, MatrixF(static_cast<std::int64_t>(count), 2), {}, factsOf(map, unit)};
    constexpr float kNoPoint = std::numeric_limits<float>::quiet_NaN();
    std::fill(placed.xy.values().begin(), placed.xy.values().end(), kNoPoint);
    const bool known = map.floor && map.floor->keptByPoint.size() == static_cast<std::size_t>(map.xy.rows());
    if (known)
        placed.kept.assign(count, kNoPoint);
    for (std::int64_t i = 0; i < map.xy.rows(); ++i)
    {
        const auto row = placeIn(rows, map.points->documentOf(i).value());
        const auto head = unit == MapUnit::Head ? placeIn(heads, map.points->headOf(i).value()) : std::size_t{0};
        if (!row || !head)
            continue;
        const std::size_t begin = *row * heads.size() + *head;
        const std::size_t end = unit == MapUnit::Head ? begin + 1 : begin + heads.size();
        for (std::size_t at = begin; at < end; ++at)
        {
            std::ranges::copy(map.xy.row(i), placed.xy.row(static_cast<std::int64_t>(at)).begin());
            if (known)
                placed.kept[at] = map.floor->keptByPoint[static_cast<std::size_t>(i)];
        }
    }
    return placed;
}

std::string factsJson(const PlacedMap& map)
{
    std::vector<std::string> members;
    for (const auto& [name, fact] : map.facts)
    {
        std::string value = "null";
        if (const auto* text = std::get_if<std::string>(&fact))
            value = jsonQuoted(*text);
        else if (const auto* number = std::get_if<std::int64_t>(&fact))
            value = fmt::format("{}", *number);
        else if (const auto* wide = std::get_if<std::uint64_t>(&fact))
            value = fmt::format("{}", *wide);
        else if (const double real = std::get<double>(fact); std::isfinite(real))
            value = fmt::format("{}", real);
        members.push_back(jsonQuoted(name) + ':' + value);
    }
    return fmt::format("{{{}}}", fmt::join(members, ","));
}

} // namespace headscope
