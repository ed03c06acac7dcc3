// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/progress_line.h"

#include "model/base/escape_controls.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <ostream>

namespace headscope::shell
{
namespace
{

int terminalColumns()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string minutes(double seconds)
{
    const auto whole = std::llround(std::max(seconds, 0.0));
    if (whole >= 3600)
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// A rate in three digits: "1.52", "14.2", "1634".
std::string rateText(double rate)
{
    return rate < 10    ? fmt::format("{:.2f}", rate)
           : rate < 100 ? fmt::format("{:.1f}", rate)
                        : fmt::format("{:.0f}", rate);
}

} // namespace

std::string progressJson(const Progress& progress)
{
    nlohmann::ordered_json line;
    line["stage"] = progress.stage;
    line["done"] = progress.done;
    line["total"] = progress.total > 0 ? nlohmann::ordered_json(progress.total) : nlohmann::ordered_json();
    line["unit"] = progress.unit;
    line["rate"] = progress.rate;
    line["seconds"] = progress.seconds;
    line["eta"] = progress.eta >= 0 ? nlohmann::ordered_json(progress.eta) : nlohmann::ordered_json();
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Progress progressOf(const nlohmann::json& object)
{
    const auto text = [&object](const char* key) {
        const auto value = object.find(key);
        return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
    };
    const auto number = [&object](const char* key, double otherwise) {
        const auto value = object.find(key);
        return value != object.end() && value->is_number() ? value->get<double>() : otherwise;
    };
    Progress progress;
    progress.stage = text("stage");
    progress.done = static_cast<std::uint64_t>(std::max(0.0, number("done", 0)));
    progress.total = static_cast<std::uint64_t>(std::max(0.0, number("total", 0)));
    progress.unit = text("unit");
    progress.rate = number("rate", 0);
    progress.seconds = number("seconds", 0);
    progress.eta = number("eta", -1);
    return progress;
}

std::string progressText(const Progress& progress, int width)
{
    const std::string stage = escapeControls(progress.stage, LineBreaks::Shown);
    std::string tail;
    if (progress.total > 0)
        tail = fmt::format(" {}/{}", progress.done, progress.total);
    else if (progress.done > 0)
        tail = fmt::format(" {}", progress.done);
    if (!tail.empty() && !progress.unit.empty())
        tail += " " + escapeControls(progress.unit, LineBreaks::Shown);
    if (progress.rate > 0)
        tail += fmt::format("  {}/s", rateText(progress.rate));
    if (progress.eta >= 0 && progress.done < progress.total)
        tail += fmt::format("  {} left", minutes(progress.eta));
    std::string bar;
    const int room = width - 5 - static_cast<int>(stage.size() + tail.size());
    if (progress.total > 0 && room >= 10)
    {
        const int cells = std::min(room, 30);
        const auto done =
            static_cast<double>(std::min(progress.done, progress.total)) / static_cast<double>(progress.total);
        const int full = static_cast<int>(done * cells);
        bar = fmt::format("  [{}{}]", std::string(static_cast<std::size_t>(full), '#'),
                          std::string(static_cast<std::size_t>(cells - full), '-'));
    }
    auto line = stage + bar + tail;
    if (static_cast<int>(line.size()) >= width)
        line.resize(static_cast<std::size_t>(std::max(width - 1, 0)));
    return line;
}

ProgressLine::ProgressLine(std::string_view mode, std::ostream& err, bool terminal)
    : m_mode(mode), m_err(err), m_terminal(terminal)
{}

void ProgressLine::clear()
{
    if (m_drawn.exchange(false))
        m_err << "\r\x1b[K" << std::flush;
}

ProgressSink ProgressLine::sink()
{
    using Clock = std::chrono::steady_clock;
    if (m_mode == "json")
        return [this](const Progress& progress) { m_err << visibleJson(progressJson(progress)) << std::endl; };
    if (m_mode == "off" || !m_terminal)
        return {};
    struct Drawn
    {
        Clock::time_point when;
        std::string stage;
    };
    return [this, drawn = std::make_shared<Drawn>()](const Progress& progress) {
        const auto now = Clock::now();
        if (progress.stage == drawn->stage && now - drawn->when < std::chrono::milliseconds(100) &&
            (progress.total == 0 || progress.done < progress.total))
            return;
        *drawn = {now, progress.stage};
        m_drawn = true;
        m_err << '\r' << progressText(progress, terminalColumns()) << "\x1b[K" << std::flush;
    };
}

} // namespace headscope::shell
