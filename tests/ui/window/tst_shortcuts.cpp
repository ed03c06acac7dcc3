// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcuts.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTreeWidget>

using namespace headscope;
using namespace headscope::ui;

class TestShortcuts : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<QMenuBar> m_menus;
    QAction* m_open = nullptr;
    QAction* m_map = nullptr;
    QAction* m_plain = nullptr;

    QAction* make(QMenu* menu, const char* name, const QString& text, const char* keys)
    {
        auto* action = new QAction(text, m_menus.get());
        action->setObjectName(QLatin1StringView(name));
        action->setStatusTip(QStringLiteral("What it does"));
        action->setShortcut(QKeySequence(QLatin1StringView(keys)));
        menu->addAction(action);
        return action;
    }
    std::unique_ptr<Shortcuts> shortcuts()
    {
        auto made = std::make_unique<Shortcuts>(*m_settings);
        for (QAction* action : {m_open, m_map, m_plain})
            made->add(action);
        return made;
    }

private Q_SLOTS:
    void init()
    {
        m_settings = Settings::temporary();
        m_menus = std::make_unique<QMenuBar>();
        QMenu* file = m_menus->addMenu(QStringLiteral("&File"));
        QMenu* map = m_menus->addMenu(QStringLiteral("&Map"));
        m_open = make(file, "actionOpen", QStringLiteral("Open…"), "Ctrl+O");
        m_map = make(map, "actionMap", QStringLiteral("Run map"), "Ctrl+R");
        m_plain = make(map, "actionPlain", QStringLiteral("Something"), "");
    }
    void cleanup()
    {
        m_menus.reset();
        QVERIFY(QApplication::topLevelWidgets().isEmpty());
    }

    void changedKeysAreKept()
    {
        auto keys = shortcuts();
        QVERIFY(m_open->toolTip().contains(QStringLiteral("Ctrl+O")));
        QCOMPARE(keys->setKeys(m_open, QKeySequence(QStringLiteral("Ctrl+Alt+O"))), QString());
        QCOMPARE(m_open->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+O")));
        QVERIFY(m_open->toolTip().contains(QStringLiteral("Ctrl+Alt+O")));
        QVERIFY(keys->isChanged(m_open));
        keys->setKeys(m_map, {});
        keys.reset();
        // Another sitting, with the built-in keys again.
        m_open->setShortcut(QKeySequence(QStringLiteral("Ctrl+O")));
        m_map->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
        keys = shortcuts();
        QCOMPARE(m_open->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+O")));
        QVERIFY(m_map->shortcut().isEmpty());
        QVERIFY(keys->reset(m_open).isEmpty());
        QCOMPARE(m_open->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        keys->resetAll();
        QCOMPARE(m_map->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        QVERIFY(m_settings->list(SettingKey::Shortcuts).isEmpty());
    }

    void conflictsAreRefused_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("says");
        QTest::newRow("free") << "Ctrl+Shift+Y"
                              << "";
        QTest::newRow("of another action") << "Ctrl+R"
                                           << "Run map";
        QTest::newRow("its own") << "Ctrl+O"
                                 << "";
        QTest::newRow("a chord that begins so") << "Ctrl+R, Ctrl+X"
                                                << "Run map";
        QTest::newRow("a key of the map") << "R"
                                          << "the map";
        QTest::newRow("arrows") << "Left"
                                << "every view";
        QTest::newRow("none") << ""
                              << "";
    }
    void conflictsAreRefused()
    {
        QFETCH(QString, keys);
        QFETCH(QString, says);
        const auto all = shortcuts();
        const QString answer = all->setKeys(m_open, QKeySequence(keys));
        if (says.isEmpty())
            QVERIFY2(answer.isEmpty(), qPrintable(answer));
        else
            QVERIFY2(answer.contains(says), qPrintable(answer));
        QCOMPARE(m_open->shortcut(), QKeySequence(says.isEmpty() ? keys : QStringLiteral("Ctrl+O")));
    }

    void damagedSettingsChangeNothing()
    {
        m_settings->setList(SettingKey::Shortcuts,
                            {QStringLiteral("nonsense"), QStringLiteral("actionOpen=Ctrl+R"), QStringLiteral("=x")});
        m_map->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
        Shortcuts keys(*m_settings);
        keys.add(m_map);
        keys.add(m_open); // its kept keys belong to the map
        QCOMPARE(m_open->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
    }

    void dialogListsTypesAndRefuses()
    {
        const auto keys = shortcuts();
        QWidget window;
        auto* dialog = new ShortcutsDialog(*keys, *m_menus, &window);
        dialog->show();
        QVERIFY(test::exposed(dialog));
        auto* tree = dialog->findChild<QTreeWidget*>(QStringLiteral("shortcutTree"));
        QCOMPARE(tree->topLevelItemCount(), 4); // two menus, the keys of the views, and the mouse
        QCOMPARE(tree->topLevelItem(1)->childCount(), 2);
        auto* edit = dialog->findChild<QKeySequenceEdit*>(QStringLiteral("shortcutKeys"));
        QVERIFY(!edit->isEnabled());
        dialog->choose(m_map);
        QVERIFY(edit->isEnabled());
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_O, Qt::ControlModifier);
        QVERIFY2(dialog->message().contains(QStringLiteral("Open")), qPrintable(dialog->message()));
        QCOMPARE(m_map->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        test::savePictures(*dialog, QStringLiteral("shortcuts"));
        QTest::keyClick(edit, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(dialog->message(), QString());
        QCOMPARE(m_map->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+M")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("shortcutReset")), Qt::LeftButton);
        QCOMPARE(m_map->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("shortcutSearch"));
        QTest::keyClicks(search, QStringLiteral("some"));
        QVERIFY(tree->topLevelItem(0)->isHidden());
        QVERIFY(!tree->topLevelItem(1)->isHidden());
        auto* nothing = dialog->findChild<QLabel*>(QStringLiteral("shortcutNothing"));
        QVERIFY(nothing->isHidden());
        QTest::keyClicks(search, QStringLiteral(" such thing"));
        QVERIFY(!nothing->isHidden()); // and no blank box

        // What cannot be changed is found by its heading, and arrows lead to it.
        search->setText(QStringLiteral("mouse"));
        QTreeWidgetItem* mouse = tree->topLevelItem(3);
        QVERIFY(nothing->isHidden() && !mouse->isHidden() && mouse->childCount() > 5);
        tree->setFocus();
        tree->setCurrentItem(mouse);
        for (int i = 0; i < mouse->childCount(); ++i)
            QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(tree->currentItem(), mouse->child(mouse->childCount() - 1));
        QVERIFY(!edit->isEnabled());
    }
};

HEADSCOPE_WINDOW_TEST(TestShortcuts)
#include "tst_shortcuts.moc"
