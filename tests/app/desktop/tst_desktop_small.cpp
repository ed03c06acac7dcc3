// SPDX-License-Identifier: GPL-3.0-or-later
// The window on small screens: everything has its room or scrolls to it.
#include "app/views/heatmap/heatmap_view.h"
#include "tests/app/desktop/control_walk.h"
#include "tests/app/desktop/demo_window.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice_bar.h"
#include "ui/window/side_panels.h"
#include "ui/window/view_stack.h"
#include "ui/window/window_layout.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

using namespace headscope;
using headscope::ui::ViewId;

class TestDesktopSmall : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    static constexpr int kRoomForAllTabs = 1280;

    /// Controls whose words are cut off, and those that lie beyond the edge of their view where nobody looks.
    QStringList cutControls()
    {
        QStringList cut;
        for (QWidget* widget : test::controlsOf(*m_window))
        {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            // A square one has a sign, and no room around it.
            const bool sign = button != nullptr && (button->property("square").toBool() || button->text().isEmpty());
            const bool worded = (button != nullptr && !sign) || qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
            const bool fixed = widget->minimumWidth() == widget->maximumWidth();
            if (worded && !fixed && widget->width() < widget->minimumSizeHint().width())
                cut << test::placeOf(widget) + QStringLiteral(" is cut");
            const QWidget* area = widget->parentWidget();
            while (area != nullptr && qobject_cast<const QAbstractScrollArea*>(area) == nullptr)
                area = area->parentWidget();
            const QWidget* room =
                area != nullptr ? qobject_cast<const QAbstractScrollArea*>(area)->viewport() : m_window.get();
            const QRect place(widget->mapTo(m_window.get(), QPoint(0, 0)), widget->size());
            const QRect seen(room->mapTo(m_window.get(), QPoint(0, 0)), room->size());
            if (place.left() < seen.left() || place.right() > seen.right())
                cut << test::placeOf(widget) + QStringLiteral(" is beyond the edge");
        }
        return cut;
    }

    /// Parts of one layout that lie over each other.
    QStringList overlaps()
    {
        QStringList problems;
        for (const QWidget* widget : m_window->findChildren<QWidget*>())
        {
            if (widget->layout() == nullptr || !widget->isVisible())
                continue;
            std::vector<QWidget*> parts;
            addParts(*widget->layout(), parts);
            for (std::size_t i = 0; i < parts.size(); ++i)
                for (std::size_t j = i + 1; j < parts.size(); ++j)
                    if (parts[i]->geometry().intersects(parts[j]->geometry()))
                        problems
                            << QStringLiteral("%1 lies over %2").arg(test::placeOf(parts[i]), test::placeOf(parts[j]));
        }
        return problems;
    }

    /// Those that are seen, also of layouts inside.
    static void addParts(QLayout& layout, std::vector<QWidget*>& parts)
    {
        if (qobject_cast<QStackedLayout*>(&layout) != nullptr)
            return; // one at a time
        for (int i = 0; i < layout.count(); ++i)
        {
            QLayoutItem* item = layout.itemAt(i);
            if (item->layout() != nullptr)
                addParts(*item->layout(), parts);
            else if (QWidget* part = item->widget(); part != nullptr && part->isVisible())
                parts.push_back(part);
        }
    }

    /// Of the tabs that have no room those that the button behind the others does not offer; one tab is always shown.
    QStringList notInTheMenu(QStringList without)
    {
        const QTabBar* tabs = m_window->views().tabs();
        auto* more = m_window->findChild<QToolButton*>(tabs->objectName() + QStringLiteral("More"));
        if (more->isVisible() == without.isEmpty() || !tabs->isTabVisible(tabs->currentIndex()))
            return {QStringLiteral("the button of other tabs")};
        if (without.isEmpty())
            return {};
        QStringList problems;
        if (more->width() < more->sizeHint().width() || more->x() < tabs->geometry().right() ||
            more->geometry().right() >= more->parentWidget()->width())
            problems << QStringLiteral("the button of other tabs has no room");
        more->click();
        auto* menu = m_window->findChild<QMenu*>(QStringLiteral("moreTabs"));
        QStringList offered;
        for (const QAction* action : menu->actions())
            offered << action->text();
        delete menu;
        if (offered != without)
            problems << QStringLiteral("it offers %1 in place of %2").arg(offered.join(u' '), without.join(u' '));
        return problems;
    }

    /// What is wrong with the window of this size, in every view and on every side page.
    QStringList problemsAt(QSize size)
    {
        QStringList problems;
        const auto note = [&](const QString& where, const QStringList& what) {
            for (const QString& each : what)
                problems << QStringLiteral("%1x%2 %3: %4").arg(size.width()).arg(size.height()).arg(where, each);
        };
        m_window->resize(size);
        test::settle();
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForCalm();
            if (m_window->size() != size)
                note(entry.title,
                     {QStringLiteral("the window is %1 by %2").arg(m_window->width()).arg(m_window->height())});
            note(entry.title, cutControls());
            note(entry.title, overlaps());
            const QTabBar* tabs = m_window->views().tabs();
            const QFontMetrics bold(ui::Theme::bodyFont(true));
            QStringList without;
            for (int i = 0; i < tabs->count(); ++i)
                if (!tabs->isTabVisible(i))
                    without << tabs->tabText(i);
                else if (tabs->tabRect(i).right() >= tabs->width() ||
                         tabs->tabRect(i).width() < bold.horizontalAdvance(tabs->tabText(i)))
                    note(entry.title, {QStringLiteral("tab %1 is cut").arg(tabs->tabText(i))});
            note(entry.title, notInTheMenu(without));
            if (size.width() >= kRoomForAllTabs && !without.isEmpty())
                note(entry.title, {QStringLiteral("no tab: ") + without.join(u' ')});
        }
        for (int tab = 0; tab < m_window->sidePanels().tabs()->count(); ++tab)
        {
            m_window->sidePanels().tabs()->setCurrentIndex(tab);
            waitForCalm();
            note(m_window->sidePanels().tabs()->tabText(tab), cutControls());
        }
        return problems;
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        test::SampleCacheOptions options;
        options.map = true;
        writeSample(options);
    }
    void init() {}
    void cleanup() { dropWindow(); }

    /// Lines that leave something out where there is no room leave out nothing at a usual size.
    void noLineIsCutAtAUsualSize()
    {
        test::DemoWindow demo;
        QCOMPARE(demo.window->size(), QSize(1440, 900));
        QVERIFY(demo.open());
        QStringList cut;
        const auto look = [&](const QString& where) {
            for (const auto* label : demo.window->findChildren<ui::ElidedLabel*>())
                if (label->isVisible() && label->text() != label->fullText())
                    cut << QStringLiteral("%1: %2 of \"%3\"").arg(where, label->text(), label->fullText());
        };
        for (const ui::ViewEntry& entry : demo.window->views().entries())
        {
            demo.window->setView(entry.id);
            QVERIFY(demo.settle());
            test::settle();
            look(entry.title);
        }
        QTabBar* pages = demo.window->sidePanels().tabs();
        for (int page = 0; page < pages->count(); ++page)
        {
            pages->setCurrentIndex(page);
            test::settle();
            look(pages->tabText(page));
        }
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    }

    void everythingHasItsRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1100x700") << QSize(1100, 700);
        QTest::newRow("1184x740") << QSize(1184, 740);
        QTest::newRow("1280x676") << QSize(1280, 676);
        QTest::newRow("1366x700") << QSize(1366, 700);
        QTest::newRow("1600x900") << QSize(1600, 900);
    }
    void everythingHasItsRoom()
    {
        QFETCH(QSize, size);
        makeWindow({.size = size});
        openAndLoad(m_cache);
        QCOMPARE(m_window->size(), size); // it wants no more than there is
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForCalm();
            QCOMPARE(m_window->size(), size);
            const QWidget& side = m_window->sidePanels();
            QVERIFY(side.mapTo(m_window.get(), QPoint(side.width(), 0)).x() <= size.width());
            const QTabBar* tabs = m_window->views().tabs();
            QVERIFY(tabs->mapTo(m_window.get(), QPoint(tabs->width(), 0)).x() <= size.width());
            // A view is as large as it needs, and scrolls where the window is not.
            const auto hasRoom = [widget = entry.widget] {
                const int told = widget->minimumWidth();
                return widget->width() >= (told > 0 ? told : widget->minimumSizeHint().width());
            };
            WAIT_FOR2(hasRoom(), qPrintable(entry.title)); // while it computes its wishes change
        }
        const QStringList problems = problemsAt(size);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
    }

    /// The heatmap's bar shortens nothing: what has no room goes on in a next row.
    void heatmapBarIsWhole_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1100x700") << QSize(1100, 700);
        QTest::newRow("1366x700") << QSize(1366, 700);
        QTest::newRow("1600x900") << QSize(1600, 900);
    }
    void heatmapBarIsWhole()
    {
        QFETCH(QSize, size);
        makeWindow({.size = size});
        openAndLoad(m_cache);
        m_window->setView(ui::kHeatmapView);
        WAIT_FOR(!test::viewOf<ui::HeatmapView>(*m_window).panels().empty());
        auto* shown = m_window->findChild<ui::ElidedLabel*>(QStringLiteral("heatmapShown"));
        QVERIFY(shown->fullText().contains(QStringLiteral("documents")));
        WAIT_COMPARE(shown->text(), shown->fullText());
        for (const char* name : {"heatmapSort", "heatmapRows"})
        {
            const auto* box = m_window->findChild<QComboBox*>(QLatin1StringView(name));
            QStyleOptionComboBox option;
            option.initFrom(box);
            const int room =
                box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
            for (int i = 0; i < box->count(); ++i)
                QVERIFY2(box->fontMetrics().horizontalAdvance(box->itemText(i)) <= room, qPrintable(box->itemText(i)));
        }
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            m_window->grab().save(folder + QStringLiteral("/heatmap-bar-%1.png").arg(size.width()));
    }

    /// Narrowed and widened again everything is whole.
    void narrowAndWideAgain()
    {
        makeWindow({.size = QSize(1500, 900)});
        openAndLoad(m_cache);
        waitForJobs();
        QStringList problems;
        for (const QSize size : {QSize(1500, 900), QSize(1100, 676), QSize(1500, 900)})
            problems << problemsAt(size);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
    }

    /// A failure above the views and the list of jobs below them take their room from the views: the window stays as
    /// large as it is, and may be as small as before.
    void failuresAndJobsDoNotEnlargeTheWindow()
    {
        const QSize size(1100, 700);
        makeWindow({.size = size});
        openAndLoad(m_cache);
        waitForJobs();
        const QString sentence(
            QStringLiteral("/a/rather/long/path/of/some/file.h5: expected something that takes a while to "
                           "tell, found something else that takes as long, in words that wrap"));
        for (int i = 0; i < 8; ++i)
            m_window->notices().add(QStringLiteral("File could not be read"),
                                    QStringLiteral("%1 (%2)").arg(sentence).arg(i),
                                    QStringLiteral("Reading number %1").arg(i));
        ui::JobPanel& panel = m_window->jobStrip().panel();
        const auto check = [&](const QString& what) {
            for (const ui::ViewEntry& entry : m_window->views().entries())
            {
                m_window->setView(entry.id);
                waitForCalm();
                const QString where = QStringLiteral("%1, %2: %3 by %4, at least %5")
                                          .arg(what, entry.title)
                                          .arg(m_window->width())
                                          .arg(m_window->height())
                                          .arg(m_window->minimumSizeHint().height());
                QVERIFY2(m_window->size() == size, qPrintable(where));
                QVERIFY2(m_window->minimumSizeHint().height() <= size.height(), qPrintable(where));
                QVERIFY2(panel.isHidden() || panel.geometry().bottom() < panel.parentWidget()->height(),
                         qPrintable(where));
            }
        };
        check(QStringLiteral("a failure"));
        m_window->jobStrip().setPanelShown(true);
        check(QStringLiteral("with the jobs"));
        panel.setPanelHeight(600);
        check(QStringLiteral("high jobs"));
        QVERIFY(panel.height() >= 140 && panel.height() < 600);
        panel.choose(m_window->jobStrip().jobs().job(m_window->jobStrip().jobs().index(0, 0)).id);
        check(QStringLiteral("one job in detail"));
        m_window->notices().setListShown(true);
        check(QStringLiteral("all failures"));
        // With room it is as high as it was asked to be.
        m_window->notices().clear();
        m_window->resize(1100, 1200);
        WAIT_COMPARE(panel.height(), 600);
    }

    /// The window can be as small as a usual small screen leaves it, whatever stands in it.
    void itWantsNoMoreThanASmallScreen()
    {
        makeWindow({.size = QSize(1400, 900)});
        const QSize screen = ui::firstWindowSize(QSize(1280, 720)); // also 2560 x 1440 at twofold scale
        const auto wants = [&] { return m_window->minimumSizeHint(); };
        QVERIFY2(wants().width() <= screen.width() && wants().height() <= screen.height(), "the welcome page");
        openAndLoad(m_cache);
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForCalm();
            QVERIFY2(
                wants().width() <= screen.width() && wants().height() <= screen.height(),
                qPrintable(QStringLiteral("%1: %2 x %3").arg(entry.title).arg(wants().width()).arg(wants().height())));
        }
    }
};

HEADSCOPE_TEST(TestDesktopSmall)
#include "tst_desktop_small.moc"
