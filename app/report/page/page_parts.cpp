// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/page_parts.h"

#include "app/report/page/base64.h"
#include "app/report/page/html_text.h"
#include "model/base/assert.h"

#include <fmt/format.h>

#include <set>
#include <span>

namespace headscope::report
{
namespace
{

/// Tables of more rows are folded.
constexpr std::size_t kRowsShown = 40;

std::string claimHtml(const PageClaim& claim)
{
    std::string html = "<p class=\"claim\">" + htmlText(claim.text);
    std::string numbers;
    const auto add = [&](std::string_view kind, const std::string& text) {
        if (!text.empty())
            numbers += fmt::format("<span class=\"{}\">{}</span>", kind, htmlName(text));
    };
    add("number", claim.number);
    add("interval", claim.interval);
    add("count", claim.count);
    if (!numbers.empty())
        html += " <span class=\"evidence\">" + numbers + "</span>";
    return html + "</p>\n";
}

std::string pictureHtml(const PageFigure& figure)
{
    if (figure.bytes.empty())
        return {};
    const std::string_view type = figure.kind == FigureKind::Svg ? "svg+xml" : "png";
    return fmt::format("<img class=\"still\" alt=\"{}\" src=\"data:image/{};base64,{}\">\n",
                       htmlText(figure.alt.empty() ? figure.caption : figure.alt), type,
                       base64(std::as_bytes(std::span(figure.bytes))));
}

std::string leftOutHtml(const LiveMap& map)
{
    const std::int64_t count = pointsLeftOut(map);
    if (count == 0)
        return {};
    return fmt::format("<p class=\"notice\">{} of {} points {} no finite place and {} left out.</p>\n", count,
                       map.x.size(), count == 1 ? "has" : "have", count == 1 ? "is" : "are");
}

/// The place of a live map, which needs points to show.
std::string liveHtml(const LiveMap& map, std::size_t number, bool alone)
{
    if (pointsLeftOut(map) == static_cast<std::int64_t>(map.x.size()))
        return "<p class=\"notice\">The map has no points to show.</p>\n";
    std::string html = fmt::format("<div class=\"live\" data-map=\"{}\"></div>\n", number);
    if (alone)
        html += "<noscript><p class=\"notice\">The map is drawn by scripts, which are off.</p></noscript>\n";
    return html;
}

std::string figureHtml(const PageFigure& figure, const std::vector<LiveMap>& maps)
{
    const bool live = figure.live.has_value() && *figure.live < maps.size();
    const bool picture = !figure.bytes.empty();
    std::string html =
        fmt::format("<figure id=\"figure-{}\"{}>\n", pageId(figure.name), live && picture ? " class=\"two-ways\"" : "");
    if (live)
        html += liveHtml(maps[*figure.live], *figure.live, !picture);
    html += pictureHtml(figure);
    if (live)
        html += factsHtml(maps[*figure.live].numbers, "numbers") + leftOutHtml(maps[*figure.live]);
    return html + "<figcaption>" + htmlText(figure.caption) + "</figcaption>\n</figure>\n";
}

/// A row of a table; cells that are missing are empty.
std::string rowHtml(const std::vector<PageColumn>& columns, const std::vector<std::string>& cells)
{
    std::string html = "<tr>";
    for (std::size_t column = 0; column < columns.size(); ++column)
    {
        html += columns[column].numeric ? "<td class=\"numeric\">" : "<td>";
        html += (column < cells.size() ? htmlName(cells[column]) : std::string()) + "</td>";
    }
    return html + "</tr>\n";
}

std::string tableHtml(const PageTable& table)
{
    const bool folded = table.rows.size() > kRowsShown;
    std::string html;
    if (folded)
        html += fmt::format("<details class=\"folded\"><summary>{} <span class=\"count\">{} rows</span></summary>\n",
                            htmlText(table.caption), table.rows.size());
    html +=
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"" + htmlText(table.caption) + "\"><table>\n";
    if (!folded && !table.caption.empty())
        html += "<caption>" + htmlText(table.caption) + "</caption>\n";
    html += "<thead><tr>";
    for (const PageColumn& column : table.columns)
        html += fmt::format("<th scope=\"col\"{}>{}</th>", column.numeric ? " class=\"numeric\"" : "",
                            htmlName(column.name));
    html += "</tr></thead>\n<tbody>\n";
    for (const std::vector<std::string>& row : table.rows)
        html += rowHtml(table.columns, row);
    html += "</tbody>\n</table></div>\n";
    return html + (folded ? "</details>\n" : "");
}

std::string commandHtml(const std::string& command)
{
    if (command.empty())
        return {};
    return "<div class=\"command\"><span class=\"what\">Made by</span><code>" + htmlText(command) +
           "</code><button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n";
}

} // namespace

std::vector<AddressedSection> addressed(const std::vector<PageSection>& sections)
{
    std::set<std::string> taken = {"content"};
    std::vector<AddressedSection> all;
    for (const PageSection& section : sections)
    {
        const std::string wanted = pageId(section.id.empty() ? section.heading : section.id);
        std::string id = wanted;
        for (int number = 2; !taken.insert(id).second; ++number)
            id = fmt::format("{}-{}", wanted, number);
        all.push_back({&section, id});
    }
    return all;
}

std::string factsHtml(const std::vector<PageFact>& facts, std::string_view className)
{
    if (facts.empty())
        return {};
    std::string html = fmt::format("<dl class=\"{}\">\n", className);
    for (const PageFact& fact : facts)
        html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", htmlName(fact.name), htmlName(fact.value));
    return html + "</dl>\n";
}

std::string contentsHtml(const std::vector<AddressedSection>& sections)
{
    std::string html =
        "<nav class=\"contents\" aria-label=\"Contents\">\n<details open><summary>Contents</summary>\n<ol>\n";
    for (const AddressedSection& entry : sections)
        html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", entry.id, htmlName(entry.section->heading));
    return html + "</ol>\n</details>\n</nav>\n";
}

std::string sectionHtml(const AddressedSection& addressed, const std::vector<LiveMap>& maps)
{
    HEADSCOPE_ASSERT(addressed.section);
    const PageSection& section = *addressed.section;
    std::string html =
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n",
                    addressed.id, htmlName(section.heading));
    for (const PageClaim& claim : section.claims)
        html += claimHtml(claim);
    const bool pairs = section.isPair && !section.figures.empty();
    html += pairs ? "<div class=\"pairs\">\n" : "";
    for (const PageFigure& figure : section.figures)
        html += figureHtml(figure, maps);
    html += pairs ? "</div>\n" : "";
    for (const PageTable& table : section.tables)
        html += tableHtml(table);
    for (const std::string& notice : section.notices)
        html += "<p class=\"notice\">" + htmlText(notice) + "</p>\n";
    return html + commandHtml(section.command) + "</section>\n";
}

} // namespace headscope::report
