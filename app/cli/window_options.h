// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// What the tabs of the window are called on the command line, in their order.
inline constexpr std::array<std::string_view, 12> kTabNames = {"map",       "grid",  "compare",   "heatmap",
                                                               "probe",     "heads", "retrieval", "layers",
                                                               "attention", "atlas", "head",      "circuits"};

/// What `headscope [OPTIONS] [FILE|FOLDER]` was asked for: the window, not a verb.
struct WindowOptions
{
    bool help = false;
    std::string path;                        ///< to open; may be empty
    std::string screenshot;                  ///< file to write; empty: none is wanted
    int seconds = 30;                        ///< after which it is taken at the latest
    std::optional<std::size_t> tab;          ///< the first tab to show, an index into kTabNames
    std::string theme;                       ///< "light", "dark", "system"; empty: as the settings say
    std::optional<std::pair<int, int>> size; ///< of the window
};

/// @param arguments  without the program's name and what Qt takes for itself
/// @errors WrongUse, with a sentence that says what is expected
[[nodiscard]] Result<WindowOptions> parseWindowOptions(const std::vector<std::string>& arguments);

/// Why a word that is no verb and no file opens nothing: "expected a verb ..., found "haeds"; did you mean "heads"?".
[[nodiscard]] std::string neitherVerbNorPath(std::string_view word);

/// Whether a picture can be written there: nothing is written.
/// @errors WrongUse (an ending that is no picture's), Resource (no such folder, no permission, a folder)
[[nodiscard]] Status checkScreenshotTarget(const std::string& path);

/// The options as lines of a help text.
[[nodiscard]] std::string windowOptionsHelp();

} // namespace headscope::cli
