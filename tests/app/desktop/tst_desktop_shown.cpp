// SPDX-License-Identifier: GPL-3.0-or-later
// Showing a part of the documents in every view.
#include "app/desktop/find/find_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/nearest_model.h"
#include "ui/models/roles.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/document/nearest_lists.h"
#include "ui/panels/find/find_panel.h"
#include "ui/window/shown_bar.h"

#include <QLineEdit>
#include <QTableView>

#include <algorithm>
#include <cmath>

using namespace headscope;
using headscope::ui::ViewId;
using Documents = std::vector<std::int64_t>;

class TestDesktopShown : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::ScatterWidget* scatter() { return test::viewOf<ui::MapView>(*m_window).scatter(); }
    ui::ShownBar* bar() { return m_window->findChild<ui::ShownBar*>(QStringLiteral("shownBar")); }

    /// The first ten of 48 documents, by the menu.
    void showTheFirstTen()
    {
        hub().setDocuments({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        action("actionShowChosen")->trigger();
        hub().setDocuments({});
    }

    /// What the bar says, whatever its spaces are.
    QString said() { return bar()->sentence().simplified().replace(QChar::Nbsp, u' '); }

    static bool allBelow(const Documents& documents, std::int64_t end)
    {
        return std::ranges::all_of(documents, [end](std::int64_t document) { return document < end; });
    }

    Documents nearestShown()
    {
        Documents documents;
        const QAbstractItemModel* model = m_window->inspector().nearest()->fullTable()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            documents.push_back(model->index(row, 0).data(ui::DocumentRole).toLongLong());
        return documents;
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::SampleCacheOptions options;
        options.map = true;
        writeSample(options);
    }
    void init()
    {
        makeWindow({});
        openAndLoad(m_cache);
        waitForJobs();
    }
    void cleanup() { dropWindow(); }

    void aBarSaysSoUntilItIsEnded()
    {
        QVERIFY(!bar()->isVisible());
        QVERIFY(!action("actionShowChosen")->isEnabled());
        QVERIFY(!action("actionShowAll")->isEnabled());
        showTheFirstTen();
        QVERIFY(bar()->isVisible());
        QCOMPARE(said(), QStringLiteral("Showing only an earlier selection: 10 of 48 documents"));
        QCOMPARE(scatter()->points().shownCount(), std::int64_t{10 * 9});
        QVERIFY(test::viewOf<ui::MapView>(*m_window).shownText().contains(QStringLiteral("90 shown")));
        // The others of what is seen, not of what is not.
        hub().setDocuments({0});
        action("actionChooseOthers")->trigger();
        QCOMPARE(hub().selection().documents, (Documents{1, 2, 3, 4, 5, 6, 7, 8, 9}));
        click("shownEnd");
        QVERIFY(!bar()->isVisible());
        QCOMPARE(scatter()->points().shownCount(), std::int64_t{48 * 9});
        action("actionUndo")->trigger();
        QVERIFY(bar()->isVisible());
        QCOMPARE(scatter()->points().shownCount(), std::int64_t{10 * 9});
        action("actionShowAll")->trigger();
        QVERIFY(!bar()->isVisible());
    }

    void theMapFitsWhatIsLeft()
    {
        const auto before = scatter()->view();
        // Two documents that lie close: the view must come nearer.
        hub().setDocuments({3});
        action("actionShowChosen")->trigger();
        WAIT_FOR(scatter()->view().scale() > before.scale());
        waitForCalm();
        const double alone = scatter()->view().scale();
        // A view that the user has moved stays; the bar offers the rest.
        action("actionShowAll")->trigger();
        WAIT_COMPARE(scatter()->view().scale(), before.scale());
        waitForCalm();
        QTest::keyClick(scatter(), Qt::Key_Right, Qt::ShiftModifier); // alone it goes to a point
        waitForCalm();                                                // the way there is animated
        const auto moved = scatter()->view();
        action("actionShowChosen")->trigger();
        waitForCalm();
        // The bar took a little of its height, no more.
        QVERIFY(std::abs(scatter()->view().scale() / moved.scale() - 1) < 0.06);
        click("shownFit");
        WAIT_COMPARE(scatter()->view().scale(), alone);
    }

    void everyViewFollows()
    {
        showTheFirstTen();
        // The inspector, of a document that is not shown itself.
        hub().setPrimary(DocumentIndex(20));
        WAIT_FOR(!nearestShown().empty());
        QVERIFY(allBelow(nearestShown(), 10));

        m_window->setView(ui::kHeatmapView);
        const auto columns = [this] {
            const auto& panels = test::viewOf<ui::HeatmapView>(*m_window).panels();
            if (panels.empty())
                return Documents();
            const auto& documents = panels.front()->heatmap->document;
            return Documents(documents.begin(), documents.end());
        };
        WAIT_COMPARE(columns().size(), 10u);
        QVERIFY(allBelow(columns(), 10));

        m_window->setView(ui::kHeadsView);
        auto* heads = m_window->findChild<ui::HeadsView*>();
        WAIT_FOR(heads->report() != nullptr && heads->report()->documents == 10);
        hub().setDocuments({8, 9, 10, 11}); // of the chosen those that are shown
        WAIT_COMPARE(heads->report()->documents, std::int64_t{2});
        hub().setDocuments({});

        m_window->setView(ui::kRetrievalView);
        auto* retrieval = m_window->findChild<ui::RetrievalView*>();
        const auto found = [retrieval] {
            Documents documents;
            if (const auto comparison = retrieval->comparison())
                for (const auto* ranked : {&comparison->first, &comparison->second})
                    for (const auto& result : ranked->results)
                        documents.push_back(result.document.value());
            return documents;
        };
        WAIT_FOR(!found().empty());
        QVERIFY(allBelow(found(), 10));
        hub().setPrimary(DocumentIndex(5)); // a candidate that asks does not find itself
        waitForJobs();
        QVERIFY(allBelow(found(), 10));

        // And back.
        hub().showAll();
        WAIT_FOR(!allBelow(found(), 10));
        WAIT_FOR(!allBelow(nearestShown(), 10));
        m_window->setView(ui::kHeadsView);
        WAIT_COMPARE(heads->report()->documents, std::int64_t{48});
        m_window->setView(ui::kHeatmapView);
        WAIT_COMPARE(columns().size(), 48u);
    }

    void aSetIsShownAloneAndRinged()
    {
        hub().setDocuments({1, 2, 3});
        m_window->showSidePanel(QStringLiteral("find"));
        action("actionKeepSet")->trigger();
        QTest::keyClick(m_workbench->find().panel().sets()->nameField(), Qt::Key_Return);
        hub().setDocuments({});
        WAIT_FOR(!scatter()->moving());
        const QImage plain = scatter()->grab().toImage();
        click("setShow");
        QVERIFY(hub().sets().at(0).onMap);
        const QImage ringed = scatter()->grab().toImage();
        const QRgb color = hub().sets().at(0).color.rgb();
        const auto pixelsOf = [color](const QImage& image) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixel(x, y) == color ? 1 : 0;
            return count;
        };
        QVERIFY2(pixelsOf(ringed) > pixelsOf(plain) + 27, "the dots of three documents have no rings");
        QVERIFY(scatter()->badgeText().isEmpty());
        click("setShowOnly");
        QCOMPARE(said(), QStringLiteral("Showing only “Set 1”: 3 of 48 documents"));
        QCOMPARE(scatter()->points().shownCount(), std::int64_t{3 * 9});
        action("actionUndo")->trigger(); // all are shown
        click("setShow");
        QVERIFY(!hub().sets().at(0).onMap);
        WAIT_COMPARE(pixelsOf(scatter()->grab().toImage()), pixelsOf(plain));
    }

    void anotherCacheShowsAll()
    {
        showTheFirstTen();
        openAndLoad(m_cache);
        QVERIFY(!bar()->isVisible());
        QCOMPARE(scatter()->points().shownCount(), std::int64_t{48 * 9});
    }
};

HEADSCOPE_TEST(TestDesktopShown)
#include "tst_desktop_shown.moc"
