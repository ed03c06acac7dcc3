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
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kDialogs{MenuId::Edit, 90};
constexpr MenuPlace kHelp{MenuId::Help, 0};

/// The key that the user has given a command now.
QString keyOf(MainWindow& window, const char* action)
{
    const QAction* found = window.actions().find(QLatin1StringView(action));
    return found == nullptr ? QString() : found->shortcut().toString(QKeySequence::NativeText);
}

struct Gesture
{
    QString keys;
    QString meaning;
};

struct GestureGroup
{
    QString title;
    std::vector<Gesture> gestures;
};

std::vector<GestureGroup> gestures(MainWindow& window)
{
    return {{tr("The map"),
             {{tr("Wheel, pinch"), tr("zoom at the pointer")},
              {tr("Drag, Shift+arrows"), tr("move; with the middle button whatever the tool")},
              {tr("Arrows"), tr("from point to point; Return shows its document, Space chooses it, Escape leaves it")},
              {tr("Shift+drag, Z"), tr("zoom into a rectangle")},
              {tr("Double click, Home"), tr("show everything; F shows what is chosen")},
              {tr("Alt+Left, Alt+Right"), tr("the views before and after")}}},
            {tr("Choosing documents on it"),
             {{tr("Click"), tr("show the document at the right, and ring its other dots")},
              {tr("R, L, B"), tr("choose in a rectangle, in a lasso, with a brush; V moves the map again")},
              {tr("P"), tr("these choose documents with all their points, or the points inside alone")},
              {tr("Shift, Ctrl, Alt"), tr("add to the choice, take away from it, keep what both have")},
              {tr("Wheel"), tr("size of the brush; with Ctrl zoom")},
              {tr("Escape"), tr("forget the document, then the choice")}}},
            {tr("Legend and heads"),
             {{tr("Click"), tr("this one, or this row or label, alone; again: all")},
              {tr("Ctrl+click, drag"), tr("at the left: add a head, take several")},
              {tr("1-4,9"), tr("typed under the heads: these")}}},
            {tr("Everywhere"),
             {{keyOf(window, "actionCommands"), tr("find a command by its name")},
              {keyOf(window, "actionNextArea"), tr("take the keyboard to the next area")},
              {tr("Edit › Shortcuts…"), tr("the keys of every action, and how to change them")}}}};
}

void showKeys(MainWindow& window)
{
    QString text = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\">");
    for (const auto& [title, rows] : gestures(window))
    {
        text += QStringLiteral("<tr><td colspan=\"2\"><b>%1</b></td></tr>").arg(title.toHtmlEscaped());
        for (const auto& [keys, meaning] : rows)
            text += QStringLiteral("<tr><td style=\"padding-right: 16px; white-space: nowrap\">%1</td><td>%2</td></tr>")
                        .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
        text += QStringLiteral("<tr><td></td></tr>");
    }
    window.dialogs().ask(&window, {tr("Keys and gestures"), text % QStringLiteral("</table>"), {tr("Close")}, {}, true},
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
                 .tip = tr("Look, maps, jobs: everything that is kept"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+,")),
                 .place = kDialogs,
                 .act = opens([&window] { return new SettingsDialog(window.settings(), &window); })});
    actions.add(
        {.id = QStringLiteral("actionShortcuts"),
         .text = tr("Shortcuts…"),
         .tip = tr("See and change the keys of every action"),
         .keys = QKeySequence(QStringLiteral("Ctrl+Alt+K")),
         .place = kDialogs,
         .act = opens([&window] { return new ShortcutsDialog(window.shortcuts(), *window.menuBar(), &window); })});
    actions.add({.id = QStringLiteral("actionWelcome"),
                 .text = tr("Welcome page"),
                 .tip = tr("Demos, files opened last, and how to begin"),
                 .place = kHelp,
                 .act = [&window] { window.setWelcomeShown(true); }});
    actions.add({.id = QStringLiteral("actionKeys"),
                 .text = tr("Keys and gestures"),
                 .tip = tr("What mouse and keyboard do on the views"),
                 .keys = QKeySequence::HelpContents,
                 .place = kHelp,
                 .act = [&window] { showKeys(window); }});
    actions.add({.id = QStringLiteral("actionCommands"),
                 .text = tr("Find a command…"),
                 .tip = tr("Every command of the menus, by its name"),
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
