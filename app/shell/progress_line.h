// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <iosfwd>
#include <string>
#include <string_view>

namespace headscope::shell
{

/// Shows a job's progress on a stream, as --progress asks for it: "json", one object a line; "auto", one
/// line drawn over and over where the stream is a terminal; else nothing.
/// @threads reports come from one thread at a time; it outlives the job
class ProgressLine
{
public:
    /// @param err  must outlive this
    ProgressLine(std::string_view mode, std::ostream& err, bool terminal);

    /// What a JobContext reports to; empty where nothing is to be shown. A line is drawn at most ten times
    /// a second.
    [[nodiscard]] ProgressSink sink();
    /// Wipes the drawn line, if there is one, before something else is printed.
    void clear();

private:
    std::string m_mode;
    std::ostream& m_err;
    bool m_terminal;
    std::atomic<bool> m_drawn = false;
};

/// One JSON object: {"stage", "done", "total", "unit", "rate", "seconds", "eta"}; total and eta are
/// null where they are not known.
[[nodiscard]] std::string progressJson(const Progress& progress);
/// The progress of such an object; what is missing or of another type is not known.
[[nodiscard]] Progress progressOf(const nlohmann::json& object);

/// One line for people: "extracting  [######----] 120/200 documents  14.2/s  0:05 left".
/// @param width  columns of the terminal
[[nodiscard]] std::string progressText(const Progress& progress, int width);

} // namespace headscope::shell
