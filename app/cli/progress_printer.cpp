// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_printer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <ostream>

namespace headscope::cli
{
namespace
{

constexpr const char* kClearLine = "\r\x1b[K";

std::string duration(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole >= 3600)
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string lineFor(const Progress& progress)
{
    std::string line = progress.stage;
    if (progress.total > 0)
        line += fmt::format("  {}/{} {} ({:.0f} %)", progress.done, progress.total, progress.unit,
                            100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total));
    else if (progress.done > 0)
        line += fmt::format("  {} {}", progress.done, progress.unit);
    if (progress.rate > 0)
        line += fmt::format("  {:.3g}/s", progress.rate);
    if (progress.eta >= 0.5)
        line += fmt::format("  {} left", duration(progress.eta));
    return line;
}

/// The line cut to the terminal's width: one that wraps could not be cleared.
std::string fitted(std::string line)
{
    winsize size = {};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
        line.resize(size.ws_col - 1U);
    return line;
}

std::string objectFor(const Progress& progress)
{
    const nlohmann::ordered_json object = {
        {"stage", progress.stage},
        {"done", progress.done},
        {"total", progress.total},
        {"unit", progress.unit},
        {"rate", progress.rate},
        {"seconds", progress.seconds},
        {"eta", progress.eta < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(progress.eta)}};
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

ProgressSink makeProgressSink(std::string_view mode, std::ostream& err, bool terminal)
{
    if (mode == "json")
        return [&err](const Progress& progress) { err << objectFor(progress) << std::endl; };
    if (mode == "auto" && terminal)
        return [&err](const Progress& progress) { err << kClearLine << fitted(lineFor(progress)) << std::flush; };
    return {};
}

void clearProgressLine(std::string_view mode, std::ostream& err, bool terminal)
{
    if (mode == "auto" && terminal)
        err << kClearLine << std::flush;
}

} // namespace headscope::cli
