// SPDX-License-Identifier: GPL-3.0-or-later
// Update times of the views of heads and retrieval at 4,000 documents x 32 heads x 128, from a choice
// to the painted widget, one JSON line a case.

#include "app/desktop/find/search_documents.h"
#include "app/views/heads/describe_heads.h"
#include "app/views/heads/heads_view.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/analysis/heads/pruning.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "ui/models/head_table_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPixmap>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace headscope;
using namespace headscope::desktop;

namespace
{

constexpr std::int64_t kDocuments = 4000;
constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kDims = 128;
constexpr std::int64_t kTopics = 25;
constexpr int kRuns = 9;

std::shared_ptr<const HeadVectors> sampleVectors(std::int64_t rows, std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(rows * kHeads * kDims));
    for (std::int64_t i = 0; i < rows * kHeads * kDims; ++i)
        values.push_back(static_cast<float>(random.normal(static_cast<std::uint64_t>(i))));
    return std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(31), rows, kHeads, kDims,
                                               std::move(values));
}

void print(const char* name, const std::function<void()>& run)
{
    std::vector<double> seconds;
    for (int i = 0; i < kRuns; ++i)
    {
        const auto begin = Clock::now();
        run();
        seconds.push_back(secondsSince(begin));
    }
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{{\"case\": \"{}\", \"value\": {:.2f}, \"unit\": \"ms\", \"worst\": {:.2f}}}\n", name,
               1e3 * seconds[kRuns / 2], 1e3 * seconds.back());
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    ui::Theme::instance().apply(application);
    const int threads = availableCores();
    JobContext job;
    ModelInfo info;
    info.heads = kHeads;
    info.kvHeads = 8;
    info.headDim = kDims;
    info.modelDim = kHeads * kDims;
    info.layers = 32;
    const viz::HeadPalette palette(info);
    auto documents = std::make_shared<DocumentSet>();
    std::vector<std::string> topics;
    for (std::int64_t i = 0; i < kDocuments; ++i)
    {
        documents->ids.push_back(fmt::format("document {}", i));
        documents->texts.push_back(fmt::format("The text of document {}, long enough to be elided in a list.", i));
        topics.push_back(fmt::format("topic {}", i % kTopics));
    }
    documents->labels = {makeLabelColumn("topic", topics)};
    const auto vectors = sampleVectors(kDocuments, 1);

    const auto base = *makeSearchBase(vectors, vectors, "stage 3 of the last layer", kHeads, threads, job);
    ui::RetrievalView retrieval;
    retrieval.resize(1100, 760);
    retrieval.setStudy(info, palette, documents, "topic");
    retrieval.setScores(base->headScores, base->segmentScores);
    QueryLists lists;
    print("retrieval_query", [&] { lists = *askDocument(*base, DocumentIndex(17), "document 17", 10, threads, job); });
    int step = 0;
    print("retrieval_fader_to_pixels", [&] {
        VoteOptions options;
        options.factors.assign(kHeads, 1.0);
        options.factors[static_cast<std::size_t>(step++ % kHeads)] = 0.5;
        retrieval.setComparison(compareStrategies(*base, lists, {}, nullptr, documents->labels[0].codes, options));
        (void)retrieval.grab();
    });

    HeadAnalysisInputs heads;
    heads.vectors = vectors;
    heads.labels = documents->labels[0];
    heads.topics.vectors = sampleVectors(kTopics, 2);
    heads.full.documents.vectors = vectors;
    heads.full.topics.vectors = heads.topics.vectors;
    heads.match = std::make_shared<const HeadMatch>(
        *HeadMatch::create(*vectors, *heads.topics.vectors, heads.labels->codes, 5, threads, job));
    ui::HeadsView view;
    view.resize(1100, 760);
    view.setModel(info, palette);
    std::shared_ptr<const HeadReport> all;
    const auto begin = Clock::now();
    all = *describeHeads(heads, {}, {}, nullptr, threads, job);
    fmt::print("{{\"case\": \"heads_report_with_redundancy\", \"value\": {:.1f}, \"unit\": \"ms\"}}\n",
               1e3 * secondsSince(begin));
    view.setReport(all);
    std::vector<std::int64_t> brushed;
    for (std::int64_t i = 0; i < 400; ++i)
        brushed.push_back(7 * i);
    print("heads_brush_to_pixels", [&] {
        view.setReport(*describeHeads(heads, brushed, {}, all.get(), threads, job));
        (void)view.grab();
    });
    std::vector<bool> kept(kHeads, true);
    print("heads_switch_to_pixels", [&] {
        kept[static_cast<std::size_t>(step++ % kHeads)].flip();
        view.setKept(kept);
        view.setMask(*measureMask(heads, nullptr, kept, info, 1, threads, job));
        (void)view.grab();
    });
    const auto orderBegin = Clock::now();
    const auto order = *backwardElimination(*heads.match, info, PruningUnit::Heads, threads, job);
    fmt::print("{{\"case\": \"heads_greedy_order\", \"value\": {:.1f}, \"unit\": \"ms\"}}\n",
               1e3 * secondsSince(orderBegin));
    return 0;
}
