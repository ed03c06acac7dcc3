// SPDX-License-Identifier: GPL-3.0-or-later
// Another cache is opened while work on the first one goes on: how that work is begun, and what is looked at then.
#pragma once

#include "app/desktop/find/find_controller.h"
#include "app/views/grid/grid_view.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/base/file.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/hover_card.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/hit_list_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/document/document_text.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/find/find_panel.h"
#include "ui/settings/settings.h"
#include "ui/state/origin_guard.h"

#include <QImage>
#include <QLineEdit>

#include <algorithm>

namespace headscope::test
{

/// Two caches of the same model and stages; every document of one speaks of ants, of the other of bees.
class SwitchFixture : protected DesktopFixture
{
protected:
    using View = ui::ViewId;
    using Study = desktop::Study;
    using Workbench = desktop::Workbench;

    static constexpr std::int64_t kMany = 150;
    static constexpr std::int64_t kFew = 70;
    static constexpr std::int64_t kHeads = 9;
    static constexpr int kForever = 1'000'000;

    struct Cache
    {
        QString path;
        std::int64_t documents = 0;
        QString word;
    };
    Cache m_ants;
    Cache m_bees;
    std::int64_t m_refused = 0;

    ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }
    Study& study() { return m_workbench->study(); }

    Cache write(const QString& name, const QString& word, std::int64_t documents)
    {
        test::SampleCacheOptions options;
        options.documents = documents;
        options.heads = kHeads;
        for (std::int64_t i = 0; i < documents; ++i)
        {
            options.texts.push_back(word.toStdString() + " document " + std::to_string(i));
            options.labels.push_back(word.toStdString() + " " + std::to_string(i % 4));
        }
        const QString path = m_folder.filePath(name);
        const Status written = test::writeSampleCache(path.toStdString(), options);
        if (!written)
            qFatal("%s", written.error().sentence().c_str());
        return {path, documents, word};
    }

    /// What is begun on the first cache; it is meant to be under way when the next one opens.
    void begin(const QByteArray& job)
    {
        ui::SelectionHub& selection = m_window->selection();
        if (job == "map")
            WAIT_FOR(scatter().map() != nullptr && scatter().map()->iteration > 0);
        else if (job == "grid")
        {
            m_window->setView(ui::kGridView);
            WAIT_FOR(m_window->findChild<ui::GridView*>()->set() != nullptr);
        }
        else if (job == "heatmap")
            m_window->setView(ui::kHeatmapView);
        else if (job == "probe")
            Q_EMIT test::viewOf<ui::ProbeView>(*m_window).trainRequested();
        else if (job == "layers")
            m_window->setView(ui::kLayersView);
        else if (job == "heads")
            m_window->setView(ui::kHeadsView);
        else if (job == "retrieval")
        {
            selection.setPrimary(DocumentIndex(5), HeadIndex(1));
            m_window->setView(ui::kRetrievalView);
        }
        else if (job == "trust")
        {
            m_workbench->mapRun().stop();
            WAIT_FOR(!m_workbench->mapRun().active());
            QVERIFY(m_window->choices().setColor({"kept", {}}));
        }
        else if (job == "nearest")
            selection.setPrimary(DocumentIndex(7), HeadIndex(2));
        else if (job == "save")
            m_window->views().find(ui::kMapView)->save(m_folder.filePath(QStringLiteral("during.csv")));
        else if (job == "find")
            m_workbench->find().panel().search()->field()->setText(QStringLiteral("document"));
        else
            QVERIFY2(job == "all", job.constData());
    }

    void expectMapOf(const Cache& cache)
    {
        const QString other = &cache == &m_ants ? m_bees.word : m_ants.word;
        m_window->setView(ui::kMapView);
        WAIT_FOR(scatter().map() != nullptr && !m_workbench->mapRun().active());
        const auto map = scatter().map();
        QCOMPARE(map->origin, study().origin());
        QCOMPARE(scatter().pointCount(), cache.documents * kHeads);
        QCOMPARE(*std::ranges::max_element(map->points->document), static_cast<std::int32_t>(cache.documents - 1));
        for (const ui::KeptMap& kept : study().maps().entries())
            QCOMPARE(kept.map->origin, study().origin());

        // Pointing at the last document's dot tells of it, a click reads it.
        const auto place = [this, map] {
            const std::int64_t last = map->points->count() - 1;
            return scatter()
                .view()
                .screenFromData({static_cast<double>(map->xy(last, 0)), static_cast<double>(map->xy(last, 1))})
                .toPoint();
        };
        const auto pointed = [this, &place] {
            QTest::mouseMove(&scatter(), place() + QPoint(1, 1));
            QTest::mouseMove(&scatter(), place());
            return scatter().hoveredPoint().has_value() && scatter().hoverCard()->isVisible();
        };
        WAIT_FOR(pointed());
        const ui::HoverContent card = scatter().hoverCard()->content();
        QVERIFY2(card.text.startsWith(cache.word), qPrintable(card.text));
        QTest::mouseClick(&scatter(), Qt::LeftButton, {}, place());
        WAIT_FOR(m_window->selection().selection().primary.has_value());
        QVERIFY(m_window->selection().selection().primary->value() < cache.documents);

        expectFilesOf(cache, other);
    }

    void expectFilesOf(const Cache& cache, const QString& other)
    {
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        const auto& entry = *m_window->views().find(ui::kMapView);
        const QString table = m_folder.filePath(QStringLiteral("points.csv"));
        entry.save(table);
        WAIT_COMPARE(saved.count(), 1);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray csv = file.readAll();
        QCOMPARE(csv.count('\n'), static_cast<qsizetype>(cache.documents * kHeads + 1));
        QVERIFY(csv.contains(QByteArray(cache.word.toUtf8() + " 3")));
        QVERIFY(!csv.contains(other.toUtf8()));
        for (const char* name : {"map.png", "map.pdf"})
        {
            entry.save(m_folder.filePath(QLatin1StringView(name)));
            WAIT_COMPARE(saved.count(), qstrcmp(name, "map.png") == 0 ? 2 : 3);
        }
        const QString said = QImage(m_folder.filePath(QStringLiteral("map.png"))).text(QStringLiteral("Description"));
        QVERIFY2(said.contains(QStringLiteral("(%1 documents").arg(cache.documents)), qPrintable(said));
        QVERIFY(QFileInfo(m_folder.filePath(QStringLiteral("map.pdf"))).size() > 1000);
    }

    /// The view of a job, looked at after the switch.
    void expectViewOf(const QByteArray& job, const Cache& cache)
    {
        const Origin& origin = study().origin();
        if (job == "grid")
        {
            auto* grid = m_window->findChild<ui::GridView*>();
            m_window->setView(ui::kGridView);
            WAIT_FOR(grid->set() != nullptr);
            QCOMPARE(grid->set()->origin, origin);
            for (const MapOfSet& each : grid->set()->maps)
                QCOMPARE(each.map.points->count(), cache.documents);
        }
        else if (job == "heatmap")
        {
            m_window->setView(ui::kHeatmapView);
            WAIT_FOR(!test::viewOf<ui::HeatmapView>(*m_window).panels().empty());
            for (const auto& panel : test::viewOf<ui::HeatmapView>(*m_window).panels())
            {
                QCOMPARE(panel->origin, origin);
                QCOMPARE(std::ssize(panel->heatmap->document), cache.documents);
            }
        }
        else if (job == "probe")
            QCOMPARE(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount(), 0); // ended, and said so
        else if (job == "layers")
        {
            auto* layers = m_window->findChild<ui::LayersView*>();
            m_window->setView(ui::kLayersView);
            WAIT_COMPARE(layers->chart()->picture().measures().size(), std::size_t{9});
            for (const auto& each : layers->chart()->picture().measures())
            {
                QCOMPARE(each->origin, origin);
                QCOMPARE(each->documents, cache.documents);
            }
        }
        else if (job == "heads")
        {
            auto* heads = m_window->findChild<ui::HeadsView*>();
            m_window->setView(ui::kHeadsView);
            WAIT_FOR(heads->report() != nullptr && heads->mask().has_value());
            QCOMPARE(heads->report()->origin, origin);
            QCOMPARE(heads->report()->documents, cache.documents);
            QCOMPARE(heads->mask()->origin, origin);
        }
        else if (job == "retrieval")
        {
            auto* retrieval = m_window->findChild<ui::RetrievalView*>();
            m_window->setView(ui::kRetrievalView);
            m_window->selection().setPrimary(DocumentIndex(cache.documents - 1), HeadIndex(0));
            WAIT_FOR(retrieval->comparison() != nullptr);
            QCOMPARE(retrieval->comparison()->origin, origin);
            for (const RetrievedDocument& each : retrieval->comparison()->first.results)
                QVERIFY(each.document.value() < cache.documents);
        }
        else if (job == "save") // of what was shown when it began
        {
            const Cache& before = cache.path == m_ants.path ? m_bees : m_ants;
            QFile file(m_folder.filePath(QStringLiteral("during.csv")));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray csv = file.readAll();
            QCOMPARE(csv.count('\n'), static_cast<qsizetype>(before.documents * kHeads + 1));
            QVERIFY(csv.contains(before.word.toUtf8()) && !csv.contains(cache.word.toUtf8()));
        }
        else if (job == "find")
        {
            WAIT_COMPARE(m_workbench->find().panel().search()->model()->rowCount(), static_cast<int>(cache.documents));
        }
    }

    /// How many jobs have begun and not ended.
    [[nodiscard]] int runningJobs()
    {
        ui::JobListModel& jobs = m_window->jobStrip().jobs();
        int running = 0;
        for (int row = 0; row < jobs.rowCount(); ++row)
            running += jobs.job(jobs.index(row, 0)).state == ui::JobState::Running ? 1 : 0;
        return running;
    }

    [[nodiscard]] bool wasEnded(const QString& title, const QString& next)
    {
        ui::JobListModel& jobs = m_window->jobStrip().jobs();
        for (int row = 0; row < jobs.rowCount(); ++row)
        {
            const ui::JobRecord& job = jobs.job(jobs.index(row, 0));
            if (job.title.startsWith(title) && job.state == ui::JobState::Cancelled &&
                job.log.join(u'\n').contains(QStringLiteral("%1 was opened").arg(QFileInfo(next).fileName())))
                return true;
        }
        return false;
    }

    void openFirst(const Cache& cache)
    {
        openAndLoad(cache.path);
        m_refused = ui::OriginGuard::instance().refused();
    }

    /// Opens the next cache at once, whatever goes on, and waits until nothing does.
    void switchTo(const Cache& cache)
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(cache.path);
        arriveAt(cache, opened);
    }

    void arriveAt(const Cache& cache, const QSignalSpy& opened)
    {
        WAIT_COMPARE(opened.count(), 1);
        QCOMPARE(QString::fromStdString(study().cache()->overview->path), cache.path);
        QCOMPARE(study().cache()->overview->documents->count(), cache.documents);
        // Not a moment of the old one.
        QVERIFY(scatter().map() == nullptr || scatter().map()->origin == study().origin());
        waitForJobs();
    }

    void writeCaches()
    {
        m_ants = write(QStringLiteral("many.h5"), QStringLiteral("Ants"), kMany);
        m_bees = write(QStringLiteral("few.h5"), QStringLiteral("Bees"), kFew);
    }

    /// A window whose map runs until it is stopped.
    void beginTest()
    {
        Setup setup;
        setup.iterations = kForever;
        setup.perplexity = 10;
        makeWindow(setup);
    }
};

} // namespace headscope::test
