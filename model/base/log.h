// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

namespace headscope
{

/// Who a line is for: Error and Warning are read by users, Info by users who ask, Debug by developers.
enum class LogLevel
{
    Debug,
    Info,
    Warning,
    Error,
};

using LogSink = std::function<void(LogLevel level, std::string_view line)>;

/// Replaces where lines go (default: stderr, Warning and above) and returns the former sink.
/// @threads safe; the sink is called by one thread at a time
LogSink setLogSink(LogSink sink);

/// Lines below this level are dropped before they reach the sink (default Warning).
void setLogLevel(LogLevel lowest);

/// Hands one line to the sink. Errors that are returned are not logged as well.
void logMessage(LogLevel level, std::string_view line);

template <class... Args>
void logInfo(fmt::format_string<Args...> format, Args&&... args)
{
    logMessage(LogLevel::Info, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void logWarning(fmt::format_string<Args...> format, Args&&... args)
{
    logMessage(LogLevel::Warning, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace headscope
