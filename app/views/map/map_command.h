// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "app/commands/tsne_command.h"
#include "model/data/maps/head_map.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// What `headscope tsne` needs besides a map to make it again.
struct MapOrigin
{
    std::string cache;           ///< file that the vectors are from
    std::int64_t stageHeads = 0; ///< heads of the map's stage in it
};

using TsneLine = commands::CommandLine<commands::TsneCommand>;

/// The runs of `headscope tsne` that make a map again, bit for bit (the same hash): one, or several with a --state
/// file between them where the run was continued with other parameters.
/// @param output  the last one's -o; empty: none
[[nodiscard]] std::vector<TsneLine> tsneLines(const HeadMap& map, const MapOrigin& origin, const std::string& output);

/// The same as one line for a shell. What the program cannot repeat (noise) follows as a comment.
[[nodiscard]] std::string tsneCommand(const HeadMap& map, const MapOrigin& origin);

/// That comment, to be at the end of a line; "" where the map can be repeated.
[[nodiscard]] std::string noiseNote(const HeadMap& map);

} // namespace headscope::desktop
