// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/map_table.h"

#include "model/base/output/output_file.h"
#include "model/data/maps/point_range.h"
#include "model/io/results/csv_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

/// The title of a label's column; labels that are called as a column of ours is say so.
std::string labelTitle(const std::string& name)
{
    static constexpr std::array<std::string_view, 8> kOwn = {"document", "id", "head",     "segment",
                                                             "x",        "y",  "strength", "chosen"};
    for (const std::string_view own : kOwn)
    {
        if (name == own)
            return "label " + name;
    }
    return csvField(name, CsvTexts::Safe);
}

void appendNumber(std::string& csv, float value)
{
    csv += ',';
    if (std::isfinite(value))
        fmt::format_to(std::back_inserter(csv), "{}", value);
}

} // namespace

Status writeMapTable(const std::filesystem::path& target, const HeadMap& map, const DocumentSet& documents,
                     const MapTableColumns& columns, JobContext& job)
{
    constexpr std::int64_t kReportEvery = 16'384;
    const PointIds& points = *map.points;
    HEADSCOPE_CHECK(expectPointsOf(points, documents.count(), std::nullopt, map.name));
    const std::int64_t count = map.xy.rows();
    std::string csv = fmt::format("document,id,{},x,y", unitName(map.stage));
    if (!columns.strengths.empty())
        csv += ",strength";
    // Quoted once, not once a point.
    std::vector<std::vector<std::string>> categories;
    for (const LabelColumn& label : documents.labels)
    {
        csv += ',' + labelTitle(label.name);
        std::vector<std::string>& fields = categories.emplace_back();
        for (const std::string& category : label.categories)
            fields.push_back(csvField(category, CsvTexts::Safe));
    }
    csv += columns.chosen.empty() ? "\n" : ",chosen\n";
    for (std::int64_t i = 0; i < count; ++i)
    {
        if (i % kReportEvery == 0)
        {
            HEADSCOPE_CHECK(job.checkStop());
            job.report("writing points", static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(count), "points");
        }
        const auto at = static_cast<std::size_t>(i);
        const auto document = static_cast<std::size_t>(points.document[at]);
        fmt::format_to(std::back_inserter(csv), "{},{},", document, csvField(documents.ids[document], CsvTexts::Safe));
        if (at < points.head.size()) // the full vector is of no head
            fmt::format_to(std::back_inserter(csv), "{}", shownNumber(HeadIndex(points.head[at])));
        appendNumber(csv, map.xy(i, 0));
        appendNumber(csv, map.xy(i, 1));
        if (!columns.strengths.empty())
            appendNumber(csv, columns.strengths[at]);
        for (std::size_t l = 0; l < categories.size(); ++l)
        {
            csv += ',';
            if (const std::int32_t code = documents.labels[l].codes[document]; code >= 0)
                csv += categories[l][static_cast<std::size_t>(code)];
        }
        if (!columns.chosen.empty())
            csv += document < columns.chosen.size() && columns.chosen[document] != 0 ? ",1" : ",0";
        csv += '\n';
    }
    return writeFileAtomically(target, csv);
}

} // namespace headscope
