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
              {tr("Drag, Shift+arrows"), tr("move; with the middle button in any tool")},
              {tr("Arrows"), tr("go from point to point; Return shows the document, Space selects it, Escape leaves")},
              {tr("Shift+drag, Z"), tr("zoom into a rectangle")},
              {tr("Double click, Home"), tr("show everything; F shows the selection")},
              {tr("Alt+Left, Alt+Right"), tr("previous and next view")}}},
            {tr("Selecting documents on the map"),
             {{tr("Click"), tr("show the document in the side panel, and outline its other points")},
              {tr("R, L, B"), tr("select in a rectangle, with a lasso, with a brush; V moves the map again")},
              {tr("P"), tr("select documents with all their points, or only the points inside")},
              {tr("Shift, Ctrl, Alt"), tr("add to the selection, remove from it, intersect")},
              {tr("Wheel"), tr("size of the brush; with Ctrl zoom")},
              {tr("Escape"), tr("clear the document, then the selection")}}},
            {tr("Legend and heads"),
             {{tr("Click"), tr("show only this entry; again: show all entries")},
              {tr("Ctrl+click, drag"), tr("in the Data panel: add a head, select several")},
              {tr("1-4,9"), tr("typed below the heads: select these heads")}}},
            {tr("Everywhere"),
             {{keyOf(window, "actionCommands"), tr("find a command by name")},
              {keyOf(window, "actionNextArea"), tr("move the focus to the next area")},
              {tr("Edit › Shortcuts…"), tr("see and change the keys of every action")}}}};
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
    actions.add(
        {.id = QStringLiteral("actionShortcuts"),
         .text = tr("Shortcuts…"),
         .tip = tr("See and change the keys of every action"),
         .keys = QKeySequence(QStringLiteral("Ctrl+Alt+K")),
         .place = kDialogs,
         .act = opens([&window] { return new ShortcutsDialog(window.shortcuts(), *window.menuBar(), &window); })});
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
                 .text = tr("Keys and gestures"),
                 .tip = tr("How to use mouse and keyboard in the views"),
                 .keys = QKeySequence::HelpContents,
                 .place = kHelp,
                 .act = [&window] { showKeys(window); }});
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
