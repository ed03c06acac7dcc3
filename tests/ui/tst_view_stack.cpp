// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/ui/window_test.h"
#include "ui/main_window.h"
#include "ui/settings/settings.h"
#include "ui/side_panels.h"
#include "ui/view_stack.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <memory>

using namespace headscope;
using namespace headscope::ui;

class TestViewStack : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Settings> m_settings;
    test::PreparedDialogs m_dialogs;
    std::unique_ptr<MainWindow> m_window;

    QAction* action(const char* name) { return m_window->findChild<QAction*>(QLatin1StringView(name)); }

    static ViewEntry entryOf(View id, const char* title)
    {
        ViewEntry entry;
        entry.id = id;
        entry.title = QLatin1StringView(title);
        entry.widget = new QLabel(entry.title);
        entry.help = entry.title + QStringLiteral(" explained");
        return entry;
    }

private Q_SLOTS:
    void initTestCase() { test::prepareApplication(*qApp); }

    void init()
    {
        m_settings = Settings::temporary();
        m_dialogs = {};
        m_window = std::make_unique<MainWindow>(*m_settings, m_dialogs);
    }

    void viewsStandInTheirOrderWhereverTheyComeFrom()
    {
        ViewStack stack;
        stack.addView(entryOf(View::Heads, "Heads"));
        stack.addView(entryOf(View::Map, "Map"));
        stack.addView(entryOf(View::Probe, "Probe"));
        QCOMPARE(stack.tabs()->count(), 3);
        QCOMPARE(stack.tabs()->tabText(0), QStringLiteral("Map"));
        QCOMPARE(stack.tabs()->tabText(1), QStringLiteral("Probe"));
        QCOMPARE(stack.tabs()->tabText(2), QStringLiteral("Heads"));
        QSignalSpy changed(&stack, &ViewStack::currentChanged);
        stack.setCurrent(View::Probe);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(stack.current(), View::Probe);
        QVERIFY(stack.entry(View::Probe).widget->isVisibleTo(&stack));
        QVERIFY(!stack.entry(View::Map).widget->isVisibleTo(&stack));
        QCOMPARE(stack.helpText(), QStringLiteral("Probe explained"));
        stack.setCurrent(View::Layers); // not there
        QCOMPARE(stack.current(), View::Probe);
    }

    void tabsOfTheWindowCanBeSeen()
    {
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(m_window->views().tabs()->height() > 24);
        QVERIFY(!m_window->sidePanels().tabs()->isVisible()); // one page needs no tab
        m_window->addSidePanel(QStringLiteral("second"), QStringLiteral("Second"), new QLabel);
        QTRY_VERIFY(m_window->sidePanels().tabs()->height() > 24);
        m_window->showSidePanel(QStringLiteral("second"));
        QCOMPARE(m_window->sidePanels().currentPage(), QStringLiteral("second"));
    }

    /// Words of tabs that are cut, and tabs that are in neither the row nor the menu.
    static QStringList cutTabs(ViewStack& stack)
    {
        QStringList cut;
        const QTabBar* tabs = stack.tabs();
        const auto* more = stack.findChild<QToolButton*>(QStringLiteral("viewTabsMore"));
        const QFontMetrics bold(Theme::bodyFont(true));
        for (int i = 0; i < tabs->count(); ++i)
        {
            if (!tabs->isTabVisible(i))
            {
                if (!more->isVisible())
                    cut << tabs->tabText(i) + QStringLiteral(" is gone");
                continue;
            }
            const QRect rect = tabs->tabRect(i);
            if (rect.width() < bold.horizontalAdvance(tabs->tabText(i)) + 2 || rect.right() >= tabs->width() ||
                tabs->mapTo(&stack, rect.topRight()).x() >= stack.width())
                cut << tabs->tabText(i) + QStringLiteral(" is cut");
        }
        return cut;
    }

    void tabsAreNeverCut()
    {
        ViewStack stack;
        const char* const titles[] = {"Map", "Grid", "Compare", "Heatmap", "Probe", "Heads", "Retrieval", "Layers"};
        for (int i = 0; i < 8; ++i)
            stack.addView(entryOf(static_cast<View>(i), titles[i]));
        stack.resize(1000, 400);
        stack.show();
        QVERIFY(QTest::qWaitForWindowExposed(&stack));
        const QImage wide = stack.tabs()->grab().toImage();
        auto* more = stack.findChild<QToolButton*>(QStringLiteral("viewTabsMore"));
        QVERIFY(!more->isVisible());
        for (int width = 1000; width >= 480; width -= 20)
        {
            stack.resize(width, 400);
            QVERIFY2(cutTabs(stack).isEmpty(),
                     qPrintable(QStringLiteral("%1: ").arg(width) + cutTabs(stack).join(u' ')));
        }
        stack.setMinimumWidth(0);
        stack.findChild<QStackedWidget*>()->setMinimumWidth(0);
        stack.resize(300, 400);
        QVERIFY2(cutTabs(stack).isEmpty(), qPrintable(cutTabs(stack).join(u' ')));
        QVERIFY(more->isVisible());
        // Those in the menu are chosen there, and are seen then.
        QTest::mouseClick(more, Qt::LeftButton);
        auto* menu = stack.findChild<QMenu*>(QStringLiteral("moreTabs"));
        QVERIFY(menu != nullptr && !menu->actions().isEmpty());
        QCOMPARE(menu->actions().back()->text(), QStringLiteral("Layers"));
        menu->actions().back()->trigger();
        menu->close();
        QCOMPARE(stack.current(), View::Layers);
        QVERIFY(stack.tabs()->isTabVisible(stack.tabs()->currentIndex()));
        QVERIFY2(cutTabs(stack).isEmpty(), qPrintable(cutTabs(stack).join(u' ')));
        stack.setCurrent(View::Retrieval); // by its key
        QCOMPARE(stack.current(), View::Retrieval);
        QVERIFY2(cutTabs(stack).isEmpty(), qPrintable(cutTabs(stack).join(u' ')));
        stack.setCurrent(View::Map);
        // Wide again, all is as it was.
        stack.resize(1000, 400);
        QTest::qWait(20);
        QVERIFY(!more->isVisible());
        QVERIFY(cutTabs(stack).isEmpty());
        QCOMPARE(stack.tabs()->grab().toImage(), wide);
    }

    void addedViewGetsItsActionAmongTheViews()
    {
        m_window->addView(entryOf(View::Layers, "Layers"));
        m_window->addView(entryOf(View::Grid, "Grid"));
        QStringList titles;
        for (const QAction* entry : m_window->menu(MenuId::View)->actions())
            if (entry->data().toInt() > 0)
                titles << entry->text();
        const QStringList wanted = {QStringLiteral("Map"), QStringLiteral("Grid"), QStringLiteral("Heatmap"),
                                    QStringLiteral("Probe"), QStringLiteral("Layers")};
        QCOMPARE(titles, wanted);
        action("actionView8")->trigger();
        QCOMPARE(m_window->view(), View::Layers);
    }

    void viewIsSavedAndCopiedAsItSays()
    {
        m_window->setOverview(test::sampleOverview());
        QVERIFY(!action("actionSaveView")->isEnabled());
        ViewEntry entry = entryOf(View::Grid, "Grid");
        QString saved;
        int copies = 0;
        entry.save = [&saved](const QString& path) { saved = path; };
        entry.filters = QStringList{QStringLiteral("CSV table (*.csv)")};
        entry.copy = [&copies] { ++copies; };
        entry.commandLine = [] { return QStringLiteral("headscope tsne x.h5"); };
        m_window->addView(std::move(entry));
        m_window->setView(View::Grid);
        m_dialogs.nextPath = QStringLiteral("/tmp/table");
        action("actionSaveView")->trigger();
        QCOMPARE(saved, QStringLiteral("/tmp/table.csv")); // the ending of the filter
        action("actionCopyView")->trigger();
        QCOMPARE(copies, 1);
        action("actionCopyCommand")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("headscope tsne x.h5"));
        action("actionShowHelp")->trigger();
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("viewHelpRow"))->isHidden());
    }
};

HEADSCOPE_TEST(TestViewStack)
#include "tst_view_stack.moc"
