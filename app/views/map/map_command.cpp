// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_command.h"

#include "app/shell/parse_words.h"
#include "model/base/fields/fields.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace headscope::desktop
{
namespace
{

/// A part of a run in which nothing was changed.
struct Part
{
    int until = 0;
    double lateExaggeration = 1;
    bool autoStop = false;
};

std::vector<Part> partsOf(const HeadMap& map)
{
    std::vector<Part> parts;
    Part part;
    part.lateExaggeration = map.options.lateExaggeration;
    part.autoStop = map.options.autoStop;
    const auto is = [](MapTurn::Kind kind) { return [kind](const MapTurn& turn) { return turn.kind == kind; }; };
    if (std::ranges::any_of(map.turns, is(MapTurn::Kind::Exaggeration)))
        part.lateExaggeration = 1; // unless the first turn says otherwise
    if (std::ranges::any_of(map.turns, is(MapTurn::Kind::FixedLength)))
        part.autoStop = true;
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind != MapTurn::Kind::Exaggeration && turn.kind != MapTurn::Kind::FixedLength)
            continue;
        part.until = turn.iteration;
        if (turn.iteration > 0 && (parts.empty() || parts.back().until < turn.iteration))
            parts.push_back(part);
        if (turn.kind == MapTurn::Kind::Exaggeration)
            part.lateExaggeration = turn.value;
        else
            part.autoStop = false;
    }
    part.until = map.iteration;
    parts.push_back(part);
    return parts;
}

/// Heads of the map, unless it holds all of its stage.
std::string headsText(const HeadMap& map, std::int64_t stageHeads)
{
    if (map.points == nullptr)
        return {};
    const std::vector<std::int64_t> heads = headsOf(*map.points);
    return static_cast<std::int64_t>(heads.size()) == stageHeads ? std::string() : formatHeadRanges(heads);
}

/// What is the same in every part.
TsneLine commonLine(const HeadMap& map, const MapOrigin& origin)
{
    TsneLine line;
    commands::InputOptions& input = line.command.input;
    input.cache = origin.cache;
    input.layer = std::to_string(map.layer.value());
    input.stage = stageName(map.stage);
    input.heads = headsText(map, origin.stageHeads);
    line.command.setOptions(map.options);
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Start)
            line.command.setStart(fmt::format("{}:/maps/{}/xy", origin.cache, turn.name));
    }
    line.common.seed = map.options.seed;
    return line;
}

void draw(TsneLine& line, const MapPicture& picture)
{
    line.command.color = picture.color;
    line.command.figure.palette = picture.palette;
    line.command.showHeads = picture.showHeads;
}

std::string asText(const std::vector<TsneLine>& runs)
{
    std::string line;
    for (const TsneLine& run : runs)
        line += (line.empty() ? "" : " && ") + run.text();
    return line;
}

} // namespace

std::vector<std::int64_t> headsOf(const PointIds& points)
{
    std::vector<char> seen;
    for (const std::int32_t head : points.head)
    {
        if (head >= 0 && static_cast<std::size_t>(head) >= seen.size())
            seen.resize(static_cast<std::size_t>(head) + 1, 0);
        if (head >= 0)
            seen[static_cast<std::size_t>(head)] = 1;
    }
    std::vector<std::int64_t> heads;
    for (std::size_t head = 0; head < seen.size(); ++head)
    {
        if (seen[head] != 0)
            heads.push_back(static_cast<std::int64_t>(head));
    }
    return heads;
}

std::vector<TsneLine> tsneLines(const HeadMap& map, const MapOrigin& origin, const std::string& output)
{
    const std::vector<Part> parts = partsOf(map);
    std::vector<TsneLine> runs;
    for (const Part& part : parts)
    {
        commands::TsneCommand& run = runs.emplace_back(commonLine(map, origin)).command;
        run.tsne.iterations = part.until;
        run.tsne.lateExaggeration = part.lateExaggeration;
        run.tsne.autoStop = part.autoStop;
        if (parts.size() > 1)
            run.state = map.name + "-state.h5";
    }
    runs.back().command.output = output;
    return runs;
}

std::string tsneCommand(const HeadMap& map, const MapOrigin& origin)
{
    return asText(tsneLines(map, origin, map.name + ".h5")) + noiseNote(map);
}

std::string pictureCommand(const HeadMap& map, const MapOrigin& origin, const MapPicture& picture)
{
    std::string file = map.name + ".pdf";
    std::ranges::replace(file, '/', '-'); // of a map of an aligned set
    const std::string note =
        picture.omitted.empty() ? std::string() : fmt::format("  # without {}", fmt::join(picture.omitted, ", "));
    if (!picture.isStored)
    {
        std::vector<TsneLine> runs = tsneLines(map, origin, file);
        draw(runs.back(), picture);
        const std::string noise = noiseNote(map);
        return asText(runs) + note + noise;
    }
    TsneLine line;
    line.command.input.cache = origin.cache;
    line.command.input.layer = std::to_string(map.layer.value());
    line.command.input.stage = stageName(map.stage);
    line.command.map = fmt::format("{}:/maps/{}/xy", origin.cache, map.name);
    line.command.output = file;
    draw(line, picture);
    return line.text() + note;
}

std::string noiseNote(const HeadMap& map)
{
    std::string noise;
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Noise)
            noise += fmt::format("{}at iteration {} by {:g} of its spread", noise.empty() ? "" : ", ", turn.iteration,
                                 turn.value);
    }
    return noise.empty() ? noise : "  # without the noise that moved the map " + noise;
}

Result<FigureMap> figureMap(std::span<const std::string> words)
{
    TsneLine line;
    Fields table;
    line.declare(table);
    HEADSCOPE_TRY(const shell::Reading reading, shell::parseWords(table, words));
    const commands::TsneCommand& command = line.command;
    const auto refused = [](const char* why) { return Error{ErrorCode::InvalidArgument, why, {}, {}}; };
    if (reading != shell::Reading::Done)
        return refused("its recipe draws nothing");
    FigureMap map;
    if (!command.map.empty())
    {
        // FILE.h5:/maps/NAME/xy
        constexpr std::string_view kBefore = ":/maps/";
        const std::size_t begin = command.map.rfind(kBefore);
        const std::size_t end = command.map.rfind('/');
        if (begin == std::string::npos || end < begin + kBefore.size())
            return refused("it is a map of another file");
        map.stored = command.map.substr(begin + kBefore.size(), end - begin - kBefore.size());
        return map;
    }
    if (command.seeds > 1)
        return refused("it shows the maps of several seeds");
    if (command.tsne.start == TsneStart::Given)
        return refused("it begins at positions of another map");
    if (!command.input.documents.empty() || !command.input.mask.empty())
        return refused("it shows only some of the documents or vectors");
    map.options = command.options(line.common.seed);
    return map;
}

bool isMadeWith(const HeadMap& map, const TsneOptions& options, std::span<const std::int64_t> heads)
{
    return map.turns.empty() && !map.hash.empty() && map.options == options && map.points != nullptr &&
           std::ranges::equal(headsOf(*map.points), heads);
}

} // namespace headscope::desktop
