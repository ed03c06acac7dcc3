// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/page_parts.h"

#include "model/base/assert.h"

#include <set>
#include <span>

namespace headscope::report
{
namespace
{

/// Tables of more rows are folded.
constexpr std::size_t kRowsShown = 40;

HtmlText claimHtml(const PageClaim& claim)
{
    HtmlText html = "<p class=\"claim\">" + htmlText(claim.text);
    HtmlText numbers;
    const auto add = [&](Literal kind, const std::string& text) {
        if (!text.empty())
            numbers.append("<span class=\"{}\">{}</span>", kind, htmlName(text));
    };
    add("number", claim.number);
    add("interval", claim.interval);
    add("count", claim.count);
    if (!numbers.empty())
        html += " <span class=\"evidence\">" + numbers + "</span>";
    return html + "</p>\n";
}

HtmlText pictureHtml(const PageFigure& figure)
{
    if (figure.bytes.empty())
        return {};
    const Literal type = figure.kind == FigureKind::Svg ? Literal("svg+xml") : Literal("png");
    return HtmlText::format("<img class=\"still\" alt=\"{}\" src=\"data:image/{};base64,{}\">\n",
                            htmlText(figure.alt.empty() ? figure.caption : figure.alt), type,
                            htmlBase64(std::as_bytes(std::span(figure.bytes))));
}

HtmlText leftOutHtml(const LiveMap& map)
{
    const std::int64_t count = pointsLeftOut(map);
    if (count == 0)
        return {};
    return HtmlText::format("<p class=\"notice\">{} of {} points {} no finite position and {} excluded.</p>\n", count,
                            map.x.size(), count == 1 ? Literal("has") : Literal("have"),
                            count == 1 ? Literal("is") : Literal("are"));
}

/// The place of a live map, which needs points to show.
HtmlText liveHtml(const LiveMap& map, std::size_t number, bool alone)
{
    if (pointsLeftOut(map) == static_cast<std::int64_t>(map.x.size()))
        return HtmlText("<p class=\"notice\">The map has no points to show.</p>\n");
    HtmlText html = HtmlText::format("<div class=\"live\" data-map=\"{}\"></div>\n", number);
    if (alone)
        html += "<noscript><p class=\"notice\">The map needs scripts, which are disabled.</p></noscript>\n";
    return html;
}

HtmlText figureHtml(const PageFigure& figure, const std::vector<LiveMap>& maps)
{
    const bool live = figure.live.has_value() && *figure.live < maps.size();
    const bool picture = !figure.bytes.empty();
    HtmlText html = HtmlText::format("<figure id=\"figure-{}\"{}>\n", pageId(figure.name),
                                     live && picture ? Literal(" class=\"two-ways\"") : Literal(""));
    if (live)
        html += liveHtml(maps[*figure.live], *figure.live, !picture);
    html += pictureHtml(figure);
    if (live)
        html += factsHtml(maps[*figure.live].numbers, "numbers") + leftOutHtml(maps[*figure.live]);
    return html + "<figcaption>" + htmlText(figure.caption) + "</figcaption>\n</figure>\n";
}

/// A row of a table; cells that are missing are empty.
HtmlText rowHtml(const std::vector<PageColumn>& columns, const std::vector<std::string>& cells,
                 const std::vector<bool>& grey)
{
    HtmlText html("<tr>");
    for (std::size_t column = 0; column < columns.size(); ++column)
    {
        const bool isGrey = column < grey.size() && grey[column];
        html += columns[column].numeric
                    ? (isGrey ? Literal("<td class=\"numeric grey\">") : Literal("<td class=\"numeric\">"))
                    : (isGrey ? Literal("<td class=\"grey\">") : Literal("<td>"));
        html += (column < cells.size() ? htmlName(cells[column]) : HtmlText()) + "</td>";
    }
    return html + "</tr>\n";
}

HtmlText tableHtml(const PageTable& table)
{
    const bool folded = table.rows.size() > kRowsShown;
    HtmlText html;
    if (folded)
        html.append("<details class=\"folded\"><summary>{} <span class=\"count\">{} rows</span></summary>\n",
                    htmlText(table.caption), table.rows.size());
    html +=
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"" + htmlText(table.caption) + "\"><table>\n";
    if (!folded && !table.caption.empty())
        html += "<caption><div>" + htmlText(table.caption) + "</div></caption>\n";
    html += "<thead><tr>";
    for (const PageColumn& column : table.columns)
        html.append("<th scope=\"col\"{}>{}</th>", column.numeric ? Literal(" class=\"numeric\"") : Literal(""),
                    htmlName(column.name));
    html += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        html +=
            rowHtml(table.columns, table.rows[row], row < table.grey.size() ? table.grey[row] : std::vector<bool>());
    html += "</tbody>\n</table></div>\n";
    return html + (folded ? Literal("</details>\n") : Literal(""));
}

HtmlText commandHtml(const std::string& command)
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
        const HtmlText wanted = pageId(section.id.empty() ? section.heading : section.id);
        HtmlText id = wanted;
        for (int number = 2; !taken.insert(id.bytes()).second; ++number)
            id = HtmlText::format("{}-{}", wanted, number);
        all.push_back({&section, id});
    }
    return all;
}

HtmlText factsHtml(const std::vector<PageFact>& facts, Literal className)
{
    if (facts.empty())
        return {};
    HtmlText html = HtmlText::format("<dl class=\"{}\">\n", className);
    for (const PageFact& fact : facts)
        html.append("<div><dt>{}</dt><dd>{}</dd></div>\n", htmlName(fact.name), htmlName(fact.value));
    return html + "</dl>\n";
}

HtmlText contentsHtml(const std::vector<AddressedSection>& sections)
{
    HtmlText html(
        "<nav class=\"contents\" aria-label=\"Contents\">\n<details open><summary>Contents</summary>\n<ol>\n");
    for (const AddressedSection& entry : sections)
        html.append("<li><a href=\"#{}\">{}</a></li>\n", entry.id, htmlName(entry.section->heading));
    return html + "</ol>\n</details>\n</nav>\n";
}

HtmlText sectionHtml(const AddressedSection& addressed, const std::vector<LiveMap>& maps)
{
    HEADSCOPE_ASSERT(addressed.section);
    const PageSection& section = *addressed.section;
    HtmlText html =
        HtmlText::format("<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n",
                         addressed.id, htmlName(section.heading));
    for (const PageClaim& claim : section.claims)
        html += claimHtml(claim);
    const bool pairs = section.isPair && !section.figures.empty();
    html += pairs ? Literal("<div class=\"pairs\">\n") : Literal("");
    for (const PageFigure& figure : section.figures)
        html += figureHtml(figure, maps);
    html += pairs ? Literal("</div>\n") : Literal("");
    for (const PageTable& table : section.tables)
        html += tableHtml(table);
    for (const std::string& notice : section.notices)
        html += "<p class=\"notice\">" + htmlText(notice) + "</p>\n";
    return html + commandHtml(section.command) + "</section>\n";
}

} // namespace headscope::report
