// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the heatmap while it is moved and zoomed, and the time from a changed option to the painted
// picture, one JSON line a case.

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/heatmap/make_heatmaps.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPixmap>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::desktop;

namespace
{

constexpr int kFrames = 120;
constexpr int kUpdates = 9;
constexpr std::int64_t kTopics = 8;
constexpr std::int64_t kPerTopic = 120;

void print(const std::string& name, std::vector<double> seconds)
{
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return 1e3 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
    };
    fmt::print(
        "{{\"case\": \"heatmap/{}\", \"value\": {:.2f}, \"unit\": \"ms\", \"p95\": {:.2f}, \"worst\": {:.2f}}}\n", name,
        at(0.5), at(0.95), at(1));
    std::fflush(stdout);
}

std::vector<double> timed(int runs, const std::function<void(int)>& run)
{
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i)
    {
        const auto begin = Clock::now();
        run(i);
        seconds.push_back(secondsSince(begin));
    }
    return seconds;
}

/// Heads x columns of noise in eight topics.
std::shared_ptr<const HeatmapPanel> panelOf(std::int64_t heads, std::int64_t columns)
{
    const CounterRandom random(1);
    auto heatmap = std::make_shared<Heatmap>();
    heatmap->values = MatrixF(1 + heads, columns);
    for (std::size_t i = 0; i < heatmap->values.values().size(); ++i)
        heatmap->values.values()[i] = static_cast<float>(0.3 + 0.2 * random.normal(i));
    heatmap->topicStart.push_back(0);
    for (std::int32_t topic = 0; topic < kTopics; ++topic)
    {
        heatmap->topicNames.push_back("topic " + std::to_string(topic));
        heatmap->topicOrder.push_back(topic);
        heatmap->topicStart.push_back((topic + 1) * columns / kTopics);
    }
    for (std::int64_t column = 0; column < columns; ++column)
    {
        heatmap->document.push_back(static_cast<std::int32_t>(column));
        heatmap->topic.push_back(static_cast<std::int32_t>(column * kTopics / columns));
    }
    auto panel = std::make_shared<HeatmapPanel>();
    panel->heatmap = heatmap;
    return panel;
}

/// What a hand does: zoom in around a place, move along, zoom out.
viz::HeatmapWindow windowOf(const viz::HeatmapLayout& layout, int frame)
{
    const double x = layout.plot().left() + 0.4 * layout.plot().width();
    if (frame < kFrames / 3)
        return layout.zoomedAt(x, 1.05);
    if (frame < 2 * kFrames / 3)
        return layout.movedBy(-12, 0);
    return layout.zoomedAt(x, 1 / 1.05);
}

void benchFrames(const std::string& name, std::int64_t heads, std::int64_t columns, std::size_t stages,
                 viz::CellPooling pooling)
{
    ModelInfo info;
    info.heads = heads;
    info.kvHeads = heads / 4;
    ui::HeatmapWidget widget;
    widget.resize(1400, 900);
    widget.setThreads(availableCores());
    widget.setPooling(pooling);
    widget.setPanels(ui::HeatmapWidget::Panels(stages, panelOf(heads, columns)), info);
    static_cast<void>(widget.picture());
    print(name, timed(kFrames, [&](int frame) {
              widget.setWindow(windowOf(widget.layoutOf(0), frame));
              static_cast<void>(widget.picture());
          }));
}

std::shared_ptr<const HeadVectors> vectorsOf(Stage stage, std::int64_t rows, std::uint64_t seed)
{
    constexpr std::int64_t kHeads = 32;
    constexpr std::int64_t kDims = 128;
    const CounterRandom random(seed);
    std::vector<float> values(static_cast<std::size_t>(rows * kHeads * kDims));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(random.normal(i));
    return std::make_shared<const HeadVectors>(stage, LayerIndex(31), rows, kHeads, kDims, std::move(values));
}

/// Inputs like the paper's: 32 heads of 128, three stages.
HeatmapInputs inputsOf(std::int64_t documents)
{
    HeatmapInputs inputs;
    auto set = std::make_shared<DocumentSet>();
    LabelColumn topic{"topic", {}, {}};
    for (std::int64_t i = 0; i < kTopics; ++i)
        topic.categories.push_back("topic " + std::to_string(i));
    for (std::int64_t i = 0; i < documents; ++i)
    {
        set->ids.push_back(std::to_string(i));
        topic.codes.push_back(static_cast<std::int32_t>(i % kTopics));
    }
    set->labels.push_back(topic);
    inputs.labels = {set, "topic", "topic", {}};
    FullPair full{{vectorsOf(Stage::OutputSegment, documents, 3), "made up"},
                  {vectorsOf(Stage::OutputSegment, kTopics, 4), "made up"}};
    for (const Stage stage : {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment})
        inputs.stages.push_back({vectorsOf(stage, documents, static_cast<std::uint64_t>(stage) + 10),
                                 vectorsOf(stage, kTopics, static_cast<std::uint64_t>(stage) + 20), full});
    return inputs;
}

void benchUpdate(std::int64_t documents)
{
    const HeatmapInputs inputs = inputsOf(documents);
    ModelInfo info;
    info.heads = 32;
    info.kvHeads = 8;
    ui::HeatmapView view;
    view.resize(1100, 900);
    const auto update = [&](ColumnOrder::By by) {
        return [&, by](int run) {
            HeatmapOptions options;
            options.perTopic = kPerTopic;
            options.order = {by, HeadIndex(run % 32)};
            JobContext job;
            auto panels = makeHeatmapPanels(inputs, Stage::HeadOutput, options, availableCores(), job);
            if (panels)
                view.setPanels(std::move(*panels), info, kTopics);
            static_cast<void>(view.grab());
        };
    };
    const std::string name = "update-960-of-" + std::to_string(documents);
    print(name + "/sort-full", timed(kUpdates, update(ColumnOrder::By::Full)));
    print(name + "/sort-head", timed(kUpdates, update(ColumnOrder::By::Head)));
    print(name + "/sort-clusters", timed(kUpdates, update(ColumnOrder::By::Clusters)));
    print("repaint-other-rows", timed(kUpdates, [&](int run) {
              view.heatmap()->setRows(static_cast<HeatmapRows>(run % 5));
              static_cast<void>(view.grab());
          }));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    ui::Theme::instance().apply(application);
    benchFrames("frame-33x4000", 32, 4000, 1, viz::CellPooling::Mean);
    benchFrames("frame-3-stages-33x4000", 32, 4000, 3, viz::CellPooling::Mean);
    benchFrames("frame-1024x10000", 1024, 10'000, 1, viz::CellPooling::Mean);
    benchFrames("frame-1024x10000-largest", 1024, 10'000, 1, viz::CellPooling::Largest);
    benchUpdate(4000);
    return 0;
}
