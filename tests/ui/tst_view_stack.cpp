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
#include <QTabBar>

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
