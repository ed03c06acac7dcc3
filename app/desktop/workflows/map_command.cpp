// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workflows/map_command.h"

#include "app/desktop/command_line.h"
#include "model/data/head_ranges.h"
#include "ui/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace headscope::desktop
{
namespace
{

using Arguments = std::vector<std::string>;

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
    const std::set<std::int64_t> heads(map.points->head.begin(), map.points->head.end());
    if (static_cast<std::int64_t>(heads.size()) == stageHeads)
        return {};
    return formatHeadRanges(std::vector<std::int64_t>(heads.begin(), heads.end()));
}

/// What is the same in every part.
Arguments commonArguments(const HeadMap& map, const MapOrigin& origin)
{
    const TsneOptions& options = map.options;
    const TsneOptions usual;
    Arguments arguments = {"tsne",    origin.cache,
                           "--layer", std::to_string(map.layer.value()),
                           "--stage", std::string(stageName(map.stage))};
    const auto add = [&arguments](const char* name, std::string value) {
        arguments.emplace_back(name);
        arguments.push_back(std::move(value));
    };
    if (std::string heads = headsText(map, origin.stageHeads); !heads.empty())
        add("--heads", std::move(heads));
    if (options.perplexities != usual.perplexities)
        add("--perplexity", fmt::format("{}", fmt::join(options.perplexities, ",")));
    if (options.exaggeration != usual.exaggeration)
        add("--exaggeration", fmt::format("{}", options.exaggeration));
    if (options.exaggerationIterations != usual.exaggerationIterations)
        add("--exaggeration-iterations", std::to_string(options.exaggerationIterations));
    if (options.learningRate != usual.learningRate)
        add("--learning-rate", fmt::format("{}", options.learningRate));
    if (options.momentum != usual.momentum)
        add("--momentum", fmt::format("{}", options.momentum));
    if (options.degreesOfFreedom != usual.degreesOfFreedom)
        add("--dof", fmt::format("{}", options.degreesOfFreedom));
    if (options.metric != usual.metric)
        add("--metric", std::string(metricName(options.metric)));
    if (options.start == TsneStart::Random)
        add("--init", "random");
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Start)
            add("--init", fmt::format("{}:/maps/{}/xy", origin.cache, turn.name));
    }
    if (options.seed != usual.seed)
        add("--seed", std::to_string(options.seed));
    return arguments;
}

} // namespace

std::vector<Arguments> tsneArguments(const HeadMap& map, const MapOrigin& origin, const std::string& output)
{
    const std::vector<Part> parts = partsOf(map);
    const Arguments common = commonArguments(map, origin);
    const TsneOptions usual;
    std::vector<Arguments> runs;
    for (const Part& part : parts)
    {
        Arguments& run = runs.emplace_back(common);
        if (part.until != usual.iterations || parts.size() > 1)
            run.insert(run.end(), {"--iterations", std::to_string(part.until)});
        if (part.lateExaggeration != usual.lateExaggeration)
            run.insert(run.end(), {"--late-exaggeration", fmt::format("{}", part.lateExaggeration)});
        if (part.autoStop)
            run.emplace_back("--auto-stop");
        if (parts.size() > 1)
            run.insert(run.end(), {"--state", map.name + "-state.h5"});
    }
    if (!output.empty())
        runs.back().insert(runs.back().end(), {"-o", output});
    return runs;
}

std::string tsneCommand(const HeadMap& map, const MapOrigin& origin)
{
    QStringList runs;
    for (const Arguments& run : tsneArguments(map, origin, map.name + ".h5"))
    {
        QStringList words;
        for (const std::string& argument : run)
            words << ui::toQString(argument);
        runs << commandLine(words);
    }
    std::string line = ui::toStdString(runs.join(QStringLiteral(" && ")));
    std::string noise;
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Noise)
            noise += fmt::format("{}at iteration {} by {:g} of its spread", noise.empty() ? "" : ", ", turn.iteration,
                                 turn.value);
    }
    if (!noise.empty())
        line += "  # without the noise that moved it " + noise;
    return line;
}

} // namespace headscope::desktop
