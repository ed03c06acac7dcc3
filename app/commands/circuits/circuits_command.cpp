// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/circuits/circuits_command.h"

#include "app/commands/input_options.h"
#include "model/base/fields/fields.h"

#include <charconv>
#include <system_error>

namespace headscope::commands
{
std::optional<std::pair<std::int64_t, std::int64_t>> layerPair(const std::string& text)
{
    std::int64_t first = 0;
    std::int64_t second = 0;
    const char* const end = text.data() + text.size();
    const auto earlier = std::from_chars(text.data(), end, first);
    if (earlier.ec != std::errc() || earlier.ptr == end || *earlier.ptr != ',')
        return {};
    const auto later = std::from_chars(earlier.ptr + 1, end, second);
    if (later.ec != std::errc() || later.ptr != end || first < 0 || first >= second)
        return {};
    return std::pair(first, second);
}

std::string layerPairFault(const std::string& text)
{
    return layerPair(text) ? std::string()
                           : "expected two layers, the earlier first, found \"" + text.substr(0, 40) + '"';
}

void CircuitsCommand::declare(Fields& table)
{
    table.option("RESULT", result, ".h5 file that headscope-engine contributions, composition or lens has written")
        .file()
        .required();
    table
        .option("--show", show,
                "waterfall: a pair of documents; grid: layers x heads; matrix and graph: composition; words: lens")
        .oneOf({"auto", "waterfall", "grid", "matrix", "graph", "words"})
        .defaultMeans("the first of these that the file has");
    table.option("--layer", layer, "waterfall: layer that is unfolded into its heads; words: layer of the heads")
        .countFrom(0)
        .defaultMeans("of a waterfall the layer whose heads add most, of words the last");
    table.option("--layers", layers, "matrix: the two layers whose heads are shown, the earlier first")
        .checkedBy(layerPairFault, "3,7")
        .valueName("A,B")
        .defaultMeans("those of the highest score");
    table.option("--kind", kind, "matrix and graph: composition through queries, keys or values")
        .oneOf({"all", "q", "k", "v"})
        .defaultMeans("all; of a matrix that of the highest score");
    table.option("--top", top, "number of pairs in the graph, and of rows in the printed table").within(1, 1000);
    table.option("--token", token, "words of weights: the token that is read")
        .defaultMeans("in a figure the first, in a table all");
    table.flag("--raw", raw, "grid: shares as they are, without subtracting the mean over the documents");
    table.option("-o,--output", output, ".csv, .tex, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands
