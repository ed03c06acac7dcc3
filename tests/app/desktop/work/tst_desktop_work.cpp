// SPDX-License-Identifier: GPL-3.0-or-later
// Work files in the window: what was saved is there again, to the pixel; what is missing or changed is named.
#include "app/desktop/find/find_controller.h"
#include "app/desktop/find/join_controller.h"
#include "app/desktop/work/work_session.h"
#include "app/views/ablation/ablation_controller.h"
#include "app/views/ablation/importance_panel.h"
#include "app/views/ablation/running_page.h"
#include "app/views/heads/heads_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/join_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/find/find_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QScopeGuard>
#include <QStatusBar>
#include <QTreeView>

#include <cmath>
#include <functional>

using namespace headscope;
using desktop::Workbench;
using desktop::WorkSession;

class TestDesktopWork : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    QString m_work;
    QStringList m_notices; ///< of the status line, while a work was opened

    WorkSession& work() { return m_workbench->work(); }
    ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }

    /// A view as it is painted, once it stands still.
    QImage picture(ui::ViewId view)
    {
        m_window->setView(view);
        waitForCalm();
        if (QWidget* focused = QApplication::focusWidget()) // where the keyboard is belongs to no work
            focused->clearFocus();
        return m_window->views().find(view)->widget->grab().toImage();
    }
    /// A state that differs from what a cache begins with in everything that is kept.
    void arrange()
    {
        openAndSettle(m_cache);
        waitForJobs();
        m_workbench->study().choices().setHeads({0, 2, 3, 5});
        m_workbench->study().choices().setColor(ui::ColorChoice::fromKey("strength"));
        keepSet(QStringLiteral("Cats"), {1, 5, 9});
        hub().setDocuments({2, 3, 4, 20});
        hub().setPrimary(DocumentIndex(3), HeadIndex(2));
        const auto& canvas = scatter();
        scatter().setView(canvas.view().zoomedAt({200, 150}, 1.7));
        QVERIFY(!canvas.follows());
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        auto* heatmap = test::viewOf<ui::HeatmapView>(*m_window).heatmap();
        WAIT_FOR(!heatmap->panels().empty());
        auto* sort = m_window->findChild<QComboBox*>(QStringLiteral("heatmapSort"));
        sort->setCurrentIndex(2);
        waitForJobs();
        heatmap->setWindow({2.5, 3, 1, 0});
        m_window->setView(ui::kProbeView);
        action("actionProbe")->trigger();
        waitForJobs();
        WAIT_FOR(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount() > 0);
        test::viewOf<ui::ProbeView>(*m_window).setPage(ui::ProbeView::Page::Scores); // and not the one that is proposed
    }
    void saveTo(const QString& file)
    {
        QSignalSpy saved(&work(), &WorkSession::saved);
        work().saveTo(file);
        WAIT_COMPARE(saved.count(), 1);
    }
    void reopen(const QString& file)
    {
        QSignalSpy restored(&work(), &WorkSession::restored);
        m_notices.clear();
        const auto noting = connect(m_window->statusBar(), &QStatusBar::messageChanged, this,
                                    [this](const QString& text) { m_notices << text; });
        const auto end = qScopeGuard([noting] { disconnect(noting); });
        m_workbench->open(file);
        WAIT_COMPARE(restored.count(), 1);
        waitForJobs();
    }
    /// What is lost without heads, the layers, and what a document finds; at last that view is in front.
    std::pair<std::shared_ptr<const ImportanceComparison>, std::vector<std::shared_ptr<const LayerMeasures>>>
    showResults()
    {
        auto lost = std::make_shared<ImportanceComparison>();
        const desktop::OpenedCache& cache = *m_workbench->study().cache();
        lost->origin = lost->inModel.origin = m_workbench->study().origin();
        for (std::int64_t head = 0; head < cache.overview->model.heads; ++head)
            lost->inModel.players.push_back({3, head});
        lost->inModel.documents = 4;
        lost->inModel.allDocuments = cache.overview->documents->count();
        lost->inModel.label = m_workbench->study().labelColumn();
        lost->inModel.topics = 4;
        lost->rows = {0, 1, 2, 7};
        for (const ImportanceMeasure measure : {ImportanceMeasure::Cosine, ImportanceMeasure::Match})
        {
            NamedValues values{measure, {}};
            values.values.documents = 4;
            values.values.players.resize(lost->inModel.players.size());
            values.values.players[1].leftOut = {0.125, {-0.25, 0.5}};
            values.values.players[1].role = PlayerRole::Interfering;
            lost->inModel.measures.push_back(values);
            CacheAblation cut{measure, 4, std::vector<Estimate>(lost->inModel.players.size())};
            cut.lost[2] = {0.0, {-0.5, 0.5}};
            lost->ofCache.push_back(cut);
        }
        m_workbench->ablation().page().importance()->setComparison(lost);
        m_window->setView(ui::kLayersView);
        waitForJobs();
        const auto layers = m_window->findChild<ui::LayersView*>()->chart()->picture().measures();
        m_window->setView(ui::kRetrievalView);
        Q_EMIT m_window->findChild<ui::RetrievalView*>()->documentAsked(DocumentIndex(7));
        const bool done = test::waitFor([this] { return asked() == DocumentIndex(7); });
        waitForJobs();
        return {done && !layers.empty() ? lost : nullptr, layers};
    }
    /// The document whose results the retrieval shows.
    std::optional<DocumentIndex> asked()
    {
        const auto found = m_window->findChild<ui::RetrievalView*>()->comparison();
        return found == nullptr ? std::nullopt : found->document;
    }
    /// Writes a work file with another state.
    void changeWork(const QByteArray& from, const std::function<void(QJsonObject& state)>& change)
    {
        QJsonObject all = QJsonDocument::fromJson(from).object();
        QJsonObject state = all.value(QStringLiteral("state")).toObject();
        change(state);
        all[QStringLiteral("state")] = state;
        QFile file(m_work);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(all).toJson());
    }
    static void compare(const QImage& now, const QImage& before, const char* what)
    {
        if (now != before && !qEnvironmentVariable("HEADSCOPE_PICTURES").isEmpty())
        {
            now.save(qEnvironmentVariable("HEADSCOPE_PICTURES") + u'/' + QLatin1StringView(what) + u"-now.png");
            before.save(qEnvironmentVariable("HEADSCOPE_PICTURES") + u'/' + QLatin1StringView(what) + u"-before.png");
        }
        QVERIFY2(now == before, what);
    }

private Q_SLOTS:
    void init()
    {
        beginTest();
        m_work = m_place->filePath(QStringLiteral("study.headscope"));
    }
    void cleanup() { endTest(); }

    /// Work that was saved has a small picture among the files opened last; a damaged one is none.
    void savedWorkHasAPicture()
    {
        const QString folder = m_place->filePath(QStringLiteral("pictures"));
        work().keepPictures(folder);
        openAndSettle(m_cache);
        saveTo(m_work);
        QVERIFY(!work().unsaved()); // the picture has changed nothing
        const QFileInfoList kept = QDir(folder).entryInfoList(QDir::Files);
        QCOMPARE(kept.size(), 1);
        const desktop::WorkPictures pictures(folder);
        const QImage picture = pictures.of(m_work);
        QCOMPARE(picture.size(), QSize(2 * desktop::WorkPictures::kWidth, 2 * desktop::WorkPictures::kHeight));
        QSet<QRgb> colors;
        for (int x = 0; x < picture.width(); x += 4)
            for (int y = 0; y < picture.height(); y += 4)
                colors.insert(picture.pixel(x, y));
        QVERIFY2(colors.size() > 10, "it shows something");
        const auto heightOfRow = [this] {
            m_window->welcome().setRecent({m_work});
            QWidget* row = nullptr;
            for (QWidget* each : m_window->welcome().findChildren<QWidget*>(QStringLiteral("welcomeRecent")))
                if (each->isVisibleTo(&m_window->welcome()))
                    row = each;
            return row == nullptr ? 0 : row->sizeHint().height();
        };
        const int with = heightOfRow();
        QVERIFY(with > desktop::WorkPictures::kHeight);
        QFile file(kept.front().filePath());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no picture") > 0);
        file.close();
        QVERIFY(pictures.of(m_work).isNull());
        QVERIFY(heightOfRow() > 0 && heightOfRow() < with);
        // No folder, no picture, and nothing goes wrong.
        desktop::WorkPictures().keep(m_work, picture);
        QVERIFY(desktop::WorkPictures().of(m_work).isNull());
        desktop::WorkPictures(QStringLiteral("/proc/none")).keep(m_work, picture);
        // Not more than a number of them.
        for (int i = 0; i < desktop::WorkPictures::kMost + 5; ++i)
            pictures.keep(QString::number(i), picture);
        QCOMPARE(QDir(folder).entryList(QDir::Files).size(), desktop::WorkPictures::kMost);
    }

    void theViewsComeBackToThePixel()
    {
        arrange();
        const QImage heatmap = picture(ui::kHeatmapView);
        const QImage probe = picture(ui::kProbeView);
        const QImage map = picture(ui::kMapView);
        const ui::Choice choice = m_workbench->study().choices().now();
        const Selection selection = hub().selection();
        const ui::NamedSets sets = hub().sets();
        const QJsonObject state = work().gather();
        saveTo(m_work);
        closeWindow();
        QVERIFY(m_dialogs.asked.empty());

        begin();
        reopen(m_work);
        QVERIFY(m_window->view() == ui::kMapView);
        QVERIFY(m_workbench->study().choices().now() == choice);
        QCOMPARE(hub().selection().documents, selection.documents);
        QVERIFY(hub().selection().primary == selection.primary);
        QVERIFY(hub().sets() == sets);
        compare(picture(ui::kMapView), map, "map");
        compare(picture(ui::kHeatmapView), heatmap, "heatmap");
        compare(picture(ui::kProbeView), probe, "probe");
        QVERIFY(test::viewOf<ui::ProbeView>(*m_window).page() == ui::ProbeView::Page::Scores);
        m_window->setView(ui::kMapView);
        QCOMPARE(work().gather(), state); // all else that is kept
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("study.headscope – a.h5")));
        QVERIFY2(m_notices.contains(QStringLiteral("study.headscope is open and completely restored.")),
                 qPrintable(m_notices.join(u'|')));
    }

    void anotherLayerAndTabComeBack()
    {
        openAndSettle(m_cache);
        const auto overview = m_workbench->study().cache()->overview;
        const LayerIndex first = overview->stages.begin()->first;
        m_workbench->study().choices().setLayer(first);
        m_workbench->study().choices().setStage(Stage::OutputSegment);
        waitForJobs();
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        saveTo(m_work);
        closeWindow();
        begin();
        reopen(m_work);
        QVERIFY(m_workbench->study().layer() == first);
        QVERIFY(m_workbench->study().stage() == Stage::OutputSegment);
        QVERIFY(m_window->view() == ui::kHeatmapView);
    }

    /// Saved while a map runs, a project shows that map again, not the one before it.
    void theRunningMapComesBack()
    {
        openAndSettle(m_cache);
        QSignalSpy settled(m_workbench.get(), &desktop::Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        m_settings->setNumber(ui::settingNamed("map/iterations"), 1'000'000);
        action("actionMap")->trigger();
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 5);
        saveTo(m_work);
        m_dialogs.nextAnswer = 1;
        closeWindow();
        begin();
        reopen(m_work);
        const ui::KeptMap* run = mapNamed("run 2");
        QVERIFY(run != nullptr);
        QCOMPARE(test::viewOf<ui::MapView>(*m_window).scatter()->map()->hash, run->map->hash);
        QVERIFY2(work().lost().isEmpty(), qPrintable(work().lost().join(u' ')));
    }

    /// A map that the project names and that is nowhere is not passed off as another one.
    void aRunningMapThatIsGoneIsSaid()
    {
        openAndSettle(m_cache);
        saveTo(m_work);
        changeWork(test::bytesOf(m_work), [](QJsonObject& state) {
            QJsonArray maps = state.value(u"maps").toArray();
            maps.append(QJsonObject{{QStringLiteral("name"), QStringLiteral("run 6")},
                                    {QStringLiteral("layer"), 11},
                                    {QStringLiteral("stage"), QStringLiteral("1")},
                                    {QStringLiteral("hash"), QString()}});
            state[QStringLiteral("maps")] = maps;
        });
        reopen(m_work);
        QVERIFY(work().lost().contains(QStringLiteral("maps")));
    }

    void aSecondSaveKeepsACopyAndUnknownParts()
    {
        openAndSettle(m_cache);
        waitForJobs();
        saveTo(m_work);
        auto document = desktop::readWork(m_work.toStdString());
        HEADSCOPE_VERIFY_OK(document);
        document->state[QStringLiteral("of tomorrow")] = 7;
        document->others[QStringLiteral("also")] = QStringLiteral("x");
        HEADSCOPE_VERIFY_OK(desktop::writeWork(m_work.toStdString(), *document));
        reopen(m_work);
        hub().setDocuments({1});
        QVERIFY(QFileInfo::exists(m_work + u'~'));
        saveTo(m_work);
        const auto again = desktop::readWork(m_work.toStdString());
        HEADSCOPE_VERIFY_OK(again);
        QCOMPARE(again->state.value(QStringLiteral("of tomorrow")).toInt(), 7);
        QCOMPARE(again->others.value(QStringLiteral("also")).toString(), QStringLiteral("x"));
        QCOMPARE(again->state.value(QStringLiteral("selection")).toObject().value(u"documents").toString(),
                 QStringLiteral("1"));
    }

    void closingAsksAboutChanges()
    {
        openAndSettle(m_cache);
        waitForJobs();
        saveTo(m_work);
        QVERIFY(!work().unsaved());
        hub().setDocuments({4, 5});
        QVERIFY(work().unsaved());
        m_dialogs.nextAnswer = 0;
        m_window->close();
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_dialogs.asked.back(), QStringLiteral("Save project?"));
        m_dialogs.nextAnswer = 1;
        closeWindow();
        const auto document = desktop::readWork(m_work.toStdString());
        HEADSCOPE_VERIFY_OK(document);
        QCOMPARE(document->state.value(QStringLiteral("selection")).toObject().value(u"documents").toString(),
                 QStringLiteral("4-5"));
        begin();
    }

    void aMissingCacheIsPointedElsewhere()
    {
        openAndSettle(m_cache);
        waitForJobs();
        hub().setDocuments({7});
        saveTo(m_work);
        closeWindow();
        const QString moved = m_place->filePath(QStringLiteral("moved.h5"));
        QVERIFY(QFile::rename(m_cache, moved));
        begin();
        QSignalSpy failed(&work(), &WorkSession::failed);
        m_dialogs.nextAnswer = 0;
        m_workbench->open(m_work);
        WAIT_COMPARE(failed.count(), 1);
        QVERIFY2(m_dialogs.lastText.contains(m_cache), qPrintable(m_dialogs.lastText));
        m_dialogs.nextAnswer = 1;
        m_dialogs.nextPath = moved;
        reopen(m_work);
        QCOMPARE(hub().selection().documents, std::vector<std::int64_t>{7});
    }

    void aChangedCacheIsAskedAbout()
    {
        openAndSettle(m_cache);
        waitForJobs();
        hub().setDocuments({7});
        m_workbench->study().choices().setHeads({1, 2});
        saveTo(m_work);
        closeWindow();
        QVERIFY(QFile::remove(m_cache));
        QVERIFY(QFile::rename(m_other, m_cache)); // thirty other documents
        begin();
        m_dialogs.nextAnswer = 0;
        openAndSettle(m_work);
        QCOMPARE(m_dialogs.asked.back(), QStringLiteral("The cache has changed"));
        QVERIFY(m_workbench->study().choices().allHeads());
        QVERIFY(work().file().isEmpty());
        m_dialogs.nextAnswer = 1;
        reopen(m_work);
        QCOMPARE(m_workbench->study().heads(), (std::vector<std::int64_t>{1, 2}));
        QVERIFY(hub().selection().documents.empty()); // its rows are other documents
        QVERIFY2(
            m_notices.join(u'|').contains(QStringLiteral("is open, but parts of it could not be restored: documents")),
            qPrintable(m_notices.join(u'|')));
    }

    void joinedLabelsComeBack()
    {
        openAndLoad(m_cache);
        const QString table = m_place->filePath(QStringLiteral("grades.csv"));
        const auto writeTable = [&](const char* odd) {
            QFile file(table);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("id,grade\n");
            const auto documents = m_workbench->study().cache()->overview->documents;
            for (std::size_t i = 0; i < documents->ids.size(); ++i)
                file.write(QByteArray::fromStdString(documents->ids[i]) + (i % 2 != 0 ? odd : ",even\n"));
        };
        writeTable(",odd\n");
        desktop::JoinController& join = m_workbench->join();
        QSignalSpy joined(&join, &desktop::JoinController::joined);
        join.ask(table);
        WAIT_FOR(join.dialog() != nullptr && join.dialog()->isVisible());
        Q_EMIT join.dialog()->applyRequested({"grade"});
        WAIT_COMPARE(joined.count(), 1);
        join.dialog()->reject();
        waitForJobs();
        saveTo(m_work);
        closeWindow();
        begin();
        reopen(m_work);
        WAIT_COMPARE(m_workbench->study().labelColumn(), std::string("grade"));
        // A file that is another one now is said to be, and joined on request alone.
        writeTable(",strange\n");
        m_dialogs.asked.clear();
        m_dialogs.nextAnswer = 0;
        reopen(m_work);
        WAIT_COMPARE(m_dialogs.asked.size(), std::size_t{1});
        QVERIFY2(m_dialogs.lastText.contains(QStringLiteral("has changed")), qPrintable(m_dialogs.lastText));
        QVERIFY(m_workbench->study().cache()->overview->documents->label("grade") == nullptr);
    }

    /// Merged labels, the rows of the filter, what tables are sorted by, limits of colours and the zoom of a grid.
    void mergedFilteredSortedComesBack()
    {
        openAndSettle(m_cache);
        waitForJobs();
        const QString map = m_place->filePath(QStringLiteral("map.json"));
        const std::string column = m_workbench->study().labelColumn();
        const auto categories = m_workbench->study().cache()->overview->documents->label(column)->categories;
        QVERIFY(categories.size() >= 3);
        {
            QFile file(map);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QJsonDocument(QJsonObject{{QString::fromStdString(categories[0]), QStringLiteral("both")},
                                                 {QString::fromStdString(categories[1]), QStringLiteral("both")},
                                                 {QString::fromStdString(categories[2]), QString()}})
                           .toJson());
        }
        QSignalSpy merged(m_workbench.get(), &desktop::Workbench::labelsMerged);
        m_dialogs.nextPath = map;
        action("actionLabelMap")->trigger();
        WAIT_COMPARE(merged.count(), 1);
        waitForJobs();
        const std::string name = m_workbench->study().labelColumn();
        QCOMPARE(name, column + ", merged");
        const auto labels = m_workbench->study().cache()->overview->documents->label(name)->categories;
        const std::vector<FilterCondition> conditions = {
            LabelCondition{name, {"both"}, true}, NumberCondition{NumberSource::HeadStrength, {}, 1, 0.25},
            StrongestCondition{{0, 2}}, GroupCondition{ui::choiceGroupName().toStdString(), false}};
        m_workbench->find().panel().filter()->setConditions(conditions);
        m_window->setView(ui::kHeadsView);
        waitForJobs();
        auto* table = m_window->findChild<QTreeView*>(QStringLiteral("headTable"));
        table->sortByColumn(2, Qt::DescendingOrder);
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        auto& heatmap = test::viewOf<ui::HeatmapView>(*m_window);
        WAIT_FOR(!heatmap.heatmap()->panels().empty());
        viz::ScaleChoice scale = heatmap.bar()->scale()->choice();
        const double extent = scale.limits.high - scale.limits.low;
        scale.limits.low += extent / 8; // as a hand could move it
        scale.centre = scale.limits.low + extent / 4;
        heatmap.bar()->scale()->choose(scale);
        const QImage before = picture(ui::kHeatmapView);
        saveTo(m_work);
        QVERIFY(QFile::remove(map)); // what was merged stands in the work
        closeWindow();
        begin();
        reopen(m_work);
        WAIT_COMPARE(m_workbench->study().labelColumn(), name);
        QCOMPARE(m_workbench->study().cache()->overview->documents->label(name)->categories, labels);
        QCOMPARE(m_workbench->study().cache()->merged.at(name).labelMap, map.toStdString());
        const auto rows = m_workbench->find().panel().filter()->rows();
        QCOMPARE(rows.size(), std::ssize(conditions));
        for (qsizetype row = 0; row < rows.size(); ++row)
        {
            const auto condition = rows[row]->condition();
            HEADSCOPE_VERIFY_OK(condition);
            QVERIFY2(*condition == conditions[static_cast<std::size_t>(row)], qPrintable(QString::number(row)));
        }
        table = m_window->findChild<QTreeView*>(QStringLiteral("headTable"));
        QCOMPARE(table->header()->sortIndicatorSection(), 2);
        QCOMPARE(table->header()->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(test::viewOf<ui::HeatmapView>(*m_window).bar()->scale()->choice().limits.low, scale.limits.low);
        compare(picture(ui::kHeatmapView), before, "heatmap");
    }

    /// What was computed and asked for is there again without being computed again; of other data it is not shown.
    void resultsComeBack()
    {
        openAndSettle(m_cache);
        waitForJobs();
        const auto measured = showResults();
        QVERIFY(measured.first != nullptr);
        saveTo(m_work);
        const QByteArray saved = test::bytesOf(m_work);
        closeWindow();
        begin();
        reopen(m_work);
        WAIT_FOR(asked() == DocumentIndex(7));
        QSignalSpy jobs(&m_window->jobStrip().jobs(), &QAbstractItemModel::rowsInserted);
        m_window->setView(ui::kLayersView);
        const auto& layers = m_window->findChild<ui::LayersView*>()->chart()->picture().measures();
        QCOMPARE(layers.size(), measured.second.size());
        for (std::size_t i = 0; i < layers.size(); ++i)
        {
            QCOMPARE(layers[i]->layer, measured.second[i]->layer);
            QVERIFY(layers[i]->stage == measured.second[i]->stage);
            QCOMPARE(layers[i]->accuracy, measured.second[i]->accuracy);
            QCOMPARE(layers[i]->purityNull.p, measured.second[i]->purityNull.p);
            QCOMPARE(layers[i]->redundancyCi95.high, measured.second[i]->redundancyCi95.high);
            QCOMPARE(layers[i]->missing, measured.second[i]->missing);
        }
        test::passMs(1000); // what begins by itself would
        QCOMPARE(jobs.count(), 0);
        const auto importance = m_workbench->ablation().page().importance()->comparison();
        QVERIFY(importance != nullptr);
        const UnitEffect& player = importance->inModel.measures.at(0).values.players.at(1);
        QCOMPARE(player.leftOut.value, 0.125);
        QVERIFY(std::isnan(player.shapley) && player.role == PlayerRole::Interfering);
        QCOMPARE(importance->cutOf(ImportanceMeasure::Match)->lost.at(2).ci95.low, -0.5);
        QCOMPARE(importance->rows, (std::vector<std::int64_t>{0, 1, 2, 7}));
        // Of another cache or of other labels they are not these results.
        for (const char* field : {"origin", "labels"})
        {
            changeWork(saved, [field](QJsonObject& state) {
                for (const char* part : {"importance", "layers"})
                {
                    QJsonObject object = state.value(QLatin1StringView(part)).toObject();
                    QVERIFY(object.contains(QLatin1StringView(field)));
                    object[QLatin1StringView(field)] = QStringLiteral("0123456789abcdef0123456789abcdef");
                    state[QLatin1StringView(part)] = object;
                }
            });
            m_dialogs.nextAnswer = 2; // do not save
            closeWindow();
            begin();
            reopen(m_work);
            QVERIFY(m_workbench->ablation().page().importance()->comparison() == nullptr);
            QSignalSpy again(&m_window->jobStrip().jobs(), &QAbstractItemModel::rowsInserted);
            m_window->setView(ui::kLayersView);
            WAIT_FOR(again.count() > 0); // measured again
            waitForJobs();
        }
    }

    void namedSetsOfLaterAreNotLost()
    {
        openAndSettle(m_cache);
        waitForJobs();
        keepSet(QStringLiteral("A"), {1});
        saveTo(m_work);
        keepSet(QStringLiteral("A"), {1, 2});
        keepSet(QStringLiteral("B"), {3});
        m_dialogs.nextAnswer = 2; // do not save
        closeWindow();
        begin();
        reopen(m_work);
        QCOMPARE(hub().sets().count(), 3);
        QCOMPARE(hub().sets().at(0).documents, std::vector<std::int64_t>{1});
        QVERIFY(hub().sets().find(QStringLiteral("A (2)")) && hub().sets().find(QStringLiteral("B")));
        hub().undo();
        while (hub().canUndo())
            hub().undo();
        QCOMPARE(hub().sets().count(), 2); // as they were kept beside the cache
    }

    void hostileStatesChangeNothing()
    {
        openAndSettle(m_cache);
        waitForJobs();
        saveTo(m_work);
        auto document = desktop::readWork(m_work.toStdString());
        HEADSCOPE_VERIFY_OK(document);
        const auto object = [](const char* text) { return QJsonDocument::fromJson(text).object(); };
        document->state = object(R"({
            "choice": {"layer": 1e300, "stage": 9, "heads": "0-999999999999", "label": [], "color": {}},
            "selection": {"documents": "5-1", "points": {"-1": "1", "99": "2", "x": "3", "0": "0-9999"},
                          "primary": -4, "primaryHead": 1.5, "lit": "0,0", "shown": {"documents": "99999"}},
            "sets": {"sets": [3, {"name": 4, "ids": {}}]}, "maps": [1, {"hash": "no", "layer": -1}],
            "window": {"width": 1e9, "height": -3, "tab": "none", "page": "none",
                       "switches": {"actionQuit": true, "actionOpen": true}, "find": 7},
            "views": {"map": {"zooms": {"scatter0": {"x": 1e300, "y": 0, "scale": 0, "width": 1, "height": 1}},
                              "controls": {"heatmapSort": "no such"}},
                      "heatmap": {"zooms": {"heatmap0": {"zoom": -1}}, "controls": {"heatmapPerTopic": 1e99}}},
            "heads_off": "1-2-3", "probe": {"page": 99, "layer": 4e9}, "joined": [{"file": 3}], "heatmap_topics": [9]
        })");
        HEADSCOPE_VERIFY_OK(desktop::writeWork(m_work.toStdString(), *document));
        reopen(m_work);
        QVERIFY(m_workbench->study().choices().allHeads());
        QVERIFY(hub().selection().documents.empty() && !hub().selection().primary);
        QVERIFY(m_window->isVisible() && m_window->width() < 16'384);
        QVERIFY2(sentence().contains(QStringLiteral("of this project")), qPrintable(sentence()));
        for (const char* lost : {"but parts of it could not be restored", "layer", "maps", "selection"})
            QVERIFY2(m_notices.join(u'|').contains(QLatin1StringView(lost)), qPrintable(m_notices.join(u'|')));
    }

    void keptWorkOpensItsCache()
    {
        openAndSettle(m_cache);
        waitForJobs();
        keepSet(QStringLiteral("A"), {1});
        closeWindow();
        QVERIFY(QFileInfo::exists(side()));
        begin();
        openAndSettle(side()); // CACHE.h5.headscope is no work file
        QCOMPARE(hub().sets().count(), 1);
        work().saveTo(side());
        WAIT_FOR(sentence().contains(QStringLiteral("the autosaved analyses of a cache")));
        waitForJobs();
    }

    void whatAKilledWindowLeftIsOffered()
    {
        const QString folder = m_place->filePath(QStringLiteral("recovery"));
        QVERIFY(QDir().mkpath(folder));
        openAndSettle(m_cache);
        waitForJobs();
        work().keepRecovery(folder);
        QVERIFY(!work().offersRecovery());
        QSignalSpy kept(&work(), &WorkSession::recoveryKept);
        hub().setDocuments({4, 6});
        WAIT_FOR(kept.count() > 0);
        const QString copy = kept.back().front().toString();
        QVERIFY(QFile::copy(copy, m_place->filePath(QStringLiteral("left.headscope"))));
        closeWindow();
        QVERIFY(QDir(folder).isEmpty()); // it ended as it should
        // As kill -9 leaves it: the copy, and nobody who holds its lock.
        QVERIFY(QFile::copy(m_place->filePath(QStringLiteral("left.headscope")), copy));
        begin();
        work().keepRecovery(folder);
        QVERIFY(work().offersRecovery());
        QVERIFY(m_window->welcomeShown());
        QSignalSpy restored(&work(), &WorkSession::restored);
        click("welcomeRestore");
        WAIT_COMPARE(restored.count(), 1);
        QCOMPARE(hub().selection().documents, (std::vector<std::int64_t>{4, 6}));
        closeWindow();
        QVERIFY(QDir(folder).isEmpty());
        begin();
    }

    void discardedWorkIsGone()
    {
        const QString folder = m_place->filePath(QStringLiteral("recovery"));
        QVERIFY(QDir().mkpath(folder));
        desktop::WorkDocument document;
        document.cachePath = m_cache;
        HEADSCOPE_VERIFY_OK(
            desktop::writeWork(QDir(folder).filePath(QStringLiteral("1.headscope")).toStdString(), document));
        work().keepRecovery(folder);
        QVERIFY(work().offersRecovery());
        click("welcomeDiscard");
        QVERIFY(!work().offersRecovery());
        QVERIFY(QDir(folder).isEmpty());
        QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("welcomeRecovery"))->isVisible());
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopWork)
#include "tst_desktop_work.moc"
