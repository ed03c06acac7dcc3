// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's event loop is kept from its work at worst: the largest gap between two
// ticks of a 5 ms timer while the whole window works, offscreen. One JSON line a case.
//
//   bench_event_loop [load|live|extract]... [--documents N] [--iterations N] [--threads N]
//                    [--engine PROGRAM --model FOLDER] [--stacks MS]
//
// load: a cache of N documents x 32 heads x 128 dims is opened and its vectors are read; live: the
// run of its map (N = 10,000: 320,000 points) with the panel of the run in front; extract: the
// engine runs MODEL over 2,000 texts. Cases need those before them: load, live. With --stacks the
// places where the loop stood for more than MS milliseconds are printed, one sample every 10 ms, as
// addresses for addr2line.
#include "app/desktop/extract/extract_controller.h"
#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"
#include "model/base/parallel.h"
#include "model/io/cache/cache_writer.h"
#include "tests/bench/pause_meter.h"
#include "tests/support/clouds.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/settings/settings.h"

#include <fmt/format.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace headscope;
using headscope::bench::PauseMeter;

namespace
{

struct Choices
{
    std::set<std::string> cases;
    int documents = 10'000;
    int iterations = 150;
    int threads = availableCores();
    int stacksMs = 0; ///< 0: none
    QString engine;
    QString model;
};

void orExit(const Status& status)
{
    if (status)
        return;
    fmt::print(stderr, "bench_event_loop: {}\n", status.error().sentence());
    std::exit(1);
}

/// A cache of clouds like heads.
void writeBigCache(const std::filesystem::path& path, std::int64_t documents)
{
    constexpr std::int64_t kHeads = 32;
    constexpr std::int64_t kDims = 128;
    auto cloud = test::headLikeClouds(documents * kHeads, kDims, kHeads);
    CacheContents contents;
    ModelInfo& model = contents.header.model;
    model.name = "clouds";
    model.layers = 1;
    model.heads = kHeads;
    model.kvHeads = 8;
    model.headDim = kDims;
    model.modelDim = kHeads * kDims;
    std::vector<std::string> labels;
    for (std::int64_t i = 0; i < documents; ++i)
    {
        contents.documents.ids.push_back(fmt::format("doc-{}", i));
        contents.documents.texts.push_back(fmt::format("The text of document {}.", i));
        labels.push_back(fmt::format("topic {}", i % 25));
    }
    contents.documents.labels.push_back(makeLabelColumn("topic", labels));
    contents.embeddings.push_back(std::make_shared<const HeadVectors>(
        Stage::HeadOutput, LayerIndex(0), documents, kHeads, kDims, std::vector<float>(cloud.vectors.values())));
    JobContext job;
    orExit(writeCache(path, contents, NumberType::F32, job));
}

bool waitFor(const std::function<bool()>& done, int seconds)
{
    return QTest::qWaitFor(done, seconds * 1000);
}

void measureRun(desktop::Workbench& workbench, ui::MainWindow& window, const Choices& choices, const QString& cache)
{
    PauseMeter meter(choices.stacksMs);
    QElapsedTimer clock;
    bool opened = false;
    QObject::connect(&workbench, &desktop::Workbench::cacheOpened, &window, [&opened] { opened = true; });
    meter.start();
    clock.start();
    workbench.open(cache);
    if (!waitFor([&] { return opened && !workbench.isLoading(); }, 300))
        std::exit(1);
    meter.print("load", static_cast<double>(clock.elapsed()) / 1000,
                fmt::format(", \"documents\": {}", choices.documents));
    if (!choices.cases.contains("live"))
        return workbench.stopAll();
    window.showSidePanel(QStringLiteral("run"));
    meter.start();
    clock.start();
    if (!workbench.mapRun().active())
        window.actions().find(QStringLiteral("actionMap"))->trigger();
    if (!waitFor([&] { return !workbench.mapRun().active(); }, 1200))
        std::exit(1);
    meter.print("live", static_cast<double>(clock.elapsed()) / 1000,
                fmt::format(", \"points\": {}, \"iterations\": {}, \"threads\": {}", choices.documents * 32,
                            workbench.mapRun().progress().iteration, choices.threads));
    workbench.stopAll();
}

void measureExtraction(desktop::Workbench& workbench, ui::MainWindow& window, const Choices& choices,
                       const QString& folder)
{
    constexpr int kTexts = 2000;
    const QString texts = folder + QStringLiteral("/texts.jsonl");
    QFile file(texts);
    if (!file.open(QIODevice::WriteOnly))
        std::exit(1);
    for (int i = 0; i < kTexts; ++i)
        file.write(QByteArray::fromStdString(fmt::format(
            "{{\"id\": \"t{0}\", \"text\": \"Text number {0} of the extraction, a few words long.\"}}\n", i)));
    file.close();
    workbench.open(choices.model);
    auto* dialog = window.findChild<ui::ExtractDialog*>();
    if (dialog == nullptr)
        std::exit(1);
    const ui::ExtractRequest request{choices.model, texts, QStringLiteral("all"), QStringLiteral("1,2,3"),
                                     folder + QStringLiteral("/extracted.h5")};
    PauseMeter meter(choices.stacksMs);
    QElapsedTimer clock;
    meter.start();
    clock.start();
    Q_EMIT dialog->extractRequested(request);
    dialog->reject();
    if (!waitFor([&] { return workbench.extraction().busy(); }, 10) ||
        !waitFor([&] { return !workbench.extraction().busy(); }, 600))
        std::exit(1);
    meter.print("extract", static_cast<double>(clock.elapsed()) / 1000, fmt::format(", \"texts\": {}", kTexts));
    workbench.stopAll();
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    test::prepareApplication(application);
    Choices choices;
    const QStringList arguments = QApplication::arguments();
    for (qsizetype i = 1; i < arguments.size(); ++i)
    {
        const QString& argument = arguments[i];
        const QString value = i + 1 < arguments.size() ? arguments[i + 1] : QString();
        int* number = argument == QLatin1StringView("--documents")    ? &choices.documents
                      : argument == QLatin1StringView("--iterations") ? &choices.iterations
                      : argument == QLatin1StringView("--threads")    ? &choices.threads
                      : argument == QLatin1StringView("--stacks")     ? &choices.stacksMs
                                                                      : nullptr;
        QString* text = argument == QLatin1StringView("--engine")  ? &choices.engine
                        : argument == QLatin1StringView("--model") ? &choices.model
                                                                   : nullptr;
        if (number != nullptr)
            *number = std::max(1, value.toInt());
        else if (text != nullptr)
            *text = value;
        else
        {
            choices.cases.insert(argument.toStdString());
            continue;
        }
        ++i;
    }
    if (choices.cases.empty())
        choices.cases = {"load", "live"};

    const QTemporaryDir folder;
    const auto settings = ui::Settings::temporary();
    settings->setNumber(ui::settingNamed("map/iterations"), choices.iterations);
    settings->setNumber(ui::SettingKey::Threads, choices.threads);
    test::PreparedDialogs dialogs;
    ui::MainWindow window(*settings, dialogs);
    desktop::Workbench workbench(window, choices.engine);
    workbench.keeper().setEnabled(false);
    window.resize(1600, 1000);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return 1;
    if (choices.cases.contains("load") || choices.cases.contains("live"))
    {
        const QString cache = folder.filePath(QStringLiteral("clouds.h5"));
        writeBigCache(cache.toStdString(), choices.documents);
        measureRun(workbench, window, choices, cache);
    }
    if (choices.cases.contains("extract") && !choices.engine.isEmpty())
        measureExtraction(workbench, window, choices, folder.path());
    workbench.stopAll();
    return 0;
}
