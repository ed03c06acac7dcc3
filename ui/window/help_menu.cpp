// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_menu.h"

#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenuBar>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kDialogs{MenuId::Edit, 90};
constexpr MenuPlace kHelp{MenuId::Help, 0};

/// What the view in front does not say in its header.
void showMore(MainWindow& window)
{
    const ViewEntry& entry = *window.views().currentEntry();
    window.dialogs().ask(&window, {entry.title, entry.help % QStringLiteral("\n\n") % entry.more, {tr("Close")}},
                         [](int) {});
}

void showAbout(MainWindow& window)
{
    window.dialogs().ask(&window,
                         {tr("About Headscope"),
                          tr("Headscope %1\nA microscope for the attention heads of embedding and language "
                             "models.\n\nGNU General Public "
                             "License, version 3 or later.")
                              .arg(QCoreApplication::applicationVersion()),
                          {tr("Close")}},
                         [](int) {});
}

template <class Make>
auto opens(Make make)
{
    return [make] {
        QDialog* dialog = make();
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    };
}

} // namespace

void addHelpMenu(MainWindow& window)
{
    Actions& actions = window.actions();
    actions.add({.id = QStringLiteral("actionSettings"),
                 .text = tr("Settings…"),
                 .tip = tr("Appearance, maps, jobs and files"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+,")),
                 .place = kDialogs,
                 .act = opens([&window] { return new SettingsDialog(window.settings(), &window); })});
    const auto showKeys =
        opens([&window] { return new ShortcutsDialog(window.shortcuts(), *window.menuBar(), &window); });
    actions.add({.id = QStringLiteral("actionShortcuts"),
                 .text = tr("Shortcuts…"),
                 .tip = tr("See and change the keys of every action"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Alt+K")),
                 .place = kDialogs,
                 .act = showKeys});
    actions.add({.id = QStringLiteral("actionWelcome"),
                 .text = tr("Welcome page"),
                 .tip = tr("Demos, recent files, and first steps"),
                 .place = kHelp,
                 .act = [&window] { window.setWelcomeShown(true); }});
    actions.add({.id = QStringLiteral("actionAboutView"),
                 .text = tr("About this view"),
                 .tip = tr("How the view is computed, and how to interpret it"),
                 .keys = QKeySequence(QStringLiteral("Shift+F1")),
                 .place = kHelp,
                 .act = [&window] { showMore(window); },
                 .enabled =
                     [&window] {
                         const ViewEntry* entry = window.views().currentEntry();
                         return entry != nullptr && !entry->more.isEmpty() && !window.welcomeShown();
                     }});
    QObject::connect(&window.views(), &ViewStack::moreRequested, &window, [&window] { showMore(window); });
    actions.add({.id = QStringLiteral("actionKeys"),
                 .text = tr("Keys and gestures…"),
                 .tip = tr("All keys, and what the mouse does in the views"),
                 .keys = QKeySequence::HelpContents,
                 .place = kHelp,
                 .act = showKeys});
    actions.add({.id = QStringLiteral("actionCommands"),
                 .text = tr("Find a command…"),
                 .tip = tr("Search all commands by name"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+K")),
                 .place = kHelp,
                 .act = [&window] { (new CommandPalette(*window.menuBar(), &window))->open(); }});
    actions.add({.id = QStringLiteral("actionAbout"),
                 .text = tr("About Headscope"),
                 .tip = tr("Version and licence"),
                 .place = kHelp,
                 .act = [&window] { showAbout(window); }});
}

} // namespace headscope::ui
