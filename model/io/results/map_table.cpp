// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/map_table.h"

#include "model/base/text/csv_text.h"
#include "model/data/maps/point_range.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

/// The title of a label's column; labels that are called as a column of ours is say so.
CsvText labelTitle(const std::string& name)
{
    static constexpr std::array<std::string_view, 9> kOwn = {"document", "id",       "head",   "segment", "x",
                                                             "y",        "strength", "chosen", "shown"};
    for (const std::string_view own : kOwn)
    {
        if (name == own)
            return csvField("label " + name, CsvTexts::Safe);
    }
    return csvField(name, CsvTexts::Safe);
}

void appendNumber(CsvText& csv, float value)
{
    csv += ",";
    if (std::isfinite(value))
        csv.append("{}", value);
}

} // namespace

Status writeMapTable(const std::filesystem::path& target, const HeadMap& map, const DocumentSet& documents,
                     const MapTableColumns& columns, JobContext& job)
{
    constexpr std::int64_t kReportEvery = 16'384;
    const PointIds& points = *map.points;
    HEADSCOPE_CHECK(expectPointsOf(points, documents.count(), std::nullopt, map.name));
    const std::int64_t count = map.xy.rows();
    CsvText csv = CsvText::format("document,id,{},x,y", csvField(unitName(map.stage), CsvTexts::Plain));
    if (!columns.strengths.empty())
        csv += ",strength";
    // Quoted once, not once a point.
    std::vector<std::vector<CsvText>> categories;
    for (const LabelColumn& label : documents.labels)
    {
        csv += "," + labelTitle(label.name);
        std::vector<CsvText>& fields = categories.emplace_back();
        for (const std::string& category : label.categories)
            fields.push_back(csvField(category, CsvTexts::Safe));
    }
    csv += columns.chosen.empty() ? Literal("") : Literal(",chosen");
    csv += columns.shown.empty() ? Literal("\n") : Literal(",shown\n");
    for (std::int64_t i = 0; i < count; ++i)
    {
        if (i % kReportEvery == 0)
        {
            HEADSCOPE_CHECK(job.checkStop());
            job.report("writing points", static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(count), "points");
        }
        const auto at = static_cast<std::size_t>(i);
        const auto document = static_cast<std::size_t>(points.document[at]);
        csv.append("{},{},", document, csvField(documents.ids[document], CsvTexts::Safe));
        if (at < points.head.size()) // the full vector is of no head
            csv.append("{}", shownNumber(HeadIndex(points.head[at])));
        appendNumber(csv, map.xy(i, 0));
        appendNumber(csv, map.xy(i, 1));
        if (!columns.strengths.empty())
            appendNumber(csv, columns.strengths[at]);
        for (std::size_t l = 0; l < categories.size(); ++l)
        {
            csv += ",";
            if (const std::int32_t code = documents.labels[l].codes[document]; code >= 0)
                csv += categories[l][static_cast<std::size_t>(code)];
        }
        if (!columns.chosen.empty())
            csv += document < columns.chosen.size() && columns.chosen[document] != 0 ? Literal(",1") : Literal(",0");
        if (!columns.shown.empty())
            csv += columns.shown[at] != 0 ? Literal(",1") : Literal(",0");
        csv += "\n";
    }
    return writeCsvFile(target, csv);
}

} // namespace headscope
