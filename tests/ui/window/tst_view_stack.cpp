// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_view.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"
#include "ui/window/side_panels.h"
#include "ui/window/view_stack.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
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

    static ViewEntry entryOf(ViewId id, const char* title)
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

    void viewsStandInTheOrderInWhichTheyWereAdded()
    {
        ViewStack stack;
        QVERIFY(stack.current().isNull() && stack.currentEntry() == nullptr);
        stack.addView(entryOf(kMapView, "Map"));
        QCOMPARE(stack.current(), kMapView);
        stack.addView(entryOf(kProbeView, "Probe"));
        stack.addView(entryOf(kHeadsView, "Heads"));
        QCOMPARE(stack.current(), kMapView);
        QVERIFY(stack.idOf(QStringLiteral("heads")) == kHeadsView);
        QVERIFY(stack.idOf(QStringLiteral("no such view")).isNull());
        QCOMPARE(stack.tabs()->count(), 3);
        QCOMPARE(stack.tabs()->tabText(0), QStringLiteral("Map"));
        QCOMPARE(stack.tabs()->tabText(1), QStringLiteral("Probe"));
        QCOMPARE(stack.tabs()->tabText(2), QStringLiteral("Heads"));
        QSignalSpy changed(&stack, &ViewStack::currentChanged);
        stack.setCurrent(kProbeView);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(stack.current(), kProbeView);
        QVERIFY(stack.find(kProbeView)->widget->isVisibleTo(&stack));
        QVERIFY(!stack.find(kMapView)->widget->isVisibleTo(&stack));
        QCOMPARE(stack.helpText(), QStringLiteral("Probe explained"));
        stack.setCurrent(kLayersView); // not there
        QCOMPARE(stack.current(), kProbeView);
    }

    void tabsOfTheWindowCanBeSeen()
    {
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
        QVERIFY(m_window->views().tabs()->height() > 24);
        QVERIFY(!m_window->sidePanels().tabs()->isVisible()); // one page needs no tab
        m_window->addSidePanel(QStringLiteral("second"), QStringLiteral("Second"), new QLabel);
        WAIT_FOR(m_window->sidePanels().tabs()->height() > 24);
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
        const std::pair<ViewId, const char*> views[] = {
            {kMapView, "Map"},     {kGridView, "Grid"},   {kCompareView, "Compare"},     {kHeatmapView, "Heatmap"},
            {kProbeView, "Probe"}, {kHeadsView, "Heads"}, {kRetrievalView, "Retrieval"}, {kLayersView, "Layers"}};
        for (const auto& [id, title] : views)
            stack.addView(entryOf(id, title));
        stack.resize(1000, 400);
        stack.show();
        QVERIFY(test::exposed(&stack));
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
        QCOMPARE(stack.current(), kLayersView);
        QVERIFY(stack.tabs()->isTabVisible(stack.tabs()->currentIndex()));
        QVERIFY2(cutTabs(stack).isEmpty(), qPrintable(cutTabs(stack).join(u' ')));
        stack.setCurrent(kRetrievalView); // by its key
        QCOMPARE(stack.current(), kRetrievalView);
        QVERIFY2(cutTabs(stack).isEmpty(), qPrintable(cutTabs(stack).join(u' ')));
        stack.setCurrent(kMapView);
        // Wide again, all is as it was.
        stack.resize(1000, 400);
        test::passMs(20);
        QVERIFY(!more->isVisible());
        QVERIFY(cutTabs(stack).isEmpty());
        QCOMPARE(stack.tabs()->grab().toImage(), wide);
    }

    void addedViewGetsItsActionAmongTheViews()
    {
        m_window->addView(entryOf(kMapView, "Map"));
        m_window->addView(entryOf(kGridView, "Grid"));
        m_window->addView(entryOf(kLayersView, "Layers"));
        QStringList titles;
        for (const QAction* entry : m_window->actions().menu(MenuId::View)->actions())
            if (entry->objectName().startsWith(QStringLiteral("actionView_")))
                titles << entry->text() + u' ' + entry->shortcut().toString();
        QCOMPARE(titles, (QStringList{QStringLiteral("Map Ctrl+1"), QStringLiteral("Grid Ctrl+2"),
                                      QStringLiteral("Layers Ctrl+3")}));
        action("actionView_layers")->trigger();
        QCOMPARE(m_window->view(), kLayersView);
    }

    /// Sections stand by their numbers with lines between them, wherever their commands come from.
    void commandsStandInTheirSections()
    {
        const auto add = [this](const char* id, int section) {
            m_window->actions().add({.id = QLatin1StringView(id),
                                     .text = QLatin1StringView(id),
                                     .tip = {},
                                     .place = {MenuId::Map, section},
                                     .act = [] {}});
        };
        const auto shown = [this] {
            QString text;
            for (const QAction* each : m_window->actions().menu(MenuId::Map)->actions())
                text += each->isSeparator() ? QStringLiteral("| ") : each->objectName() + u' ';
            return text.trimmed();
        };
        add("d", 30);
        QCOMPARE(shown(), QStringLiteral("d"));
        add("b", 10);
        QCOMPARE(shown(), QStringLiteral("b | d"));
        add("c", 20);
        QCOMPARE(shown(), QStringLiteral("b | c | d"));
        add("c2", 20);
        add("e", 30);
        add("a", 0);
        QCOMPARE(shown(), QStringLiteral("a | b | c c2 | d e"));
    }

    void whatCannotBeDoneIsGrey()
    {
        bool can = false;
        QAction* made = m_window->actions().add({.id = QStringLiteral("test"),
                                                 .text = QStringLiteral("Test"),
                                                 .tip = {},
                                                 .place = {MenuId::Map, 0},
                                                 .act = [] {},
                                                 .enabled = [&can] { return can; }});
        QVERIFY(!made->isEnabled());
        can = true;
        m_window->actions().refresh();
        QVERIFY(made->isEnabled());
    }

    void viewIsSavedAndCopiedAsItSays()
    {
        m_window->setOverview(test::sampleOverview());
        QVERIFY(!action("actionSaveView")->isEnabled());
        ViewEntry entry = entryOf(kGridView, "Grid");
        QString saved;
        int copies = 0;
        entry.save = [&saved](const QString& path) { saved = path; };
        entry.filters = QStringList{QStringLiteral("CSV table (*.csv)")};
        entry.copy = [&copies] { ++copies; };
        entry.commandLine = [] { return QStringLiteral("headscope tsne x.h5"); };
        m_window->addView(std::move(entry));
        m_window->setView(kGridView);
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
