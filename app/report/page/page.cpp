// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/page.h"

#include "app/report/page/base64.h"
#include "app/report/page/html_text.h"
#include "app/report/page/page_files.h"
#include "app/report/page/page_parts.h"
#include "model/base/hash.h"

#include <fmt/format.h>

#include <charconv>
#include <span>

namespace headscope::report
{
namespace
{

/// The script of the maps: three files that share their names with each other alone.
std::string mapScript()
{
    return fmt::format("'use strict';\n(() => {{\n{}{}{}}})();\n", mapPoints(), mapPainters(), liveMaps());
}

/// The hash by which a page's policy admits a script: nothing that a label smuggled in could run.
std::string scriptSource(std::string_view script)
{
    Sha256 hash;
    hash.update(std::as_bytes(std::span(script)));
    const std::string hex = hash.finishHex();
    std::vector<std::byte> digest;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    {
        std::uint8_t byte = 0;
        std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
        digest.push_back(static_cast<std::byte>(byte));
    }
    return "'sha256-" + base64(digest) + "'";
}

std::string headHtml(const Page& page)
{
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                       "style-src 'unsafe-inline'; script-src {} {}; base-uri 'none'; form-action 'none'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<title>{}</title>\n<style>\n{}</style>\n</head>\n",
                       scriptSource(mapScript()), scriptSource(pageScript()), htmlText(page.title), pageStyle());
}

std::string dataHtml(const std::string& id, const std::string& json)
{
    return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, json);
}

/// The data of the maps and the scripts.
std::string scriptsHtml(const Page& page)
{
    std::string html;
    if (!page.maps.empty())
        html += dataHtml("documents-data", documentsData(page.documents));
    for (std::size_t map = 0; map < page.maps.size(); ++map)
        html += dataHtml(fmt::format("map-data-{}", map), mapData(page.maps[map]));
    return html + fmt::format("<script>{}</script>\n<script>{}</script>\n", mapScript(), pageScript());
}

} // namespace

std::string reportPage(const Page& page)
{
    const std::vector<AddressedSection> sections = addressed(page.sections);
    std::string html = headHtml(page);
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
