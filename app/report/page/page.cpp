// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/page.h"

#include "app/report/page/page_files.h"
#include "app/report/page/page_parts.h"
#include "model/base/hash.h"

#include <charconv>
#include <span>

namespace headscope::report
{
namespace
{

/// The script of the maps: three files that share their names with each other alone.
HtmlText mapScript()
{
    return HtmlText::format("'use strict';\n(() => {{\n{}{}{}}})();\n", htmlFile(mapPoints), htmlFile(mapPainters),
                            htmlFile(liveMaps));
}

/// The hash by which a page's policy admits a script: nothing that a label smuggled in could run.
HtmlText scriptSource(const HtmlText& script)
{
    Sha256 hash;
    hash.update(std::as_bytes(std::span(script.bytes())));
    const std::string hex = hash.finishHex();
    std::vector<std::byte> digest;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    {
        std::uint8_t byte = 0;
        std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
        digest.push_back(static_cast<std::byte>(byte));
    }
    return "'sha256-" + htmlBase64(digest) + "'";
}

HtmlText headHtml(const Page& page)
{
    return HtmlText::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                            "style-src 'unsafe-inline'; script-src {} {}; base-uri 'none'; form-action 'none'\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                            "<meta name=\"color-scheme\" content=\"light dark\">\n"
                            "<title>{}</title>\n<style>\n{}</style>\n</head>\n",
                            scriptSource(mapScript()), scriptSource(htmlFile(pageScript)), htmlText(page.title),
                            htmlFile(pageStyle));
}

HtmlText dataHtml(const HtmlText& id, const ScriptText& json)
{
    return HtmlText::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, htmlData(json));
}

/// The data of the maps and the scripts.
HtmlText scriptsHtml(const Page& page)
{
    HtmlText html;
    if (!page.maps.empty())
        html += dataHtml(HtmlText("documents-data"), documentsData(page.documents));
    for (std::size_t map = 0; map < page.maps.size(); ++map)
        html += dataHtml(HtmlText::format("map-data-{}", map), mapData(page.maps[map]));
    return html + HtmlText::format("<script>{}</script>\n<script>{}</script>\n", mapScript(), htmlFile(pageScript));
}

} // namespace

HtmlText reportPage(const Page& page)
{
    const std::vector<AddressedSection> sections = addressed(page.sections);
    HtmlText html = headHtml(page);
    html += "<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header class=\"top\">\n<h1>" +
            htmlName(page.title) + "</h1>\n" + factsHtml(page.facts, "facts") + factsHtml(page.otherFacts, "facts") +
            "</header>\n<div class=\"columns\">\n" + contentsHtml(sections) + "<main id=\"content\">\n";
    for (const AddressedSection& section : sections)
        html += sectionHtml(section, page.maps);
    html += "</main>\n</div>\n<footer>" + htmlText(page.footer) + "</footer>\n";
    html += scriptsHtml(page);
    return html + "</body>\n</html>\n";
}

} // namespace headscope::report
