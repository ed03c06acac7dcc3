// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/circuits/lens_job.h"
#include "model/base/result.h"
#include "model/data/circuits/lens_frame.h"
#include "model/data/frame/frame.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The lists of heads as tables show them: of several documents the tokens that most of them list, by their number,
/// then by the mean logit.
[[nodiscard]] std::vector<LensHead> lensHeads(const LensFindings& found);

/// As `lens --json` prints it (app/INTERFACE.md, section 5).
/// @param more    members behind it
/// @param indent  of its lines; -1: one line
[[nodiscard]] std::string lensJson(const LensFindings& found, const Members& more = {}, int indent = -1);

/// The same for people.
[[nodiscard]] std::string lensText(const LensFindings& found);

/// Writes findings as the name's ending asks: a row for each token (.csv), the lists of every document (.h5), or what
/// `--json` prints (.json).
/// @param command  as typed, for the file
/// @errors those of the writers
[[nodiscard]] Status writeLens(const std::filesystem::path& path, const LensFindings& found,
                               const std::string& command);

} // namespace headscope::engine
