// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/attention/attention_table.h"

#include "model/base/output/output_file.h"

#include <fmt/format.h>

#include <cstddef>

namespace headscope::desktop
{
namespace
{

/// Layers from 0, heads from 1, as all tables have them; tokens from 0.
std::vector<std::string> headerOf(const AttentionRun& run)
{
    std::vector<std::string> header = {"layer", "head", "query", "token"};
    for (std::size_t key = 0; key < run.tokens.size(); ++key)
        header.push_back(fmt::format("{} {}", key, run.tokens[key]));
    return header;
}

} // namespace

results::ResultTable attentionTable(const AttentionRun& run, const ShownHeads& heads)
{
    results::ResultTable table(headerOf(run));
    for (const auto& [layer, head] : heads)
        if (const MatrixF* weights = run.weightsOf(layer, head))
            for (std::int64_t query = 0; query < weights->rows(); ++query)
            {
                std::vector<results::ResultTable::Cell> cells = {layer.value(), shownNumber(head), query,
                                                                 run.tokens[static_cast<std::size_t>(query)]};
                for (const float weight : weights->row(query))
                    cells.emplace_back(static_cast<double>(weight));
                table.add(std::move(cells));
            }
    return table;
}

Status writeAttentionCsv(const AttentionRun& run, const ShownHeads& heads, const std::filesystem::path& target)
{
    HEADSCOPE_TRY(auto file, OutputFile::create(target));
    CsvText lines;
    for (const std::string& name : headerOf(run))
        lines += (lines.empty() ? Literal("") : Literal(",")) + csvField(name, CsvTexts::Safe);
    lines += "\n";
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
        return Error{ErrorCode::InvalidArgument,
                     "expected the weights of a head, found none yet: they are being computed",
                     target.string(),
                     {}};
    return file.publish();
}

} // namespace headscope::desktop
