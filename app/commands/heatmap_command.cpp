// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/heatmap_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace headscope::commands
{

void HeatmapCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    fields(table, input.topics);
    table.option("--topics", topics, "number of topics, or their names")
        .valueName("N|NAMES")
        .defaultMeans("the 8 most frequent");
    fields(table, heatmap);
    table
        .option("--sort", sort,
                "order of the columns: full, a head number from 1, cluster (similar columns together), or none")
        .checkedBy(orderFault, "cluster")
        .valueName("ORDER");
    table
        .option("--scale", scale,
                "colour scale of a picture: data (limits of the plotted values), zero (symmetric around 0, white is "
                "0), or limits such as -0.2,0.6 to compare several pictures")
        .checkedBy(scaleFault, "-0.2,0.6")
        .valueName("SCALE");
    fields(table, shuffles);
    table.option("-o,--output", output, ".h5 or .csv (the cells), .tex (a summary of the rows), .png, .pdf or .svg")
        .valueName("FILE");
    figure.declare(table);
    declarePlainCsv(table, plainCsv);
}

Result<ColumnOrder> HeatmapCommand::order(std::int64_t heads) const
{
    const auto order = ColumnOrder::fromName(sort);
    if (!order)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected full, cluster, none or a head number from 1, found \"{}\"", sort),
                     {},
                     "--sort"};
    if (order->by == ColumnOrder::By::Head)
    {
        if (auto known = parseHeadRanges(sort, heads); !known)
            return std::move(known).error().atPlace("--sort");
    }
    return *order;
}

} // namespace headscope::commands
