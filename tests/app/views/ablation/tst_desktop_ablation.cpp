// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the running model with everything behind it: a small model in the engine that stays.
#include "app/desktop/shell/model_memory.h"
#include "app/views/ablation/ablation_controller.h"
#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/importance_panel.h"
#include "app/views/ablation/running_page.h"
#include "app/views/heads/heads_view.h"
#include "app/views/map/map_run.h"
#include "app/views/map/map_view.h"
#include "model/data/documents/document_numbers.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/moved_overlay.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice_bar.h"

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

#include <cmath>
#include <filesystem>
#include <numeric>

using namespace headscope;
using desktop::AblationController;

namespace
{

constexpr int kDocuments = 60;

double cosineOf(std::span<const float> a, std::span<const float> b)
{
    const auto dot = [](std::span<const float> x, std::span<const float> y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0, std::plus(),
                                  [](float p, float q) { return static_cast<double>(p) * static_cast<double>(q); });
    };
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

std::shared_ptr<const HeadVectors> vectorsOf(const QString& cache, std::int64_t layer, Stage stage)
{
    JobContext job;
    const auto reader = CacheReader::open(cache.toStdString());
    if (!reader)
        return nullptr;
    const auto loaded = (*reader)->load(LayerIndex(layer), stage, {}, job);
    return loaded ? *loaded : nullptr;
}

} // namespace

class TestDesktopAblation : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    AblationController& controller() { return m_workbench->ablation(); }
    ui::ImportancePanel* importance() { return controller().page().importance(); }
    ui::AblationPanel* off() { return controller().page().switchOff(); }

    test::ProcessOutcome extract(const QString& model, const QString& cache, const QStringList& more)
    {
        return test::runEngine(QStringList{QStringLiteral("extract"),
                                           test::text(test::golden("models/" + model.toStdString())),
                                           m_folder.filePath(QStringLiteral("texts.jsonl")), QStringLiteral("-o"),
                                           cache, QStringLiteral("--overwrite")} +
                               more);
    }

    void openIn(const QString& engine)
    {
        makeWindow({.engine = engine, .iterations = 30, .perplexity = 5});
        openAndLoad(m_tiny);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_engine = test::text(test::program("headscope-engine"));
        if (!std::filesystem::exists(m_engine.toStdString()))
            QSKIP("headscope-engine is not built");
        std::string lines;
        for (int i = 0; i < kDocuments; ++i)
        {
            std::string words = "Text " + std::to_string(i);
            for (int k = 0; k < i * 7919 % 17; ++k)
                words += i % 2 == 0 ? " of old stones" : " of nine red apples";
            lines += "{\"id\": \"d" + std::to_string(i) + "\", \"text\": \"" + words + "\", \"topic\": \"" +
                     (i % 2 == 0 ? "stones" : "apples") + "\"}\n";
        }
        test::writeFile(m_folder.filePath(QStringLiteral("texts.jsonl")).toStdString(), lines);
        m_tiny = m_folder.filePath(QStringLiteral("tiny.h5"));
        const auto made =
            extract(QStringLiteral("mistral_f32"), m_tiny, {QStringLiteral("--layers"), QStringLiteral("all")});
        QVERIFY2(made.exitCode == 0, made.err.constData());
    }

    void cleanup() { dropWindow(); }

    void measuresBesideTheCut()
    {
        openIn(m_engine);
        m_window->setView(ui::kHeadsView);
        importance()->findChild<QSpinBox*>(QStringLiteral("importanceDocuments"))->setValue(40);
        importance()->findChild<QSpinBox*>(QStringLiteral("importanceLayer"))->setValue(1);
        QSignalSpy measured(&controller(), &AblationController::measured);
        controller().measure();
        QVERIFY(controller().busy());
        WAIT_COMPARE(measured.count(), 1);
        const auto found = importance()->comparison();
        QVERIFY2(found != nullptr, qPrintable(importance()->emptyState()->text()));
        QCOMPARE(found->inModel.players.size(), std::size_t{8});
        QCOMPARE(found->inModel.documents, 40);
        QCOMPARE(found->inModel.allDocuments, kDocuments);
        QCOMPARE(found->origin, m_workbench->study().origin());
        QVERIFY(importance()
                    ->ofText()
                    .replace(QChar::Nbsp, u' ')
                    .startsWith(QStringLiteral("40 of 60 documents · layer 1 · zero ablation")));
        QVERIFY(found->inModel.find(ImportanceMeasure::Match) != nullptr);
        const CacheAblation* cut = found->cutOf(ImportanceMeasure::Cosine);
        QVERIFY(cut != nullptr && cut->documents == 40);
        QVERIFY(found->cutOf(ImportanceMeasure::Match) != nullptr);
        QVERIFY(found->cutMissing.empty());
        for (const Estimate& lost : cut->lost)
            QVERIFY(lost.value > 0 && lost.value < 1 && lost.ci95.low <= lost.value && lost.value <= lost.ci95.high);
        QCOMPARE(importance()->table()->model()->rowCount(), 8);
        // The table as a file.
        const QString path = m_folder.filePath(QStringLiteral("importance.csv"));
        m_dialogs.nextPath = path;
        QTest::mouseClick(importance()->findChild<QPushButton*>(QStringLiteral("importanceSave")), Qt::LeftButton);
        WAIT_FOR(QFileInfo::exists(path));
        const QStringList rows =
            QString::fromStdString(test::contents(path.toStdString())).trimmed().split(QStringLiteral("\n"));
        QCOMPARE(rows.size(), 1 + 2 * 8);
        QVERIFY(rows[0].startsWith(QStringLiteral("measure,documents,layer,head,cut,cut_low,cut_high,left_out,")));
        // The copied line measures the same in a shell.
        m_window->findChild<ui::HeadsView*>()->setRunningShown(true);
        const QString line = m_window->views().find(ui::kHeadsView)->commandLine();
        QVERIFY2(line.startsWith(QStringLiteral("headscope importance ")), qPrintable(line));
        QCOMPARE(test::copiedLineFault(line), std::string());
        QStringList words;
        for (const std::string& word : test::shellWords(line))
            words << QString::fromStdString(word);
        const auto run = test::runEngine(words.mid(1) + QStringList{QStringLiteral("--json")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject said = QJsonDocument::fromJson(run.out).object();
        QCOMPARE(said.value(u"documents").toInt(), 40);
        QCOMPARE(said.value(u"label").toString(), QStringLiteral("topic"));
        for (const QJsonValue& each : said.value(u"measures").toArray())
        {
            const bool cosine = each.toObject().value(u"measure").toString() == QStringLiteral("cosine");
            const MeasureValues& values =
                *found->inModel.find(cosine ? ImportanceMeasure::Cosine : ImportanceMeasure::Match);
            const QJsonArray players = each.toObject().value(u"players").toArray();
            QCOMPARE(players.size(), std::ssize(values.players));
            for (std::size_t i = 0; i < values.players.size(); ++i)
                QCOMPARE(players[static_cast<qsizetype>(i)]
                             .toObject()
                             .value(u"left_out")
                             .toObject()
                             .value(u"value")
                             .toDouble(),
                         values.players[i].leftOut.value);
        }
        m_window->findChild<ui::HeadsView*>()->setRunningShown(false);
        const QString described = m_window->views().find(ui::kHeadsView)->commandLine();
        QVERIFY2(described.isEmpty() || described.startsWith(QStringLiteral("headscope heads ")),
                 qPrintable(described));
    }

    void switchesOffAsExtractDoes()
    {
        openIn(m_engine);
        const std::int64_t layer = m_workbench->study().layer().value();
        const QString other = m_folder.filePath(QStringLiteral("off.h5"));
        const auto made = extract(
            QStringLiteral("mistral_f32"), other,
            {QStringLiteral("--layers"), QStringLiteral("all"), QStringLiteral("--ablate"), QStringLiteral("1:1-2")});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QSignalSpy done(&controller(), &AblationController::switchedOff);
        controller().switchOff(LayerIndex(1), {0, 1});
        WAIT_COMPARE(done.count(), 1);
        const auto result = off()->result();
        QVERIFY2(result != nullptr, qPrintable(off()->emptyState()->text()));
        QCOMPARE(std::ssize(result->documents), kDocuments);
        QCOMPARE(result->heads, (std::vector<std::int64_t>{0, 1}));
        QVERIFY(layer >= 0);
        const auto before = vectorsOf(m_tiny, 2, Stage::OutputSegment);
        const auto after = vectorsOf(other, 2, Stage::OutputSegment);
        const auto stage1 = vectorsOf(m_tiny, 1, Stage::HeadOutput);
        QVERIFY(before != nullptr && after != nullptr && stage1 != nullptr && result->cut.has_value());
        for (std::size_t i = 0; i < result->documents.size(); ++i)
        {
            const DocumentIndex document(static_cast<std::int64_t>(i));
            QVERIFY(std::abs(result->inModel.cosine[i] - cosineOf(before->full(document), after->full(document))) <
                    1e-6);
            std::vector<float> cut(stage1->full(document).begin(), stage1->full(document).end());
            std::fill(cut.begin(), cut.begin() + 2 * stage1->dims(), 0.0F);
            QVERIFY(std::abs(result->cut->cosine[i] - cosineOf(stage1->full(document), cut)) < 1e-9);
        }
        QVERIFY(result->inModel.meanCosine.value < 0.9999);
        // The cosines as numbers of the documents.
        QTest::mouseClick(off()->findChild<QPushButton*>(QStringLiteral("switchOffColumn")), Qt::LeftButton);
        const auto numbers =
            documentNumbers(*m_workbench->study().cache()->overview->documents, "cosine without 1:1-2");
        QVERIFY(numbers.has_value());
        QVERIFY(std::abs(static_cast<double>(numbers->values[3]) - result->inModel.cosine[3]) < 1e-6);
    }

    void movedPointsAreLinesOnTheMap()
    {
        openIn(m_engine);
        // A layer that heads of layer 0 reach.
        m_workbench->study().choices().setLayer(LayerIndex(2));
        m_workbench->study().choices().setStage(Stage::OutputSegment);
        WAIT_FOR(m_workbench->study().source().vectors != nullptr);
        m_window->setView(ui::kMapView);
        QSignalSpy settled(m_workbench.get(), &desktop::Workbench::mapSettled);
        Q_EMIT m_window->findChild<ui::MapView*>()->runRequested();
        WAIT_FOR(settled.count() > 0);
        waitForJobs();
        QSignalSpy done(&controller(), &AblationController::switchedOff);
        controller().switchOff(LayerIndex(0), {0, 1, 2, 3, 4, 5, 6, 7});
        WAIT_COMPARE(done.count(), 1);
        const auto result = off()->result();
        QVERIFY2(result != nullptr && result->moved.has_value(), qPrintable(off()->legendText()));
        QVERIFY(!result->moved->points.empty());
        QCOMPARE(result->moved->map, m_window->findChild<ui::MapView*>()->scatter()->map());
        m_window->setView(ui::kMapView);
        ui::MoveLines* lines = controller().overlay().lines();
        QVERIFY(lines->isVisible());
        QCOMPARE(lines->lineCount(), result->moved->points.size());
        QVERIFY2(lines->badge().startsWith(QStringLiteral("Heads 1-8 of layer 0 off in the model")),
                 qPrintable(lines->badge()));
        test::savePictures(*m_window, QStringLiteral("moved-points"));
        // The document in the inspector has its lines in front.
        hub().setPrimary(DocumentIndex(3), HeadIndex(0));
        off()->findChild<QAbstractButton*>(QStringLiteral("switchOffLines"))->setChecked(false);
        QVERIFY(!lines->isVisible());
        off()->findChild<QAbstractButton*>(QStringLiteral("switchOffLines"))->setChecked(true);
        QVERIFY(lines->isVisible());
        m_window->setView(ui::kHeadsView);
        test::savePictures(*m_window, QStringLiteral("switched-off"));
        click("switchOffForget");
        QVERIFY(off()->result() == nullptr);
        QVERIFY(!lines->isVisibleTo(lines->parentWidget()));
    }

    void headsAtHandComeToThePage()
    {
        openIn(m_engine);
        hub().setLitHeads({2, 4});
        action("actionSwitchOffInModel")->trigger();
        QCOMPARE(m_window->view(), ui::kHeadsView);
        QVERIFY(m_window->findChild<ui::HeadsView*>()->isRunningShown());
        if (unitName(m_workbench->study().stage()) == "head")
            QCOMPARE(off()->heads(), (std::vector<std::int64_t>{2, 4}));
        QCOMPARE(off()->choices().layer, m_workbench->study().layer().value());
    }

    void anotherModelIsRefused()
    {
        openIn(m_engine);
        desktop::rememberModel(*m_settings, QString::fromStdString(m_workbench->study().cache()->overview->model.name),
                               test::text(test::golden("models/llama_mha")));
        QSignalSpy done(&controller(), &AblationController::switchedOff);
        controller().switchOff(LayerIndex(1), {0});
        WAIT_COMPARE(done.count(), 1);
        QVERIFY(off()->result() == nullptr);
        QVERIFY2(off()->emptyState()->text().contains(QStringLiteral("a model with different files")),
                 qPrintable(off()->emptyState()->text()));
        WAIT_FOR(m_window->notices().sentence().contains(QStringLiteral("a model with different files")));
    }

    void anEngineThatDiesIsASentence()
    {
        const QString path = m_folder.filePath(QStringLiteral("dies.sh"));
        test::writeFile(path.toStdString(),
                        "#!/bin/sh\necho '{\"protocol\":1,\"version\":\"0\"}'\nread -r line\nkill -9 $$\n");
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        openIn(path);
        QSignalSpy measured(&controller(), &AblationController::measured);
        controller().measure();
        WAIT_COMPARE(measured.count(), 1);
        QVERIFY(importance()->comparison() == nullptr);
        QVERIFY2(importance()->emptyState()->text().contains(QStringLiteral("SIGKILL")),
                 qPrintable(importance()->emptyState()->text()));
        QVERIFY(!controller().busy());
    }

    void cancelEndsTheWaiting()
    {
        // Takes every question and answers none.
        const QString path = m_folder.filePath(QStringLiteral("silent.sh"));
        test::writeFile(path.toStdString(),
                        "#!/bin/sh\necho '{\"protocol\":1,\"version\":\"0\"}'\nexec cat >/dev/null\n");
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        openIn(path);
        m_window->setView(ui::kHeadsView);
        const auto cancel = [this](const QString& key) {
            ui::JobRow* row = m_window->jobStrip().row(key);
            QVERIFY(row != nullptr);
            row->requestCancel();
        };
        auto* measure = importance()->findChild<QPushButton*>(QStringLiteral("importanceRun"));
        controller().measure();
        QCOMPARE(importance()->emptyState()->title(), QStringLiteral("Measuring"));
        cancel(QStringLiteral("importance"));
        QCOMPARE(importance()->emptyState()->title(), QStringLiteral("Not measured yet"));
        QVERIFY(measure->isEnabled());
        // What was shown before the run comes back.
        auto shown = std::make_shared<ImportanceComparison>();
        shown->origin = m_workbench->study().origin();
        shown->inModel.players = {{1, 0}};
        shown->inModel.documents = shown->inModel.allDocuments = kDocuments;
        MeasureValues values;
        values.documents = kDocuments;
        values.players.resize(1);
        shown->inModel.measures.push_back({ImportanceMeasure::Cosine, values});
        importance()->setComparison(shown);
        controller().measure();
        QVERIFY(importance()->comparison() == nullptr);
        cancel(QStringLiteral("importance"));
        QCOMPARE(importance()->comparison(), std::shared_ptr<const ImportanceComparison>(shown));
        controller().switchOff(LayerIndex(1), {0});
        const QString running = off()->emptyState()->title();
        cancel(QStringLiteral("switchoff"));
        QVERIFY2(off()->emptyState()->title() != running, qPrintable(running));
        QVERIFY(!controller().busy());
    }

    void anotherCacheDropsIt()
    {
        openIn(m_engine);
        QSignalSpy measured(&controller(), &AblationController::measured);
        controller().measure();
        writeSample();
        openAndLoad(m_cache);
        QVERIFY(importance()->comparison() == nullptr);
        WAIT_FOR(!controller().busy());
        QCOMPARE(measured.count(), 0);
        // The sample names no model files: nothing can be measured, and the page says why.
        QVERIFY(!importance()->findChild<QPushButton*>(QStringLiteral("importanceRun"))->isEnabled());
        QVERIFY(!importance()->emptyState()->text().isEmpty());
    }

private:
    QString m_engine;
    QString m_tiny;
};

HEADSCOPE_WINDOW_TEST(TestDesktopAblation)
#include "tst_desktop_ablation.moc"
