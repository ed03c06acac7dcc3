// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_map.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// What `headscope tsne` needs beside a map to make it again.
struct MapOrigin
{
    std::string cache;           ///< file that the vectors are from
    std::int64_t stageHeads = 0; ///< heads of the map's stage in it
};

/// The runs of `headscope tsne` that make a map again, bit for bit (the same hash), each as its
/// arguments behind the program's name. One; several, with a --state file between them, where the
/// run went on with other parameters; options that have their default are left out.
/// @param output  the last one's -o; empty: none
[[nodiscard]] std::vector<std::vector<std::string>> tsneArguments(const HeadMap& map, const MapOrigin& origin,
                                                                  const std::string& output);

/// The same as one line for a shell. What the program cannot repeat (noise) stands behind it as a
/// comment.
[[nodiscard]] std::string tsneCommand(const HeadMap& map, const MapOrigin& origin);

} // namespace headscope::desktop
