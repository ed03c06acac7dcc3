// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/desktop/start/workbench.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/layers/measure_layers.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/confusion_pane.h"
#include "app/views/probe/confusion_picture.h"
#include "app/views/probe/probe_view.h"
#include "app/views/probe/train_probes.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <sstream>

using namespace headscope;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;

namespace
{

nlohmann::json verb(const std::vector<std::string>& words)
{
    std::ostringstream out;
    std::ostringstream err;
    if (cli::run(words, out, err) != 0)
        qCritical("%s", err.str().c_str());
    return nlohmann::json::parse(out.str());
}

/// The words of a command line; none of them has quotes here.
std::vector<std::string> wordsOf(const QString& line)
{
    std::vector<std::string> words = test::shellWords(line);
    words.erase(words.begin());
    return words;
}

} // namespace

/// The probe and the layers in the whole window, on caches of their own and on the demo.
class TestDesktopProbe : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::ProbeView& probe() { return test::viewOf<ui::ProbeView>(*m_window); }
    ui::LayersView& layers() { return *m_window->findChild<ui::LayersView*>(); }
    QWidget* control(const char* name) { return m_window->findChild<QWidget*>(QLatin1StringView(name)); }

    void open(const QString& path)
    {
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(path);
        WAIT_COMPARE(opened.count(), 1);
    }

    void train()
    {
        QSignalSpy shown(m_workbench.get(), &Workbench::viewShown);
        m_window->setView(ui::kProbeView);
        QTest::mouseClick(control("probeTrain"), Qt::LeftButton);
        const auto done = [&shown] {
            return std::any_of(shown.begin(), shown.end(), [](const QList<QVariant>& arguments) {
                return arguments.constFirst().value<ui::ViewId>() == ui::kProbeView;
            });
        };
        WAIT_FOR(done());
    }

private Q_SLOTS:
    void initTestCase() { writeSample(); }

    void init() { makeWindow({.engine = QStringLiteral("/bin/false"), .iterations = 120, .size = {1300, 860}}); }

    void cleanup() { dropWindow(); }

    void ordersOfTheWork()
    {
        std::map<LayerIndex, std::vector<Stage>> stages;
        for (std::int64_t layer = 0; layer < 9; ++layer)
            stages[LayerIndex(layer)] = {Stage::HeadOutput};
        const auto layersOf = [](const auto& places) {
            std::vector<std::int64_t> order;
            for (const auto& [layer, stage] : places)
                order.push_back(layer.value());
            return order;
        };
        using Order = std::vector<std::int64_t>;
        QCOMPARE(layersOf(desktop::coarseToFine(stages, LayerIndex(5))), (Order{5, 0, 8, 4, 2, 6, 1, 3, 7}));
        QCOMPARE(layersOf(desktop::placesOf(stages, LayerIndex(5))), (Order{5, 0, 1, 2, 3, 4, 6, 7, 8}));
        QVERIFY(desktop::coarseToFine({}, LayerIndex(0)).empty());
    }

    /// What the screen says is what the copied command line prints.
    void numbersAreThoseOfTheVerb()
    {
        open(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        train();
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(probe().model()->rowCount(), 3);
        const auto entry = *m_window->views().find(ui::kProbeView);
        auto words = wordsOf(entry.commandLine());
        for (const char* word : {"--json", "--progress", "off", "--threads", "1"})
            words.emplace_back(word);
        const nlohmann::json said = verb(words);
        const nlohmann::json& results = said.at("results");
        QCOMPARE(results.size(), std::size_t{3});
        for (int row = 0; row < 3; ++row)
        {
            const nlohmann::json& result = results.at(static_cast<std::size_t>(row));
            const ProbeResult& shown = *probe().model()->rows()[static_cast<std::size_t>(row)].result;
            QCOMPARE(shown.accuracy, result.at("accuracy").get<double>());
            QCOMPARE(shown.ci95Low, result.at("ci95").at(0).get<double>());
            QCOMPARE(shown.ci95High, result.at("ci95").at(1).get<double>());
            QCOMPARE(shown.effectiveRows, result.at("effective_rows").get<double>());
            QVERIFY(shown.baselines);
            QCOMPARE(shown.baselines->selectivity, result.at("selectivity").at("value").get<double>());
            QCOMPARE(shown.baselines->baselines.size(), result.at("baselines").size());
            for (std::size_t i = 0; i < result.at("baselines").size(); ++i)
                QCOMPARE(shown.baselines->baselines[i].accuracy,
                         result.at("baselines")[i].at("accuracy").get<double>());
            QCOMPARE(shown.baselines->splits.mean, result.at("splits").at("mean").get<double>());
            QCOMPARE(shown.baselines->groups.has_value(), result.contains("within_group"));
            QCOMPARE(shown.macroF1, result.at("macro_f1").get<double>());
            QCOMPARE(shown.withinGroupError, result.at("within_group_error").get<double>());
            QCOMPARE(shown.acrossGroupError, result.at("across_group_error").get<double>());
            for (std::int64_t truth = 0; truth < shown.classes; ++truth)
                for (std::int64_t predicted = 0; predicted < shown.classes; ++predicted)
                    QCOMPARE(
                        shown.confusion(truth, predicted),
                        result.at("confusion")[static_cast<std::size_t>(truth)][static_cast<std::size_t>(predicted)]
                            .get<std::int64_t>());
            const auto text = probe().model()->index(row, ui::ProbeTableModel::AccuracyColumn).data().toString();
            QCOMPARE(text, QString::number(result.at("accuracy").get<double>(), 'f', 3));
        }
    }

    void aSweepFillsInAndItsFilesAreTheVerbs()
    {
        open(m_cache);
        m_window->setView(ui::kProbeView);
        probe().findChild<QComboBox*>(QStringLiteral("probeLayers"))->setCurrentIndex(1);
        probe().findChild<QCheckBox*>(QStringLiteral("probeControl"))->setChecked(true);
        train();
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(probe().model()->rowCount(), 9);
        for (const ui::ProbeRow& row : probe().model()->rows())
        {
            QVERIFY(row.control != nullptr);
            QVERIFY(row.control->accuracy < row.result->accuracy);
        }
        WAIT_FOR(probe().page() == ui::ProbeView::Page::Sweep);
        const auto entry = *m_window->views().find(ui::kProbeView);
        const QStringList lines = entry.commandLine().split(u'\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains(QStringLiteral("--layer all")));
        QVERIFY(lines[1].endsWith(QStringLiteral("--control")));
        // The same table as the verb's, and one more column.
        const QString mine = m_folder.filePath(QStringLiteral("mine.csv"));
        const QString theirs = m_folder.filePath(QStringLiteral("theirs.csv"));
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        entry.save(mine);
        WAIT_COMPARE(saved.count(), 1);
        auto words = wordsOf(lines[0]);
        for (const std::string& word : {std::string("--json"), std::string("-o"), theirs.toStdString()})
            words.push_back(word);
        verb(words);
        QFile a(mine);
        QFile b(theirs);
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        const QList<QByteArray> ours = a.readAll().split('\n');
        const QList<QByteArray> others = b.readAll().split('\n');
        QCOMPARE(ours.size(), others.size());
        for (qsizetype i = 0; i + 1 < ours.size(); ++i)
            QVERIFY2(ours[i].startsWith(others[i].trimmed()), others[i].constData());
        for (const char* ending : {"tex", "png", "pdf", "svg"})
        {
            const QString path = m_folder.filePath(QStringLiteral("sweep.") + QLatin1StringView(ending));
            entry.save(path);
            WAIT_FOR(QFile::exists(path));
            WAIT_FOR(!m_workbench->anyJobRuns());
        }
        entry.copy();
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("layer,stage,accuracy")));
    }

    void stoppingKeepsWhatIsFitted()
    {
        const QString path = m_folder.filePath(QStringLiteral("larger.h5"));
        test::SampleCacheOptions options;
        options.documents = 400;
        options.dims = 24;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path.toStdString(), options));
        open(path);
        m_window->setView(ui::kProbeView);
        probe().findChild<QComboBox*>(QStringLiteral("probeLayers"))->setCurrentIndex(1);
        QTest::mouseClick(control("probeTrain"), Qt::LeftButton);
        QVERIFY(control("probeStop")->isVisible());
        WAIT_FOR(probe().model()->rowCount() >= 1);
        QTest::mouseClick(control("probeStop"), Qt::LeftButton);
        WAIT_FOR(control("probeTrain")->isVisible());
        const int kept = probe().model()->rowCount();
        QVERIFY(kept >= 1);
        QVERIFY(probe().table()->isVisible());
        // The layer that is looked at came first.
        QVERIFY(probe().model()->rowOf({m_window->choices().now().layer, Stage::HeadOutput}) >= 0);
    }

    void aLateResultIsDropped()
    {
        const QString other = m_folder.filePath(QStringLiteral("other.h5"));
        test::SampleCacheOptions options;
        options.heads = 4;
        options.kvHeads = 2;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(other.toStdString(), options));
        open(m_cache);
        m_window->setView(ui::kProbeView);
        probe().findChild<QComboBox*>(QStringLiteral("probeLayers"))->setCurrentIndex(1);
        QTest::mouseClick(control("probeTrain"), Qt::LeftButton);
        open(other);
        waitForCalm();
        QCOMPARE(probe().model()->rowCount(), 0);
        QVERIFY(probe().emptyState()->isVisible());
        QVERIFY(control("probeTrain")->isVisible());
    }

    void otherOptionsStartAnew()
    {
        open(m_cache);
        train();
        if (QTest::currentTestFailed())
            return;
        const double before = probe().model()->rows().front().result->accuracy;
        m_window->choices().setLayer(LayerIndex(3));
        train(); // another layer joins
        QCOMPARE(probe().model()->rowCount(), 6);
        probe().findChild<QLineEdit*>(QStringLiteral("probeC"))->setText(QStringLiteral("0.0001"));
        QVERIFY(probe().bar()->note().contains(QStringLiteral("train again")));
        train();
        QCOMPARE(probe().model()->rowCount(), 3);
        QCOMPARE(probe().model()->rows().front().result->options.c, 0.0001);
        QVERIFY(probe().model()->rows().front().result->accuracy <= before);
    }

    /// Linked selection: a cell of the matrix lights its documents on the map, a head of it everywhere.
    void aCellLightsItsDocuments()
    {
        open(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        train();
        if (QTest::currentTestFailed())
            return;
        probe().showPlace({m_window->choices().now().layer, Stage::HeadOutput});
        ui::PictureOf<ui::ConfusionPicture>* matrix = probe().confusion()->matrix();
        std::optional<ui::ConfusionPicture::Cell> wrong;
        for (std::int64_t truth = 0; truth < 9; ++truth)
            for (std::int64_t predicted = 0; predicted < 9; ++predicted)
                if (truth != predicted && matrix->picture().result()->confusion(truth, predicted) > 0)
                    wrong = {truth, predicted};
        QVERIFY(wrong.has_value());
        waitForJobs(); // what the baselines bring moves the pane
        QVERIFY(!m_window->grab().isNull());
        const auto hover = [&] {
            QTest::mouseMove(matrix, matrix->picture().matrix().cellRect({0, 0}).center().toPoint());
            QTest::mouseMove(matrix, matrix->picture().matrix().cellRect(*wrong).center().toPoint());
            return m_window->selection().hoveredHead();
        };
        WAIT_COMPARE(hover().value_or(HeadIndex(-1)), HeadIndex(wrong->first));
        const QPoint place = matrix->picture().matrix().cellRect(*wrong).center().toPoint();
        QTest::mouseClick(matrix, Qt::LeftButton, {}, place);
        QCOMPARE(m_window->selection().selection().documents,
                 documentsOfCell(*matrix->picture().result(), wrong->first, wrong->second));
    }

    void oneHeadIsRefusedInTheView()
    {
        open(m_cache);
        m_window->dataPanel().headPicker()->setHeads({2});
        QCOMPARE(m_window->choices().now().heads.size(), std::size_t{1});
        m_window->setView(ui::kProbeView);
        QTest::mouseClick(control("probeTrain"), Qt::LeftButton);
        WAIT_FOR(probe().emptyState()->title().contains(QStringLiteral("at least 2 heads")));
        QVERIFY(control("probeTrain")->isVisible());
    }

    /// What is shown alone is what trains, and what is measured.
    void shownDocumentsAloneAreUsed()
    {
        open(m_cache);
        std::vector<std::int64_t> some;
        for (std::int64_t document = 0; document < 30; ++document)
            some.push_back(document);
        m_window->selection().showOnly({{}, some});
        train();
        const auto& rows = probe().model()->rows();
        QCOMPARE(rows.size(), std::size_t{3});
        for (const ui::ProbeRow& row : rows)
            QCOMPARE(row.result->trainRows + row.result->testRows, std::int64_t{30 * 9});
        const auto note = [](QString text) { return text.replace(QChar::Nbsp, u' '); };
        QVERIFY2(note(probe().bar()->note()).contains(QStringLiteral("the 30 shown out of 48 documents")),
                 qPrintable(probe().bar()->note()));
        auto words = wordsOf(m_window->views().find(ui::kProbeView)->commandLine());
        QVERIFY(std::ranges::find(words, "0-29") != words.end());
        words.emplace_back("--json");
        const auto trained = verb(words);
        std::int64_t same = 0;
        for (const nlohmann::json& result : trained.at("results"))
            for (const ui::ProbeRow& row : rows)
                if (result.at("stage").get<int>() == static_cast<int>(*row.result->stage) + 1)
                {
                    QCOMPARE(row.result->accuracy, result.at("accuracy").get<double>());
                    ++same;
                }
        QCOMPARE(same, std::int64_t{3});
        // All are shown again: what stands there is of a part, and says so.
        m_window->selection().showAll();
        QVERIFY(note(probe().bar()->note()).contains(QStringLiteral("train again")));

        m_window->selection().showOnly({{}, some});
        m_window->setView(ui::kLayersView);
        WAIT_COMPARE(layers().chart()->picture().measures().size(), std::size_t{9});
        WAIT_FOR(control("layersMeasure")->isVisible());
        QCOMPARE(
            note(layers().note()),
            QStringLiteral(
                "3 layers × 3 stages · all 9 heads or segments · the 30 shown out of 48 documents · labels: topic"));
        for (const auto& each : layers().chart()->picture().measures())
            QCOMPARE(each->documents, std::int64_t{30});
        auto asked = wordsOf(m_window->views().find(ui::kLayersView)->commandLine());
        QVERIFY(std::ranges::find(asked, "0-29") != asked.end());
        asked.emplace_back("--json");
        std::int64_t compared = 0;
        const auto printed = verb(asked);
        for (const nlohmann::json& result : printed.at("results"))
            for (const auto& each : layers().chart()->picture().measures())
                if (each->layer.value() == result.at("layer").get<std::int64_t>() &&
                    static_cast<int>(each->stage) + 1 == result.at("stage").get<int>())
                {
                    QCOMPARE(each->accuracy, result.at("accuracy").get<double>());
                    QCOMPARE(each->purity, result.at("purity").get<double>());
                    ++compared;
                }
        QCOMPARE(compared, std::int64_t{9});
        m_window->selection().showAll();
        WAIT_FOR(note(layers().note()).contains(QStringLiteral("all 48 documents")));
    }

    void layersAreMeasuredAsTheVerbDoes()
    {
        open(m_cache);
        QSignalSpy shown(m_workbench.get(), &Workbench::viewShown);
        m_window->setView(ui::kLayersView); // begins by itself
        ui::PictureOf<ui::LayersChart>& chart = *layers().chart();
        WAIT_COMPARE(chart.picture().measures().size(), std::size_t{9});
        WAIT_FOR(control("layersMeasure")->isVisible());
        QCOMPARE(layers().note(), QStringLiteral("3\u00a0layers × 3\u00a0stages · all 9\u00a0heads or segments · all "
                                                 "48\u00a0documents · labels: topic"));
        const auto entry = *m_window->views().find(ui::kLayersView);
        auto words = wordsOf(entry.commandLine());
        words.emplace_back("--json");
        const nlohmann::json said = verb(words);
        QCOMPARE(said.at("results").size(), std::size_t{9});
        for (const nlohmann::json& result : said.at("results"))
        {
            bool found = false;
            for (const auto& each : chart.picture().measures())
                if (each->layer.value() == result.at("layer").get<std::int64_t>() &&
                    static_cast<int>(each->stage) + 1 == result.at("stage").get<int>())
                {
                    found = true;
                    QCOMPARE(each->accuracy, result.at("accuracy").get<double>());
                    QCOMPARE(each->purity, result.at("purity").get<double>());
                    QCOMPARE(each->redundancy, result.at("redundancy").get<double>());
                }
            QVERIFY(found);
        }
        // The layers of twelve that the cache lacks.
        QVERIFY(layers().lackText().contains(QStringLiteral("3 of 12")));
        // Click goes there, and the keys.
        QVERIFY(!m_window->grab().isNull());
        QTest::mouseMove(&chart, QPoint(static_cast<int>(chart.picture().curves().xOf(7)), 120));
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(7));
        QCOMPARE(chart.picture().linesOf(7).size(), 3);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(static_cast<int>(chart.picture().curves().xOf(7)), 120));
        QCOMPARE(m_window->choices().now().layer.value(), 7);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(m_window->choices().now().layer.value(), 3);
        for (const char* ending : {"csv", "tex", "png", "pdf", "svg"})
        {
            const QString path = m_folder.filePath(QStringLiteral("layers.") + QLatin1StringView(ending));
            entry.save(path);
            WAIT_FOR(QFile::exists(path));
            WAIT_FOR(!m_workbench->anyJobRuns());
        }
    }

    void oneLayerSaysWhatItLacks()
    {
        const QString path = m_folder.filePath(QStringLiteral("one-layer.h5"));
        CacheContents contents;
        contents.header.model = {"one", "", "llama", 12, 4, 2, 6, 24, 100, {}};
        std::vector<std::int32_t> topics;
        for (std::int32_t i = 0; i < 30; ++i)
        {
            contents.documents.ids.push_back(std::to_string(i));
            topics.push_back(i % 3);
        }
        test::SampleCacheOptions options;
        options.heads = 4;
        options.kvHeads = 2;
        contents.embeddings.push_back(test::sampleVectors(Stage::HeadOutput, LayerIndex(11), 30, topics, options));
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(path.toStdString(), contents, NumberType::F32, job));
        open(path);
        m_window->setView(ui::kLayersView);
        QVERIFY(layers().lackText().contains(QStringLiteral("only layer 11 of")));
        WAIT_COMPARE(layers().chart()->picture().measures().size(), std::size_t{1});
        QTest::mouseClick(control("layersExtract"), Qt::LeftButton);
        auto* dialog = m_window->findChild<ui::ExtractDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QCOMPARE(dialog->request().layers, QStringLiteral("all"));
        dialog->reject();
    }

    void aCacheWithoutLabelsStillHasLayers()
    {
        const QString path = m_folder.filePath(QStringLiteral("unlabelled.h5"));
        test::SampleCacheOptions options;
        options.topics = false;
        options.labels.assign(48, "");
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path.toStdString(), options));
        open(path);
        m_window->setView(ui::kLayersView);
        WAIT_COMPARE(layers().chart()->picture().measures().size(), std::size_t{9});
        for (const auto& each : layers().chart()->picture().measures())
            QVERIFY(std::isnan(each->purity) && std::isfinite(each->accuracy) && std::isfinite(each->redundancy));
    }

    /// HEADSCOPE_TOUR=CACHE and HEADSCOPE_PICTURES=FOLDER: what the two views look like on a real cache.
    void tour()
    {
        const QString cache = qEnvironmentVariable("HEADSCOPE_TOUR");
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (cache.isEmpty() || folder.isEmpty())
            QSKIP("no HEADSCOPE_TOUR");
        m_window->resize(1500, 940);
        open(cache);
        const auto settled = [this] { return !m_workbench->anyJobRuns() && !m_workbench->isLoading(); };
        m_window->setView(ui::kProbeView);
        probe().findChild<QComboBox*>(QStringLiteral("probeLayers"))->setCurrentIndex(1);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(control("probeTrain"), Qt::LeftButton);
        const bool several = m_window->overview()->stages.size() > 3;
        if (several)
        {
            WAIT_FOR(probe().model()->rowCount() >= 20);
            test::passMs(200);
            m_window->grab().save(folder + QStringLiteral("/tour_sweep_half.png"));
        }
        WAIT_FOR(control("probeTrain")->isVisible());
        qInfo("sweep of %d probes: %.1f s", probe().model()->rowCount(), static_cast<double>(clock.elapsed()) / 1000);
        test::passMs(200);
        m_window->grab().save(folder + QStringLiteral("/tour_sweep.png"));
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Dark);
        test::passMs(200);
        m_window->grab().save(folder + QStringLiteral("/tour_sweep_dark.png"));
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
        probe().setPage(ui::ProbeView::Page::Scores);
        m_window->resize(1180, 760);
        test::passMs(200);
        m_window->grab().save(folder + QStringLiteral("/tour_scores_small.png"));
        m_window->resize(1500, 940);
        m_window->views().find(ui::kProbeView)->save(folder + QStringLiteral("/tour_probe_figure.png"));
        WAIT_FOR(settled());
        clock.start();
        m_window->setView(ui::kLayersView);
        WAIT_FOR(control("layersMeasure")->isVisible());
        qInfo("%zu layer measures: %.1f s", layers().chart()->picture().measures().size(),
              static_cast<double>(clock.elapsed()) / 1000);
        QTest::mouseMove(layers().chart(), QPoint(static_cast<int>(layers().chart()->picture().curves().xOf(9)), 200));
        m_window->grab().save(folder + QStringLiteral("/tour_layers.png"));
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Dark);
        test::passMs(200);
        m_window->grab().save(folder + QStringLiteral("/tour_layers_dark.png"));
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
        m_window->views().find(ui::kLayersView)->save(folder + QStringLiteral("/tour_layers_figure.png"));
        WAIT_FOR(settled());
    }

    void lateLayersAreDropped()
    {
        open(m_cache);
        m_window->setView(ui::kLayersView);
        QVERIFY(control("layersStop")->isVisible());
        m_window->setView(ui::kMapView);
        open(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        WAIT_FOR(control("layersMeasure")->isVisibleTo(&layers()));
        waitForCalm();
        QVERIFY(layers().chart()->picture().measures().empty());
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopProbe)
#include "tst_desktop_probe.moc"
