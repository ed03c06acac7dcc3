// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "model/base/result.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope heatmap`, as typed.
struct HeatmapCommand
{
    static constexpr std::string_view kVerb = "heatmap";

    InputOptions input;
    std::string topics;     ///< how many, or names with commas between them
    HeatmapOptions heatmap; ///< without topics, order and seed
    std::string sort = "full";
    std::string scale = "data";
    NullOptions shuffles; ///< but for the seed
    std::string output;
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);
    /// The order that --sort names.
    /// @param heads  of the model
    /// @errors WrongUse (no such word), InvalidArgument (no such head)
    [[nodiscard]] Result<ColumnOrder> order(std::int64_t heads) const;

    friend bool operator==(const HeatmapCommand&, const HeatmapCommand&) = default;
};

} // namespace headscope::commands
