// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/attention_frame.h"

#include "model/base/output/output_file.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/place_columns.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headscope
{
namespace
{

// clang-format off
constexpr ColumnInfo kAttentionColumns[] = {
    kLayerColumn,
    {"head", "Head", "", "Index of the head (from 1)", "", Shown::Index},
    {"query", "Query", "", "Position of the query token, from 0", "", Shown::Index},
    {"token", "Token", "", "Text of the query token", "", Shown::Text},
    {"weight", "Weight", "",
     "Attention weight of the query token on a key token, 0 to 1; the weights of a query sum to 1",
     "The weight shows where a head attends, not which information the head takes from there"},
};
// clang-format on

/// What one token attends to.
struct Row
{
    LayerIndex layer;
    HeadIndex head;
    std::int64_t query = 0;
    std::span<const float> weights;
};

} // namespace

constinit const FrameInfo kAttentionFrame = {.key = "attention", .columns = kAttentionColumns};

Frame attentionFrame(const AttentionRun& run, const ShownHeads& heads)
{
    std::vector<Row> rows;
    for (const auto& [layer, head] : heads)
        if (const MatrixF* weights = run.weightsOf(layer, head))
            for (std::int64_t query = 0; query < weights->rows(); ++query)
                rows.push_back({layer, head, query, weights->row(query)});
    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    Frame frame(kAttentionFrame);
    frame.add("layer", of([](const Row& row) { return row.layer.value(); }));
    frame.add("head", of([](const Row& row) { return shownNumber(row.head); }));
    frame.add("query", of(&Row::query));
    frame.add("token", of([&run](const Row& row) { return run.tokens[static_cast<std::size_t>(row.query)]; }));
    for (std::size_t key = 0; key < run.tokens.size(); ++key)
        frame.add("weight", of([key](const Row& row) { return row.weights[key]; }))
            .named(fmt::format("{} {}", key, run.tokens[key]));
    return frame;
}

Status writeAttentionCsv(const AttentionRun& run, const ShownHeads& heads, const std::filesystem::path& target)
{
    HEADSCOPE_TRY(auto file, OutputFile::create(target));
    CsvText lines = frameCsv(attentionFrame(run, {}));
    bool any = false;
    for (const auto& [layer, head] : heads)
    {
        const MatrixF* const weights = run.weightsOf(layer, head);
        any = any || weights != nullptr;
        for (std::int64_t query = 0; weights != nullptr && query < weights->rows(); ++query)
        {
            lines.append("{},{},{},{}", layer.value(), shownNumber(head), query,
                         csvField(run.tokens[static_cast<std::size_t>(query)], CsvTexts::Safe));
            for (const float weight : weights->row(query))
                lines.append(",{}", weight);
            lines += "\n";
            HEADSCOPE_CHECK(file.write(lines.bytes()));
            lines = {};
        }
    }
    if (!any)
        return Error{
            ErrorCode::InvalidArgument, "the weights of this head are still being computed", target.string(), {}};
    return file.publish();
}

} // namespace headscope
