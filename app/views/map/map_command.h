// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "app/commands/tsne_command.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"

#include <cstdint>
#include <span>
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

/// How a map is drawn, as `headscope tsne` takes it.
struct MapPicture
{
    std::string color = "head";
    std::string palette = "standard";
    std::string showHeads; ///< "1-4"; empty: all of the map
    bool isStored = false; ///< the map stands in the cache: it is drawn, not made again
    std::vector<std::string> omitted{}; ///< what the command leaves out: "the colours of the window (density)"
};

/// The heads that have points, ascending.
[[nodiscard]] std::vector<std::int64_t> headsOf(const PointIds& points);

using TsneLine = commands::CommandLine<commands::TsneCommand>;

/// The runs of `headscope tsne` that make a map again, bit for bit (the same hash): one, or several with a --state
/// file between them where the run was continued with other parameters.
/// @param output  the last one's -o; empty: none
[[nodiscard]] std::vector<TsneLine> tsneLines(const HeadMap& map, const MapOrigin& origin, const std::string& output);

/// The same as one line for a shell. What the program cannot repeat (noise) follows as a comment.
[[nodiscard]] std::string tsneCommand(const HeadMap& map, const MapOrigin& origin);

/// One line for a shell that draws a map as the window does, into MAP.pdf.
[[nodiscard]] std::string pictureCommand(const HeadMap& map, const MapOrigin& origin, const MapPicture& picture);

/// The map of a figure that `headscope tsne` drew, as its recipe says.
struct FigureMap
{
    TsneOptions options; ///< it was computed with
    std::string stored;  ///< name of a map of the cache, which was drawn instead; empty: none
};

/// @param words  after the verb
/// @errors those of parseWords; InvalidArgument (it needs more than layer, stage, heads and options), as a clause for
///         people
[[nodiscard]] Result<FigureMap> figureMap(std::span<const std::string> words);

/// Whether a map is what these options compute of these heads.
[[nodiscard]] bool isMadeWith(const HeadMap& map, const TsneOptions& options, std::span<const std::int64_t> heads);

/// That comment, to be at the end of a line; "" where the map can be repeated.
[[nodiscard]] std::string noiseNote(const HeadMap& map);

} // namespace headscope::desktop
