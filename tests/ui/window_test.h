// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "model/data/results/topic_results.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/theme/theme.h"
#include "ui/window/cache_overview.h"

#include <QApplication>
#include <QTest>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the tests of the window share: small made-up values and dialogs that answer by themselves.
namespace headscope::test
{

/// Answers every dialog with what the test has prepared, and remembers what was asked.
class PreparedDialogs : public ui::DialogService
{
public:
    QString nextPath;           ///< empty: the user gives no answer
    int nextAnswer = 0;         ///< of questions; -1: not answered yet, see pending
    std::vector<QString> asked; ///< titles
    QString lastText;           ///< of the last question
    std::function<void(int)> pending;
    std::function<std::optional<QString>()> textNow; ///< of the last question
    std::optional<ui::FigureSize> nextSize;          ///< nothing: what is proposed
    ui::FigureSize proposedSize;                     ///< last
    ui::FigurePainter painter;                       ///< last

    void openFile(QWidget*, const QString& title, const QString&, const QString&,
                  std::function<void(const QString&)> then) override
    {
        asked.push_back(title);
        if (!nextPath.isEmpty())
            then(nextPath);
    }
    void openFolder(QWidget*, const QString& title, const QString&, std::function<void(const QString&)> then) override
    {
        asked.push_back(title);
        if (!nextPath.isEmpty())
            then(nextPath);
    }
    void saveFile(QWidget*, const QString& title, const QString&, const QString&,
                  std::function<void(const QString&)> then) override
    {
        asked.push_back(title);
        if (!nextPath.isEmpty())
            then(nextPath);
    }
    void figureSize(QWidget*, const ui::FigureSize& proposal, const ui::FigurePainter& paint,
                    std::function<void(const ui::FigureSize&)> then) override
    {
        proposedSize = proposal;
        painter = paint;
        then(nextSize.value_or(proposal));
    }
    void ask(QWidget*, const ui::Question& question, std::function<void(int)> then) override
    {
        asked.push_back(question.title);
        lastText = question.text;
        textNow = question.textNow;
        if (nextAnswer < 0)
            pending = std::move(then);
        else
            then(nextAnswer);
    }
};

/// 32 heads in 8 KV groups, 32 layers.
inline ModelInfo sampleModel()
{
    ModelInfo info;
    info.name = "sample-model";
    info.layers = 32;
    info.heads = 32;
    info.kvHeads = 8;
    info.headDim = 16;
    info.modelDim = 512;
    return info;
}

inline std::shared_ptr<const DocumentSet> sampleDocuments(std::int64_t count = 40)
{
    auto documents = std::make_shared<DocumentSet>();
    LabelColumn topic{"topic", {}, {"Cooking", "Astronomy", "History", "Music"}};
    for (std::int64_t i = 0; i < count; ++i)
    {
        documents->ids.push_back("doc-" + std::to_string(i));
        documents->texts.push_back("Text number " + std::to_string(i) + " says something short.\nSecond line.");
        documents->tokens.push_back(static_cast<std::int32_t>(10 + i));
        documents->flags.push_back(i == 3 ? 2 : 0);
        topic.codes.push_back(static_cast<std::int32_t>(i % 4));
    }
    documents->labels.push_back(topic);
    return documents;
}

inline std::shared_ptr<const ui::CacheOverview> sampleOverview(std::int64_t documents = 40)
{
    auto overview = std::make_shared<ui::CacheOverview>();
    overview->path = "/somewhere/sample.h5";
    overview->bytes = 625'000'000;
    overview->model = sampleModel();
    overview->documents = sampleDocuments(documents);
    for (const std::int64_t layer : {15, 31})
        overview->stages[LayerIndex(layer)] = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment};
    overview->topicColumns = {"topic"};
    return overview;
}

/// Heads as clusters on a circle, documents a little apart.
inline std::shared_ptr<const HeadMap> sampleMap(std::int64_t documents = 40, std::int64_t heads = 32)
{
    auto map = std::make_shared<HeadMap>();
    auto points = std::make_shared<PointIds>();
    std::vector<float> xy;
    for (std::int64_t document = 0; document < documents; ++document)
    {
        for (std::int64_t head = 0; head < heads; ++head)
        {
            points->document.push_back(static_cast<std::int32_t>(document));
            points->head.push_back(static_cast<std::int32_t>(head));
            const double turn = 6.283185 * static_cast<double>(head) / static_cast<double>(heads);
            const double wobble = 0.4 * std::sin(static_cast<double>(document * 7 + head));
            xy.push_back(static_cast<float>(10 * std::cos(turn) + wobble));
            xy.push_back(static_cast<float>(10 * std::sin(turn) + 0.02 * static_cast<double>(document)));
        }
    }
    map->points = points;
    map->xy = MatrixF(documents * heads, 2, std::move(xy));
    map->layer = LayerIndex(31);
    map->iteration = 750;
    map->kl = 1.25;
    return map;
}

inline std::shared_ptr<const Heatmap> sampleHeatmap(Stage stage = Stage::HeadOutput, std::int64_t perTopic = 6)
{
    auto heatmap = std::make_shared<Heatmap>();
    heatmap->stage = stage;
    heatmap->layer = LayerIndex(31);
    const std::int64_t columns = 4 * perTopic;
    heatmap->values = MatrixF(33, columns);
    for (std::int64_t row = 0; row < 33; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            heatmap->values(row, column) =
                static_cast<float>(std::sin(static_cast<double>(row * 3 + column)) * 0.5 + 0.2);
    heatmap->topicNames = {"Cooking", "Astronomy", "History", "Music"};
    for (std::int32_t topic = 0; topic < 4; ++topic)
    {
        heatmap->topicOrder.push_back(topic);
        heatmap->topicStart.push_back(topic * perTopic);
        for (std::int64_t i = 0; i < perTopic; ++i)
        {
            heatmap->document.push_back(static_cast<std::int32_t>(4 * i + topic));
            heatmap->topic.push_back(topic);
        }
    }
    heatmap->topicStart.push_back(columns);
    return heatmap;
}

/// 32 heads; what is wrong is taken for the next head, of the same group or the next.
inline std::shared_ptr<const ProbeResult> sampleProbe(Stage stage, double accuracy, std::int64_t layer = 31)
{
    auto result = std::make_shared<ProbeResult>();
    result->stage = stage;
    result->layer = layer;
    result->converged = true;
    result->iterations = 34;
    result->accuracy = accuracy;
    result->ci95Low = accuracy - 0.01;
    result->ci95High = accuracy + 0.01;
    result->macroF1 = accuracy - 0.002;
    result->withinGroupError = 1 - accuracy;
    result->classes = 32;
    result->trainRows = 25'600;
    result->testRows = 6'400;
    for (std::int64_t head = 0; head < 32; ++head)
        result->perHead.push_back({head, accuracy, accuracy * (0.7 + 0.3 * static_cast<double>(head) / 31), accuracy});
    result->confusion = Matrix<std::int64_t>(32, 32);
    for (std::int32_t row = 0; row < 6'400; ++row)
    {
        const std::int32_t truth = row % 32;
        const std::int32_t document = row / 32;
        const std::int32_t predicted = document < static_cast<std::int32_t>(200 * accuracy) ? truth : (truth + 1) % 32;
        result->truths.push_back(truth);
        result->predictions.push_back(predicted);
        result->testDocuments.push_back(document % 40);
        ++result->confusion(truth, predicted);
    }
    return result;
}

/// Applies the light theme.
inline void prepareApplication(QApplication& application)
{
    ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    ui::Theme::instance().apply(application);
}

/// An application in the light theme.
class WindowApplication : public QApplication
{
public:
    WindowApplication(int& argc, char** argv) : QApplication(argc, argv) { prepareApplication(*this); }
};

/// Saves what a widget looks like, light and dark, where HEADSCOPE_PICTURES names a folder: to be
/// looked at, never compared.
inline void savePictures(QWidget& widget, const QString& name)
{
    const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
    if (folder.isEmpty())
        return;
    const bool wasDark = ui::Theme::instance().isDark();
    for (const bool dark : {false, true})
    {
        ui::Theme::instance().setScheme(dark ? ui::Theme::Scheme::Dark : ui::Theme::Scheme::Light);
        test::passMs(50);
        widget.grab().save(folder + u'/' + name + (dark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png")));
    }
    ui::Theme::instance().setScheme(wasDark ? ui::Theme::Scheme::Dark : ui::Theme::Scheme::Light);
}

} // namespace headscope::test

/// A test of the window.
#define HEADSCOPE_WINDOW_TEST(TestClass) HEADSCOPE_TEST_UNDER(headscope::test::WindowApplication, TestClass)
