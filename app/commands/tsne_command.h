// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/data/maps/tsne_options.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope tsne`, as typed.
struct TsneCommand
{
    static constexpr std::string_view kVerb = "tsne";

    InputOptions input;
    TsneOptions tsne;
    std::string startFile; ///< FILE.h5:/path, of a given start
    int seeds = 1;         ///< above 1: so many maps, which differ in nothing but their seed
    std::string name = "map";
    std::string save;
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;
    std::string color = "head";
    std::string showHeads; ///< of pictures: "1-4", a zoom of the map of all; empty: all
    std::string panels = "none";
    std::string inset; ///< of pictures: "heads:3" or "X,Y,X,Y", a part that stands enlarged in a corner; empty: none
    std::string state;
    bool quality = false;
    std::int64_t noiseFloor = 0; ///< noise replicates the map is compared with
    bool aligned = false;
    std::string map; ///< FILE.h5:/maps/NAME/xy: drawn instead of computing one

    void declare(Fields& table);
    /// Jitter of the start of several maps, where none is asked for: a hundredth of the start's own spread.
    static constexpr double kSeedsJitter = 0.01;

    /// Options of the t-SNE. Start positions that --init names are passed besides them.
    [[nodiscard]] TsneOptions options(std::uint64_t seed) const;
    /// Sets the members from these options, except the seed, which is a common option, and given positions.
    void setOptions(const TsneOptions& options);
    /// Begins at the positions of a file, FILE.h5:/path.
    void setStart(std::string file);

    friend bool operator==(const TsneCommand&, const TsneCommand&) = default;
};

} // namespace headscope::commands
