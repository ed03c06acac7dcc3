// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/desktop/start/workbench.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/heads/pruning_panel.h"
#include "app/views/heads/switch_panel.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"
#include "ui/words/wording.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QScopeGuard>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

using namespace headscope;
using namespace headscope::desktop;
using HeadColumn = ui::HeadTableModel::Column;

/// The heads view with everything behind it: its numbers are those of the verbs.
class TestDesktopHeads : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    /// Neither has an interval where too few documents changed for one.
    static void compareIntervals(const Interval& shown, const nlohmann::json& said)
    {
        if (said.is_null())
            QVERIFY(std::isnan(shown.low) && std::isnan(shown.high));
        else
            QVERIFY(shown.low == said[0] && shown.high == said[1]);
    }

    ui::HeadsView* view() { return m_window->findChild<ui::HeadsView*>(); }
    QModelIndex head(std::int64_t number, int column) { return view()->model()->indexOfHead(number, column); }

    void open(const QString& cache)
    {
        m_workbench->open(cache);
        m_window->setView(ui::kHeadsView);
        WAIT_FOR(view()->report() != nullptr);
        WAIT_FOR(view()->mask().has_value());
    }

    nlohmann::json verb(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin() + 1, {m_cache.toStdString(), "--json", "--layer", "last"});
        std::ostringstream out;
        std::ostringstream err;
        if (cli::run(arguments, out, err) != 0)
            qWarning("%s", err.str().c_str());
        return nlohmann::json::parse(out.str());
    }

    /// Ticks or unticks a row of the table, as a click does.
    void tick(const QModelIndex& index, bool on)
    {
        view()->model()->setData(index, on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
        WAIT_FOR(view()->mask().has_value());
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        writeSample();
    }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    void numbersAreThoseOfTheVerb()
    {
        open(m_cache);
        const nlohmann::json heads = verb({"heads"})["heads"];
        QCOMPARE(heads.size(), std::size_t{9});
        const std::pair<int, const char*> columns[] = {{HeadColumn::StrengthColumn, "mean_norm"},
                                                       {HeadColumn::SpreadColumn, "spread"},
                                                       {HeadColumn::ScoreColumn, "score"},
                                                       {HeadColumn::SimilarityColumn, "mean_similarity"},
                                                       {HeadColumn::SelectivityColumn, "selectivity_unbiased"},
                                                       {HeadColumn::FollowsColumn, "follows_full"},
                                                       {HeadColumn::MatchColumn, "match"},
                                                       {HeadColumn::EvennessColumn, "evenness"}};
        for (std::size_t h = 0; h < heads.size(); ++h)
        {
            for (const auto& [column, key] : columns)
                QCOMPARE(view()->model()->value(head(static_cast<std::int64_t>(h), column)),
                         heads[h][key].get<double>());
            // What shuffled labels give as well has a mark behind it.
            const bool chance = heads[h]["q"]["top_topic"].get<double>() > 0.05;
            QCOMPARE(head(static_cast<std::int64_t>(h), HeadColumn::TopicColumn).data().toString().toStdString(),
                     heads[h]["top_topic"].get<std::string>() + (chance ? " †" : ""));
        }
    }

    void allViewsShowTheHeadsChosenAtTheLeft()
    {
        open(m_cache);
        ui::HeadPicker* picker = m_window->dataPanel().headPicker();
        picker->setHeads({0, 4, 5});
        QCOMPARE(view()->proxy()->rowCount(), 2);                   // KV1 and KV2
        QCOMPARE(view()->mask()->kept, std::vector<bool>(9, true)); // the experiment is another matter
        QVERIFY(view()->findChild<QLabel*>(QStringLiteral("headsOf"))->text().contains(ui::chosenHeadsText(3, 9)));

        m_window->setView(ui::kHeatmapView);
        ui::HeatmapView& heatmap = test::viewOf<ui::HeatmapView>(*m_window);
        WAIT_FOR(!heatmap.panels().empty());
        QCOMPARE(heatmap.heatmap()->layoutOf(0).headsShown(), std::int64_t{3});
        QCOMPARE(heatmap.heatmap()->layoutOf(0).rowAtPlace(1), std::int64_t{5}); // head 5
        QVERIFY(heatmap.shownText().contains(ui::chosenHeadsText(3, 9)));

        m_window->selection().setPrimary(DocumentIndex(3), HeadIndex(0));
        m_window->setView(ui::kRetrievalView);
        auto* retrieval = m_window->findChild<ui::RetrievalView*>();
        WAIT_FOR(retrieval->comparison() != nullptr);
        for (const RetrievedDocument& result : retrieval->comparison()->first.results)
            for (const HeadVote& vote : result.byHead)
                QVERIFY(vote.head == HeadIndex(0) || vote.head == HeadIndex(4) || vote.head == HeadIndex(5));
        QVERIFY(retrieval->shownText().contains(ui::chosenHeadsText(3, 9)));

        m_window->setView(ui::kLayersView);
        auto* layers = m_window->findChild<ui::LayersView*>();
        const nlohmann::json verbs = verb({"layers", "--heads", "1,5-6"})["results"];
        WAIT_FOR(!layers->chart()->picture().measures().empty());
        QVERIFY(layers->note().contains(ui::chosenHeadsText(3, 9)));
        std::int64_t compared = 0;
        for (const auto& each : layers->chart()->picture().measures())
            for (const auto& one : verbs)
                if (one["layer"] == each->layer.value() && one["stage"].dump() == std::string(stageName(each->stage)))
                {
                    QCOMPARE(each->accuracy, one["accuracy"].get<double>());
                    ++compared;
                }
        QVERIFY(compared > 0);

        picker->chooseNone();
        const auto says = [this](ui::ViewId each, const QString& title) {
            m_window->setView(each);
            const auto states = m_window->views().find(each)->widget->findChildren<ui::EmptyState*>();
            return std::any_of(states.begin(), states.end(), [&title](const ui::EmptyState* state) {
                return state->isVisible() && state->title() == title;
            });
        };
        for (const ui::ViewId each : {ui::kHeatmapView, ui::kHeadsView, ui::kRetrievalView, ui::kLayersView})
            QVERIFY(says(each, QStringLiteral("No head selected")));
        m_window->choices().setStage(Stage::ProjectedSegment);
        for (const ui::ViewId each : {ui::kHeatmapView, ui::kHeadsView, ui::kLayersView})
            WAIT_FOR(says(each, QStringLiteral("No segment selected")));
        m_window->choices().setStage(Stage::HeadOutput);
        picker->chooseAll();
        WAIT_COMPARE(view()->proxy()->rowCount(), 3);
    }

    void switchedOffHeadsAreMeasured()
    {
        open(m_cache);
        const nlohmann::json pruned = verb({"prune", "--measure", "match5", "--order", "single"});
        QCOMPARE(view()->mask()->matchAll[1], pruned["baseline"].get<double>());
        const Interval& ci95 = view()->mask()->matchAllCi95[0];
        QVERIFY(ci95.low < view()->mask()->matchAll[0] && view()->mask()->matchAll[0] <= ci95.high);
        tick(head(4, HeadColumn::HeadColumn), false);
        WAIT_FOR(!view()->mask()->kept[4]);
        for (const auto& step : pruned["steps"])
            if (step["removed"] == 5)
            {
                QCOMPARE(view()->mask()->match[1], step["value"].get<double>());
                QCOMPARE(*view()->mask()->parametersSaved, step["parameters_saved"].get<std::int64_t>());
                QCOMPARE(*view()->mask()->kvBytesSaved, std::int64_t{0}); // one head alone saves no cache
                const PairedDifference& difference = *view()->mask()->matchDifference[1];
                compareIntervals(difference.ci95, step["ci95"]);
                QCOMPARE(std::isnan(difference.p), step["p"].is_null()); // where too few documents change
                if (step["p"].is_number())
                    QCOMPARE(difference.p, step["p"].get<double>());
            }
    }

    void wholeGroupSavesCacheAndComesBack()
    {
        open(m_cache);
        tick(head(3, HeadColumn::HeadColumn).parent(), false); // KV2: heads 4 to 6
        WAIT_FOR(view()->mask()->kvBytesSaved > 0);
        QVERIFY(!view()->mask()->kept[3] && !view()->mask()->kept[4] && !view()->mask()->kept[5]);
        tick(head(0, HeadColumn::HeadColumn), false);
        WAIT_FOR(!view()->mask()->kept[0]);
        QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("maskUndo")), Qt::LeftButton);
        WAIT_FOR(view()->mask()->kept[0] && !view()->mask()->kept[3]);
        m_window->findChild<QAction*>(QStringLiteral("actionUndoSwitch"))->trigger();
        WAIT_FOR(view()->mask()->kept[3]);
        m_window->findChild<QAction*>(QStringLiteral("actionRedoSwitch"))->trigger();
        WAIT_FOR(!view()->mask()->kept[3]);
    }

    void ofOneTopicNothingIsTested()
    {
        const QString four = m_cache;
        const auto restore = qScopeGuard([&] { m_cache = four; });
        test::SampleCacheOptions options;
        options.labels.assign(static_cast<std::size_t>(options.documents), "Topic");
        m_cache = m_folder.filePath(QStringLiteral("one.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_cache.toStdString(), options));
        open(m_cache);
        WAIT_COMPARE(view()->curve()->picture().steps().size(), std::size_t{9});
        const auto* panel = view()->findChild<ui::PruningPanel*>();
        QVERIFY(panel != nullptr);
        WAIT_FOR2(panel->sentence().contains(QStringLiteral(
                      "The match cannot change for any selection of heads, so there is nothing to test.")),
                  qPrintable(panel->sentence()));
        QVERIFY(view()->curve()->picture().validation().isEmpty());
        for (const PruningStep& step : view()->curve()->picture().steps())
            QVERIFY(!step.onFront);
    }

    void greedyOrderIsThatOfTheVerb()
    {
        const QString four = m_cache;
        const auto restore = qScopeGuard([&] { m_cache = four; });
        test::SampleCacheOptions options;
        for (std::int64_t document = 0; document < options.documents; ++document)
            options.labels.push_back("Topic " + std::to_string(document % 8));
        m_cache = m_folder.filePath(QStringLiteral("eight.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_cache.toStdString(), options));
        open(m_cache);
        WAIT_COMPARE(view()->curve()->picture().steps().size(), std::size_t{9});
        const nlohmann::json steps = verb({"prune", "--measure", "match5", "--order", "backward"})["steps"];
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            QCOMPARE(view()->curve()->picture().steps()[i + 1].unit + 1, steps[i]["removed"].get<std::int64_t>());
            QCOMPARE(view()->curve()->picture().steps()[i + 1].value, steps[i]["value"].get<double>());
        }
        WAIT_FOR(!view()->curve()->picture().validation().isEmpty());
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            const HeldOutGain& gain = view()->curve()->picture().validation().byKept[steps.size() - 1 - i];
            QCOMPARE(gain.elsewhere, steps[i]["validated"]["elsewhere"].get<double>());
            QCOMPARE(gain.elsewhereCi95.low, steps[i]["validated"]["range95"][0].get<double>());
        }
        QTest::mouseClick(view()->curve(), Qt::LeftButton, {},
                          view()->curve()->picture().placeOf(3).center().toPoint());
        WAIT_FOR(std::count(view()->mask()->kept.begin(), view()->mask()->kept.end(), false) == 3);
        QCOMPARE(view()->mask()->match[1], view()->curve()->picture().steps()[3].value);
    }

    /// Of four topics every document matches at 5: the order would be a flat line.
    void fewTopicsAreOrderedByTheNearest()
    {
        open(m_cache);
        WAIT_COMPARE(view()->curve()->picture().steps().size(), std::size_t{9});
        QCOMPARE(view()->switches()->order()->title(), QStringLiteral("Greedy order by match at 1"));
        const nlohmann::json pruned = verb({"prune", "--order", "backward"});
        QCOMPARE(pruned["measure"].get<std::string>(), std::string("match1"));
        for (std::size_t i = 0; i < pruned["steps"].size(); ++i)
        {
            const PruningStep& step = view()->curve()->picture().steps()[i + 1];
            QCOMPARE(step.value, pruned["steps"][i]["value"].get<double>());
            QCOMPARE(step.onFront, pruned["steps"][i]["front"].get<bool>());
        }
    }

    void chosenDocumentsDriveTheNumbers()
    {
        open(m_cache);
        const double before = view()->model()->value(head(2, HeadColumn::StrengthColumn));
        m_window->selection().setDocuments({1, 4, 9, 16, 25});
        WAIT_COMPARE(view()->report()->documents, std::int64_t{5});
        const nlohmann::json heads = verb({"heads", "--documents", "1,4,9,16,25"})["heads"];
        QCOMPARE(view()->model()->value(head(2, HeadColumn::StrengthColumn)), heads[2]["mean_norm"].get<double>());
        m_window->findChild<QAction*>(QStringLiteral("actionCopyCommand"))->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral(" --documents 1,4,9,16,25")));
        m_window->selection().setDocuments({});
        WAIT_COMPARE(view()->model()->value(head(2, HeadColumn::StrengthColumn)), before);
    }

    /// What if heads were off, and the greedy order: of the same documents as the statistics above.
    void chosenDocumentsDriveTheExperiment()
    {
        open(m_cache);
        const auto said = [this] {
            return view()->findChild<QLabel*>(QStringLiteral("maskSaved"))->text().replace(QChar::Nbsp, u' ');
        };
        QVERIFY2(said().contains(QStringLiteral("over 48 documents")), qPrintable(said()));
        const double ofAll = view()->mask()->matchAll[0];
        std::vector<std::int64_t> some;
        for (std::int64_t document = 0; document < 20; ++document)
            some.push_back(document);
        m_window->selection().setDocuments(some);
        WAIT_COMPARE(view()->mask()->documents, std::int64_t{20});
        QVERIFY2(said().contains(QStringLiteral("over the selected 20 of 48 documents")), qPrintable(said()));
        const nlohmann::json pruned =
            verb({"prune", "--measure", "match1", "--order", "backward", "--documents", "0-19"});
        QCOMPARE(view()->mask()->matchAll[0], pruned["baseline"].get<double>());
        waitForJobs();
        const nlohmann::json& steps = pruned["steps"];
        WAIT_COMPARE(view()->curve()->picture().steps().size(), steps.size() + 1);
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            QCOMPARE(view()->curve()->picture().steps()[i + 1].unit + 1, steps[i]["removed"].get<std::int64_t>());
            QCOMPARE(view()->curve()->picture().steps()[i + 1].value, steps[i]["value"].get<double>());
        }
        tick(head(4, HeadColumn::HeadColumn), false);
        WAIT_FOR(!view()->mask()->kept[4]);
        QCOMPARE(view()->mask()->documents, std::int64_t{20});
        for (const auto& step :
             verb({"prune", "--measure", "match1", "--order", "single", "--documents", "0-19"})["steps"])
            if (step["removed"] == 5)
                QCOMPARE(view()->mask()->match[0], step["value"].get<double>());
        // Show only does the same, and none chosen is all again.
        m_window->selection().setDocuments({});
        WAIT_COMPARE(view()->mask()->documents, std::int64_t{48});
        QCOMPARE(view()->mask()->matchAll[0], ofAll);
        m_window->selection().showOnly({{}, {0, 1, 2, 3, 4, 5}});
        WAIT_COMPARE(view()->mask()->documents, std::int64_t{6});
        const QString line = m_window->views().find(ui::kHeadsView)->commandLine();
        QVERIFY2(line.contains(QStringLiteral(" --documents 0-5")), qPrintable(line));
        QCOMPARE(test::copiedLineFault(line), std::string());
    }

    void maskIsSavedForTheVerbs()
    {
        open(m_cache);
        tick(head(1, HeadColumn::HeadColumn), false);
        WAIT_FOR(!view()->mask()->kept[1]);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("mask.json"));
        QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("maskSave")), Qt::LeftButton);
        WAIT_COMPARE(saved.count(), 1);
        const nlohmann::json heads = verb({"heads", "--mask", m_dialogs.nextPath.toStdString()})["heads"];
        QCOMPARE(heads.size(), std::size_t{8});
    }

    /// Saving writes more files than the file dialog has asked about: none of them is replaced unasked.
    void tablesBesideAreAskedFor()
    {
        open(m_cache);
        const auto& entry = *m_window->views().find(ui::kHeadsView);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        const QString main = m_folder.filePath(QStringLiteral("asked.csv"));
        const QString pairs = m_folder.filePath(QStringLiteral("asked-pairs.csv"));
        const auto textOf = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        entry.save(main);
        WAIT_COMPARE(saved.count(), 1);
        QVERIFY(textOf(pairs).startsWith("rank,"));
        QVERIFY(m_dialogs.asked.empty()); // nothing was there
        for (const QString& path : {main, pairs})
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("my notes");
        }
        entry.save(main);
        QCOMPARE(m_dialogs.asked.size(), std::size_t{1});
        QVERIFY2(m_dialogs.lastText.contains(QStringLiteral("asked-pairs.csv")), qPrintable(m_dialogs.lastText));
        waitForCalm();
        QCOMPARE(saved.count(), 1);
        QCOMPARE(textOf(main), QByteArray("my notes"));
        QCOMPARE(textOf(pairs), QByteArray("my notes"));
        m_dialogs.nextAnswer = 1;
        entry.save(main);
        WAIT_COMPARE(saved.count(), 2);
        QVERIFY(textOf(pairs).startsWith("rank,"));
    }

    /// A name without an ending gets one, and is another file than the dialog has asked about.
    void nameWithoutAnEndingIsAskedFor()
    {
        open(m_cache);
        const QString target = m_folder.filePath(QStringLiteral("noending.csv"));
        QFile file(target);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("my notes");
        file.close();
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("noending"));
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        QVERIFY2(m_dialogs.lastText.contains(QStringLiteral("noending.csv")), qPrintable(m_dialogs.lastText));
        waitForCalm();
        QCOMPARE(saved.count(), 0);
        QCOMPARE(QFileInfo(target).size(), qint64{8});
        m_dialogs.nextAnswer = 1;
        m_window->findChild<QAction*>(QStringLiteral("actionSaveView"))->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QVERIFY(QFileInfo(target).size() > 100);
    }

    void probeIsFittedOnDemand()
    {
        open(m_cache);
        tick(head(0, HeadColumn::HeadColumn), false);
        WAIT_FOR(!view()->mask()->kept[0]);
        QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("maskProbe")), Qt::LeftButton);
        WAIT_FOR(view()->mask()->probe.has_value());
        const nlohmann::json pruned = verb({"prune", "--measure", "probe", "--order", "single"});
        QCOMPARE(*view()->mask()->probeAll, pruned["baseline"].get<double>());
        for (const auto& step : pruned["steps"])
            if (step["removed"] == 1)
            {
                QCOMPARE(*view()->mask()->probe, step["value"].get<double>());
                compareIntervals(view()->mask()->probeDifference->ci95, step["ci95"]);
            }
    }

    void withoutTopicsWhatNeedsNoneStays()
    {
        const QString path = m_folder.filePath(QStringLiteral("plain.h5"));
        test::SampleCacheOptions options;
        options.topics = false;
        const Status written = test::writeSampleCache(path.toStdString(), options);
        HEADSCOPE_VERIFY_OK(written);
        open(path);
        QVERIFY(std::isfinite(view()->model()->value(head(0, HeadColumn::StrengthColumn))));
        QVERIFY(std::isnan(view()->model()->value(head(0, HeadColumn::MatchColumn))));
        QVERIFY(!view()->report()->notice.empty());
        QVERIFY(view()->report()->redundancy.has_value());
    }

    void anotherCacheDropsTheLateResult()
    {
        m_workbench->open(m_cache);
        m_window->setView(ui::kHeadsView);
        WAIT_FOR(m_workbench->study().cache().has_value());
        const QString other = m_folder.filePath(QStringLiteral("other.h5"));
        test::SampleCacheOptions options;
        options.heads = 4;
        options.kvHeads = 2;
        const Status written = test::writeSampleCache(other.toStdString(), options);
        HEADSCOPE_VERIFY_OK(written);
        m_workbench->open(other); // while the first one's report is on its way
        WAIT_FOR(view()->report() != nullptr && view()->report()->statistics.size() == 4);
        waitForCalm();
        QCOMPARE(view()->report()->statistics.size(), std::size_t{4});
    }
};

HEADSCOPE_TEST(TestDesktopHeads)
#include "tst_desktop_heads.moc"
