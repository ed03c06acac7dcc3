// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on the demo, walked as someone without mouse or eyes does.
#include "tests/app/desktop/control_walk.h"
#include "tests/app/desktop/demo_window.h"

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/layer_strip.h"
#include "ui/view/view.h"
#include "ui/window/shortcuts.h"
#include "ui/window/side_panels.h"

#include <QAction>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>

using namespace headscope;

class TestAccessibility : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<test::DemoWindow> m_demo;

    ui::MainWindow& window() { return *m_demo->window; }
    QAction* action(const char* name) { return window().findChild<QAction*>(QLatin1StringView(name)); }

    /// The actions of the window itself: not those that Qt keeps inside of controls, nor the titles
    /// of menus.
    QList<QAction*> actions()
    {
        QList<QAction*> found;
        for (QAction* each : window().actions().findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
            if (!each->isSeparator())
                found << each;
        return found;
    }

    static void collect(const QList<QAction*>& actions, QList<QAction*>& into)
    {
        for (QAction* each : actions)
        {
            if (each->menu() != nullptr)
            {
                Q_EMIT each->menu()->aboutToShow();
                collect(each->menu()->actions(), into);
            }
            if (!each->isSeparator())
                into << each;
        }
    }

    static void verifyNone(const QStringList& problems)
    {
        for (const QString& problem : problems)
            qWarning("%s", qPrintable(problem));
        QVERIFY2(problems.isEmpty(), qPrintable(QStringLiteral("%1 problems").arg(problems.size())));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_demo = std::make_unique<test::DemoWindow>();
        window().activateWindow();
        QVERIFY(test::active(&window()));
    }
    void cleanupTestCase() { m_demo.reset(); }

    /// What every view says before anything is open, and that no header is longer than a line.
    void everyViewIsReadWhileEmpty()
    {
        window().setWelcomeShown(false);
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            test::passMs(10);
            QVERIFY(test::readAll(QAccessible::queryAccessibleInterface(&window())) > 100);
            constexpr qsizetype kMost = 120;
            QVERIFY2(entry.help.size() <= kMost, qPrintable(entry.help));
            QVERIFY2(!entry.help.isEmpty() && entry.help.endsWith(u'.'), qPrintable(entry.help));
            QVERIFY2(!entry.more.isEmpty(), qPrintable(entry.title));
        }
        window().setView(window().views().entries().front().id);
        window().setWelcomeShown(true);
    }

    void welcomePage()
    {
        QVERIFY(window().welcomeShown());
        verifyNone(test::problemsOfControls(window(), QStringLiteral("welcome")));
        QVERIFY(m_demo->open());
        QVERIFY(!window().welcomeShown());
    }

    void everyActionSaysWhatItDoesAndStandsInAMenu()
    {
        QStringList problems;
        QList<QAction*> inMenus;
        collect(window().menuBar()->actions(), inMenus);
        for (const QAction* each : inMenus)
            if (each->statusTip().isEmpty() && each->menu() == nullptr)
                problems << QStringLiteral("no status tip: ") + each->text();
        constexpr qsizetype kMost = 140;
        for (const QAction* each : inMenus)
            if (each->statusTip().size() > kMost)
                problems << QStringLiteral("too long: ") + each->statusTip();
        for (QAction* each : actions())
        {
            if (each->objectName().isEmpty())
                problems << QStringLiteral("no object name: ") + each->text();
            if (!inMenus.contains(each))
                problems << QStringLiteral("in no menu: ") + each->objectName();
        }
        verifyNone(problems);
        QVERIFY(actions().size() > 20);
    }

    void noTwoActionsShareKeys()
    {
        QStringList problems;
        QHash<QString, QString> owner;
        for (const QAction* each : actions())
            for (const QKeySequence& keys : each->shortcuts())
            {
                const QString text = keys.toString(QKeySequence::PortableText);
                if (owner.contains(text))
                    problems << QStringLiteral("%1: %2 and %3").arg(text, owner.value(text), each->objectName());
                owner.insert(text, each->objectName());
                const QString reason = window().shortcuts().refusal(each, keys);
                if (!reason.isEmpty())
                    problems << each->objectName() + QStringLiteral(": ") + reason;
            }
        verifyNone(problems);
    }

    /// All that a screen reader may ask for, while a view is computed, when it is filled, and when it has failed.
    void everyViewIsReadInEveryState()
    {
        const auto read = [this] { return test::readAll(QAccessible::queryAccessibleInterface(&window())); };
        action("actionProbe")->trigger();
        QVERIFY(read() > 100);
        action("actionRunGrid")->trigger();
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QVERIFY(read() > 100); // while it runs
        }
        QVERIFY(m_demo->settle());
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QVERIFY(m_demo->settle());
            QVERIFY2(read() > 100, qPrintable(entry.title));
        }
    }

    void everyControlOfEveryView()
    {
        QStringList problems;
        action("actionShowJobs")->setChecked(true);
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QVERIFY(test::calm());
            problems << test::problemsOfControls(window(), entry.title);
        }
        action("actionShowJobs")->setChecked(false);
        problems.removeDuplicates();
        // What stands in every view is told once.
        QStringList told;
        QSet<QString> known;
        for (const QString& problem : problems)
            if (const QString what = problem.section(QStringLiteral(": "), 1); !known.contains(what))
            {
                known.insert(what);
                told << problem;
            }
        verifyNone(told);
    }

    /// Shift+Tab leads back the way that Tab came, past rows of segmented buttons, too.
    void backtabMirrorsTab()
    {
        QStringList problems;
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QVERIFY(test::calm());
            for (const QString& problem : test::problemsOfBacktab(window().views().tabs()))
                problems << entry.title + QStringLiteral(": ") + problem;
            for (const QString& problem : test::problemsOfReturns(window().views().tabs(), entry.widget))
                problems << entry.title + QStringLiteral(": ") + problem;
        }
        verifyNone(problems);
    }

    void aFailureIsRead()
    {
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            auto* view = qobject_cast<ui::View*>(entry.widget);
            QVERIFY(view != nullptr);
            window().setView(entry.id);
            QVERIFY(m_demo->settle());
            view->setError(Error{ErrorCode::BadFormat, "expected a number, found none", {}, {}});
            QVERIFY(test::readAll(QAccessible::queryAccessibleInterface(view)) > 5);
        }
        m_demo.reset();
        m_demo = std::make_unique<test::DemoWindow>();
        window().activateWindow();
        QVERIFY(test::active(&window()));
        QVERIFY(m_demo->open());
    }

    void everyControlOfTheSidePanels()
    {
        window().setView(ui::kMapView);
        window().selection().setPrimary(DocumentIndex(3), HeadIndex(0));
        window().selection().setDocuments({1, 2, 3}); // so that they are listed
        QVERIFY(m_demo->settle());
        QStringList problems;
        QTabBar* tabs = window().sidePanels().tabs();
        for (int i = 0; i < tabs->count(); ++i)
        {
            tabs->setCurrentIndex(i);
            test::passMs(50);
            problems << test::problemsOfControls(window(), QStringLiteral("side ") + tabs->tabData(i).toString());
        }
        window().selection().setDocuments({});
        verifyNone(problems);
    }

    /// A bar has its own name; its tabs have theirs, say which one is chosen, and are chosen by a press.
    void barsOfTabsAreNotNamedByTheirTab()
    {
        auto* bar = window().findChild<QTabBar*>(QStringLiteral("viewTabs"));
        QVERIFY(bar != nullptr);
        QAccessibleInterface* tabs = QAccessible::queryAccessibleInterface(bar);
        QCOMPARE(tabs->role(), QAccessible::PageTabList);
        QCOMPARE(tabs->text(QAccessible::Name), QStringLiteral("Views"));
        QCOMPARE(tabs->childCount(), bar->count());
        const int before = bar->currentIndex();
        for (int i = 0; i < bar->count(); ++i)
        {
            QAccessibleInterface* tab = tabs->child(i);
            QCOMPARE(tabs->indexOfChild(tab), i);
            QCOMPARE(tab->role(), QAccessible::PageTab);
            QCOMPARE(tab->text(QAccessible::Name), bar->tabText(i));
            tab->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            QCOMPARE(bar->currentIndex(), i);
            QVERIFY(tab->state().selected);
            QVERIFY(tab->parent() == tabs);
        }
        bar->setCurrentIndex(before);
        QVERIFY(m_demo->settle());
    }

    void everyControlOfTheDialogs_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"actionSettings", "actionShortcuts", "actionExtract", "actionMapOptions"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyControlOfTheDialogs()
    {
        QFETCH(QString, name);
        QAction* each = window().findChild<QAction*>(name);
        if (each == nullptr)
            QSKIP("there is no such action");
        each->trigger();
        QPointer<QDialog> dialog;
        for (QDialog* found : window().findChildren<QDialog*>())
            if (found->isVisible())
                dialog = found;
        if (dialog == nullptr)
            return; // a side panel instead, which the other tests walk
        if (auto* form = qobject_cast<ui::ExtractDialog*>(dialog.data()))
            form->setOptionsShown(true);
        dialog->activateWindow();
        QVERIFY(test::active(dialog));
        const QStringList problems = test::problemsOfControls(*dialog, name);
        dialog->close();
        test::passMs(20);
        verifyNone(problems);
    }

    void theMapSaysWhatIsOnIt()
    {
        window().setView(ui::kMapView);
        ui::ScatterWidget* scatter = test::viewOf<ui::MapView>(window()).scatter();
        window().selection().setDocuments({1, 4, 7});
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(scatter);
        QVERIFY(accessible != nullptr);
        QCOMPARE(accessible->role(), QAccessible::Canvas);
        QVERIFY(!accessible->text(QAccessible::Name).isEmpty());
        const QString summary = accessible->text(QAccessible::Description);
        QVERIFY2(summary.contains(QLocale().toString(scatter->pointCount())), qPrintable(summary));
        QVERIFY2(summary.contains(QString::fromUtf8("3\u00A0documents selected")), qPrintable(summary));
        window().selection().setDocuments({});
    }

    void theKeyboardAloneGoesThroughAMap()
    {
        // Choose a layer, run a map, look at a document, choose its label, copy the ids.
        window().activateWindow();
        auto* layers = window().dataPanel().layerStrip();
        layers->setFocus(Qt::TabFocusReason);
        const auto before = window().choices().now().layer;
        QTest::keyClick(layers, Qt::Key_Left);
        QVERIFY(window().choices().now().layer != before);
        QVERIFY(test::waitFor([this] { return test::viewOf<ui::MapView>(window()).scatter()->map() != nullptr; }));
        QVERIFY(m_demo->settle());
        ui::ScatterWidget* scatter = test::viewOf<ui::MapView>(window()).scatter();
        scatter->setFocus(Qt::TabFocusReason);
        QTest::keyClick(scatter, Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != nullptr);
        scatter->setFocus(Qt::TabFocusReason);
        // Menus are opened by the keyboard too.
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        WAIT_FOR(window().findChild<QDialog*>(QStringLiteral("commandPalette")) != nullptr);
        auto* palette = window().findChild<QDialog*>(QStringLiteral("commandPalette"));
        auto* field = palette->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("view heatmap"));
        QTest::keyClick(field, Qt::Key_Return);
        WAIT_COMPARE(window().view(), ui::kHeatmapView);
    }
};

HEADSCOPE_WINDOW_TEST(TestAccessibility)
#include "tst_accessibility.moc"
