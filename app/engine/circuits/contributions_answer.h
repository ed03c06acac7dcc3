// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/circuits/contributions_job.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/frame/frame.h"

#include <filesystem>
#include <string>

namespace headscope::engine
{

/// What vectors are made of as `contributions --json` prints it (app/INTERFACE.md, section 5).
/// @param more    members behind it
/// @param indent  of its lines; -1: one line
[[nodiscard]] std::string contributionsJson(const ContributionsFindings& found, const Members& more = {},
                                            int indent = -1);

/// The same for people: the largest parts.
[[nodiscard]] std::string contributionsText(const ContributionsFindings& found);

/// Writes findings as the name's ending asks: a table (.csv), the numbers of every document (.h5), or what `--json`
/// prints (.json).
/// @param withParts  also the part of every head in every vector, in .h5
/// @param command    as typed, for the file
/// @errors those of the writers; Cancelled
[[nodiscard]] Status writeContributions(const std::filesystem::path& path, const ContributionsFindings& found,
                                        bool withParts, const std::string& command, JobContext& job);

} // namespace headscope::engine
