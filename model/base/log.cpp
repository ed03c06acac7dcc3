// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/log.h"

#include "model/base/escape_controls.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

void writeToStderr(LogLevel level, std::string_view line)
{
    const char* prefix = level == LogLevel::Error ? "error: " : level == LogLevel::Warning ? "warning: " : "";
    const std::string text = fmt::format("headscope: {}{}\n", prefix, escapeControls(line, LineBreaks::Shown));
    std::fputs(text.c_str(), stderr); // whole, so that lines of several threads do not mix
}

struct LogState
{
    std::mutex mutex;
    LogSink sink = writeToStderr;
    std::atomic<LogLevel> lowest = LogLevel::Warning;
};

LogState& state()
{
    static LogState instance;
    return instance;
}

} // namespace

LogSink setLogSink(LogSink sink)
{
    const std::lock_guard lock(state().mutex);
    return std::exchange(state().sink, sink ? std::move(sink) : LogSink(writeToStderr));
}

void setLogLevel(LogLevel lowest)
{
    state().lowest = lowest;
}

void logMessage(LogLevel level, std::string_view line)
{
    if (level < state().lowest.load())
        return;
    const std::lock_guard lock(state().mutex);
    state().sink(level, line);
}

} // namespace headscope
