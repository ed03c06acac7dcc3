// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/frame/frame.h"
#include "model/data/circuits/composition_results.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// Scores with what they were made from.
struct CompositionFindings
{
    CompositionScores scores;
    std::vector<CompositionEdge> strongest;
    std::string model; ///< its name
    std::vector<std::pair<std::string, std::string>> hashes;
    double subtracted = 0; ///< from the strongest
    bool carried = false;  ///< norms stand in the stream, and what heads write is carried through them
    double seconds = 0;
};

/// What `composition --json` prints (app/INTERFACE.md, section 5).
/// @param more    members behind it
/// @param indent  of its lines; -1: one line
[[nodiscard]] std::string compositionJson(const CompositionFindings& found, const Members& more = {}, int indent = -1);

/// The same for people.
[[nodiscard]] std::string compositionText(const CompositionFindings& found);

/// Writes findings as the name's ending asks: the listed pairs (.csv), the scores of all pairs (.h5), or what `--json`
/// prints (.json).
/// @param command  as typed, for the file
/// @errors those of the writers
[[nodiscard]] Status writeComposition(const std::filesystem::path& path, const CompositionFindings& found,
                                      const std::string& command);

} // namespace headscope::engine
