// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"
#include "app/engine/engine_verb.h"
#include "app/engine/range_command.h"
#include "model/io/shards/run_progress.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{
namespace
{

/// A range that nobody works on, and the command that makes it.
struct MissingRange
{
    DocumentRange range;
    std::string command;
};

/// What was never begun, and what was stopped, whose own command goes on with it.
std::vector<MissingRange> missingOf(const RunProgress& progress)
{
    std::vector<MissingRange> missing;
    for (const RunRange& each : progress.ranges)
        if (each.state == RunState::Stopped)
            missing.push_back({each.range, each.command});
    for (const DocumentRange& range : progress.untouched)
        missing.push_back({range, commandOfRange(progress.ranges.front().command, range)});
    std::ranges::sort(missing, {}, [](const MissingRange& each) { return each.range.begin; });
    return missing;
}

/// Seconds until all that is left is done at the rate of now; below 0: not known.
double secondsLeft(const RunProgress& progress)
{
    return progress.rate() > 0 ? static_cast<double>(progress.documents - progress.done()) / progress.rate() : -1;
}

std::string_view stateName(RunState state)
{
    switch (state)
    {
    case RunState::Done:
        return "done";
    case RunState::Running:
        return "running";
    default:
        return "stopped";
    }
}

std::string timeText(double seconds)
{
    const auto minutes = static_cast<std::int64_t>(std::ceil(seconds / 60));
    if (minutes < 2)
        return fmt::format("{:.0f} s", seconds);
    return minutes < 120 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

nlohmann::ordered_json numberOrNull(double value, bool known)
{
    return known ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

std::string statusJson(const RunProgress& progress)
{
    nlohmann::ordered_json object;
    object["documents"] = progress.documents;
    object["done"] = progress.done();
    object["running"] = progress.running();
    object["missing"] = nlohmann::ordered_json::array();
    for (const MissingRange& each : missingOf(progress))
        object["missing"].push_back({{"from", each.range.begin}, {"to", each.range.end}, {"command", each.command}});
    object["rate"] = numberOrNull(progress.rate(), progress.rate() > 0);
    object["eta"] = numberOrNull(secondsLeft(progress), secondsLeft(progress) >= 0);
    object["ranges"] = nlohmann::ordered_json::array();
    for (const RunRange& each : progress.ranges)
        object["ranges"].push_back({{"from", each.range.begin},
                                    {"to", each.range.end},
                                    {"state", std::string(stateName(each.state))},
                                    {"done", each.done},
                                    {"rate", numberOrNull(each.rate, each.rate > 0)},
                                    {"file", each.file.string()},
                                    {"holder", each.holder}});
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string rangeLine(const RunRange& each)
{
    std::string line = fmt::format("  {}:{}  {}, {} of {}", each.range.begin, each.range.end, stateName(each.state),
                                   each.done, each.range.end - each.range.begin);
    if (each.rate > 0)
        line += fmt::format(", {:.1f} documents/s", each.rate);
    line += "  " + each.file.string();
    if (!each.holder.empty())
        line += fmt::format(" ({})", each.holder);
    return line + "\n";
}

std::string statusText(const RunProgress& progress)
{
    std::string text = fmt::format("{} of {} documents are done", progress.done(), progress.documents);
    if (progress.running() > 0)
        text += fmt::format(", {} are being computed", progress.running());
    if (secondsLeft(progress) > 0)
        text +=
            fmt::format("; {:.1f} documents/s, {} left at this rate", progress.rate(), timeText(secondsLeft(progress)));
    text += "\n";
    for (const RunRange& each : progress.ranges)
        text += rangeLine(each);
    const auto missing = missingOf(progress);
    if (!missing.empty())
        text += "ranges that no process is computing, and the commands for them:\n";
    for (const MissingRange& each : missing)
        text += fmt::format("  {}:{}  {}\n", each.range.begin, each.range.end, each.command);
    return text;
}

Status runStatus(const commands::StatusCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const RunProgress progress, readRunProgress(command.path, context.job));
    sayNotices(context, progress.notices);
    answer(
        context, [&] { return statusJson(progress); }, [&] { return statusText(progress); });
    return {};
}

} // namespace

RunVerb declareStatus(Fields& table)
{
    return verbOf(table, runStatus);
}

} // namespace headscope::engine
