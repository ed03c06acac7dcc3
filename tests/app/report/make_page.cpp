// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a report's page of made-up numbers, for a look at it and for browser.sh: make_page FILE [DOCUMENTS]
#include "app/report/page/page.h"
#include "tests/app/report/sample_page.h"

#include <fstream>
#include <string>

using namespace headscope;
using report::Page;
using report::PageSection;

namespace
{

std::string curve()
{
    return R"(<svg xmlns="http://www.w3.org/2000/svg" width="648" height="220" viewBox="0 0 648 220">)"
           R"(<path d="M40 10V190H630" fill="none" stroke="#6a737d"/><path d="M40 170C160 160 220 60 320 70S500 40 620 30" )"
           R"(fill="none" stroke="#2f6fde" stroke-width="2"/><text x="300" y="214" font-size="13" fill="#6a737d" )"
           R"(font-family="sans-serif">layer</text></svg>)";
}

PageSection summary()
{
    PageSection section{.heading = "What was found"};
    section.claims = {
        {"The topic of a text can be read from one head alone.", "0.81", "0.78 to 0.84", "300 texts"},
        {"Heads of one KV group are nearer to each other than to others; the distance is the mean over pairs.", "0.42",
         "0.40 to 0.45", "496 pairs"},
        {"Numbers are means; in brackets stand 95% intervals of 1,000 resamples of the documents."}};
    section.notices = {"12 of 300 texts were longer than 512 tokens and were cut."};
    return section;
}

PageSection maps()
{
    PageSection section{.heading = "Map of all heads", .id = "map"};
    section.claims = {
        {"Each dot is one head's vector of one text. Near dots are alike; distances between clouds say little."}};
    section.figures.push_back(
        {.name = "map", .caption = "t-SNE of the vectors of 32 heads, perplexity 30.", .live = 0});
    section.command = "headscope tsne corpus.h5 --layer 12 --stage 1 --seed 1 -o map.svg";
    return section;
}

PageSection layers()
{
    PageSection section{.heading = "Comparison of layers"};
    section.figures.push_back({.name = "layers",
                               .caption = "Accuracy of the probe over the layers.",
                               .alt = "A rising curve",
                               .bytes = curve()});
    section.tables.push_back({.caption = "Probe of each layer",
                              .columns = {{"layer", true}, {"accuracy", true}, {"interval", true}, {"best head"}},
                              .rows = {{"1", "0.31", "0.27 to 0.35", "head 4"},
                                       {"6", "0.62", "0.58 to 0.66", "head 17"},
                                       {"12", "0.81", "0.78 to 0.84", "head 22"}}});
    section.command = "headscope layers corpus.h5 --json";
    return section;
}

PageSection hostile()
{
    PageSection section{.heading = "Heads in full, and names that are <b>not</b> markup"};
    report::PageTable table{
        .caption = "All heads", .columns = {{"head", true}, {"label"}, {"accuracy", true}}, .rows = {}};
    for (int head = 1; head <= 64; ++head)
        table.rows.push_back({std::to_string(head),
                              head % 2 ? "</script><script>alert(1)</script>" : "\u202Ertl \u05E9\u05DC\u05D5\u05DD",
                              "0." + std::to_string(300 + 7 * head)});
    section.tables.push_back(table);
    section.command = "headscope probe corpus.h5 --labels 'a & b' --all-heads --seed 1 -o heads.csv";
    return section;
}

/// Maps of nothing, of one point, and of one that is a picture on paper.
PageSection smallMaps()
{
    PageSection section{.heading = "Small maps"};
    section.figures = {{.name = "nothing", .caption = "No points.", .live = 1},
                       {.name = "one", .caption = "One point.", .bytes = curve(), .live = 2}};
    return section;
}

/// Labels that are longer than any line, and more than a legend lists.
report::MapColumn uniqueLabels(const test::SampleSize& size)
{
    report::MapColumn column{.name = "source", .categories = {}, .codes = {}};
    for (std::int32_t document = 0; document < size.documents; ++document)
    {
        column.categories.push_back({std::to_string(document) + std::string(300, 'w'), {}});
        column.codes.push_back(document);
    }
    return column;
}

Page samplePage(const test::SampleSize& size)
{
    Page page{.title = "Heads of Sample-7B on 300 texts"};
    page.facts = {
        {"cache", "corpus.h5"}, {"model", "Sample-7B-Instruct"}, {"documents", std::to_string(size.documents)},
        {"layers", "12 of 32"}, {"heads", "32 in 8 KV groups"},  {"seed", "1"},
        {"headscope", "0.1.0"}};
    page.sections = {summary(), maps(), layers(), smallMaps(), hostile()};
    page.documents = test::sampleDocuments(size);
    page.documents.ids.front() = "doc </script><img src=x onerror=alert(1)> \u2028 \"quoted\"";
    page.maps.push_back(test::sampleMap(size));
    page.documents.columns.push_back(uniqueLabels(size));
    page.maps.push_back({.title = "Nothing"});
    page.maps.push_back({.title = "One", .x = {3.0F}, .y = {4.0F}, .head = {-1}, .document = {0}});
    page.footer = "Made by headscope report. The same cache and seed give the same page.";
    return page;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    test::SampleSize size;
    if (argc > 2)
        size.documents = std::stoi(argv[2]);
    std::ofstream file(argv[1], std::ios::binary);
    file << report::reportPage(samplePage(size)).bytes();
    return file.flush() ? 0 : 1;
}
