// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/options.h"
#include "model/base/job_context.h"

#include <string>

namespace headscope::engine
{

/// The sink that shows a job's progress on stderr. On a terminal it draws one line over and over,
/// at most ten times a second; clearProgressLine() wipes it before anything else is written there.
/// @return an empty sink where nothing is to be shown
[[nodiscard]] ProgressSink progressSink(ProgressMode mode);

/// Wipes the line of a terminal, if one was drawn.
void clearProgressLine();

/// One JSON object: {"stage", "done", "total", "unit", "rate", "seconds", "eta"}; total and eta are
/// null where they are not known.
[[nodiscard]] std::string progressJson(const Progress& progress);

/// One line for people: "extracting  [######----] 120/200 documents  14.2/s  0:05 left".
/// @param width  columns of the terminal
[[nodiscard]] std::string progressText(const Progress& progress, int width);

} // namespace headscope::engine
