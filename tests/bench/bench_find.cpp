// SPDX-License-Identifier: GPL-3.0-or-later
// Finding documents in a cache, its documents repeated until there are 40,000: searches of all texts, a
// filter, the growing of a choice, a megabyte in the inspector. One JSON line a case.
// bench_find CACHE [WORDS]

#include "app/desktop/find/filter_documents.h"
#include "app/desktop/find/search_texts.h"
#include "app/views/map/grow_choice.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/io/cache/cache_reader.h"
#include "ui/panels/document/document_text.h"
#include "ui/panels/document/inspector.h"
#include "ui/state/strengths.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QPixmap>
#include <QPlainTextEdit>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::desktop;

namespace
{

constexpr std::int64_t kDocuments = 40'000;
constexpr int kRuns = 7;

void print(const std::string& name, const std::function<std::string()>& run)
{
    std::vector<double> seconds;
    std::string note;
    for (int i = 0; i < kRuns; ++i)
    {
        const auto begin = Clock::now();
        note = run();
        seconds.push_back(secondsSince(begin));
    }
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{{\"case\": \"{}\", \"value\": {:.2f}, \"unit\": \"ms\", \"worst\": {:.2f}, \"note\": \"{}\"}}\n", name,
               1e3 * seconds[kRuns / 2], 1e3 * seconds.back(), note);
}

std::shared_ptr<DocumentSet> repeated(const DocumentSet& documents)
{
    auto many = std::make_shared<DocumentSet>();
    many->labels = documents.labels;
    for (LabelColumn& column : many->labels)
        column.codes.clear();
    for (std::int64_t i = 0; i < kDocuments; ++i)
    {
        const auto from = static_cast<std::size_t>(i % documents.count());
        many->ids.push_back(documents.ids[from] + "/" + std::to_string(i));
        many->texts.push_back(documents.texts[from]);
        many->tokens.push_back(documents.tokens[from]);
        for (std::size_t column = 0; column < many->labels.size(); ++column)
            many->labels[column].codes.push_back(documents.labels[column].codes[from]);
    }
    return many;
}

void searches(const DocumentSet& documents, const QString& words, int threads)
{
    std::size_t bytes = 0;
    for (const std::string& text : documents.texts)
        bytes += text.size();
    using Kind = ui::TextQuery::Kind;
    const std::pair<QString, Kind> queries[] = {
        {words, Kind::Words}, {QStringLiteral("e"), Kind::Words}, {QStringLiteral("\\b\\w+tion\\b"), Kind::Pattern}};
    for (const auto& [text, kind] : queries)
    {
        const auto query = *ui::TextQuery::parse(text, kind);
        print(fmt::format("search of {} documents, {:.0f} MB, {} threads, {} characters{}", documents.count(),
                          static_cast<double>(bytes) / 1e6, threads, text.size(),
                          kind == Kind::Pattern ? ", expression" : ""),
              [&] {
                  JobContext job;
                  const auto found = searchTexts(documents, query, nullptr, threads, job);
                  return fmt::format("{} found", found ? (*found)->hits.size() : 0);
              });
    }
}

void inspectorOfAMegabyte()
{
    auto documents = std::make_shared<DocumentSet>();
    documents->ids = {"short", "megabyte"};
    std::string text;
    while (text.size() < 1'000'000)
        text += "A needle stands in a paragraph of some words, and the paragraph goes on. ";
    documents->texts = {"short", text};
    ui::Inspector inspector;
    inspector.resize(280, 800);
    inspector.setDocuments(documents);
    inspector.setQuery(*ui::TextQuery::parse(QStringLiteral("needle"), ui::TextQuery::Kind::Words));
    inspector.show();
    print("a document of 1 MB shown with its hits", [&] {
        inspector.showDocument(DocumentIndex(0), {});
        inspector.showDocument(DocumentIndex(1), {});
        (void)inspector.grab();
        return fmt::format("{} hits marked", inspector.documentText()->markedParts());
    });
    print("all of it", [&] {
        inspector.documentText()->showAll();
        (void)inspector.grab();
        return fmt::format("{} hits marked", inspector.documentText()->markedParts());
    });
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    ui::Theme::instance().apply(application);
    inspectorOfAMegabyte();
    if (argc < 2)
        return 0;
    JobContext job;
    const auto reader = CacheReader::open(argv[1]);
    const auto documents = reader ? (*reader)->documents(job) : reader.error();
    if (!documents)
    {
        fmt::print(stderr, "{}\n", documents.error().sentence());
        return 3;
    }
    const int threads = availableCores();
    const auto many = repeated(**documents);
    const QString words = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QStringLiteral("library \"command line\"");
    searches(*many, words, 1);
    searches(*many, words, threads);

    const VectorsInfo& last = (*reader)->info().embeddings.back();
    const auto vectors = (*reader)->load(last.layer, last.stage, {}, job);
    if (!vectors)
        return 3;
    const auto strengths = std::make_shared<const ui::Strengths>(ui::strengthsOf(**vectors, threads));
    const FilterTable table{*documents, {strengths, &strengths->values}, {}, {}};
    const std::vector<FilterCondition> conditions{NumberCondition{NumberSource::Tokens, {}, 0, 20, 200},
                                                  NumberCondition{NumberSource::MeanStrength, {}, 0, 0, 1e9},
                                                  StrongestCondition{{0, 1, 2}}};
    print(fmt::format("three conditions on {} documents", (*documents)->count()), [&] {
        const auto found = filterDocuments(table, conditions, job);
        return fmt::format("{} found", found ? (*found)->documents.size() : 0);
    });
    for (const std::int64_t chosen : {std::int64_t{100}, (*documents)->count()})
    {
        std::vector<std::int64_t> choice(static_cast<std::size_t>(chosen));
        std::iota(choice.begin(), choice.end(), 0);
        const ConstMatrixView rows((*vectors)->values().data(), (*vectors)->documents(),
                                   (*vectors)->heads() * (*vectors)->dims());
        print(fmt::format("{} documents grow by 5 neighbours among {} of {} dims", chosen, rows.rows(), rows.cols()),
              [&] {
                  const auto grown = grownDocuments(rows, choice, 5, threads, job);
                  return fmt::format("{} chosen", grown ? grown->size() : 0);
              });
    }
    return 0;
}
