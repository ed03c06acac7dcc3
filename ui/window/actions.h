// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QToolBar;

namespace headscope::ui
{

class Shortcuts;

/// The menus of the window, in their order.
enum class MenuId
{
    File,
    Edit,
    View,
    Heads,
    Map,
    Analyse,
    Help,
};

/// Where a command is: in a menu, in one of its sections. Sections are in the order of their numbers with a
/// line between them; commands of one section in the order in which they were added.
struct MenuPlace
{
    MenuId menu = MenuId::File;
    int section = 0;
};

/// One command of the program. Menus, toolbar, command palette, shortcuts dialog and the list of keys are made of
/// these.
struct ActionSpec
{
    QString id; ///< object name, unique: settings keep the user's keys by it
    QString text;
    QString tip; ///< what it does, in a few words, for the status line
    QKeySequence keys = {};
    MenuPlace place = {};
    /// For a command that does something.
    std::function<void()> act = {};
    /// For a command that is on or off: called whenever that changes.
    std::function<void(bool on)> toggled = {};
    bool on = false; ///< of one that is on or off, at the beginning
    /// Whether its state is saved with the layout of the window.
    bool kept = false;
    /// Called whenever the window changes; empty: always enabled, or enabled by the code that added it.
    std::function<bool()> enabled = {};
    int toolBar = 0; ///< its place in the toolbar, by number, with a line between tens; 0: not there
};

/// The commands of the window, as actions of Qt.
/// @threads GUI thread
class Actions : public QObject
{
    Q_OBJECT

public:
    /// Makes the menus.
    /// @param bar, shortcuts  must outlive the object
    Actions(QMenuBar& bar, Shortcuts& shortcuts, QObject* parent = nullptr);

    /// Makes a command and puts it into its menu. The action lives as long as this.
    QAction* add(ActionSpec spec);
    /// A menu within a menu; its commands are added by addTo().
    QMenu* addMenu(MenuPlace place, const QString& title, const QString& tip);
    /// A command of a menu within a menu.
    QAction* addTo(QMenu* menu, ActionSpec spec);

    [[nodiscard]] QMenu* menu(MenuId id) const { return m_menus.at(id); }
    /// A command of this id does something else from now on, where that can be done; what it did before, it does not.
    void replace(const QString& id, std::function<void()> act, std::function<bool()> enabled);
    /// Of this id; null where none has it.
    [[nodiscard]] QAction* find(const QString& id) const;
    /// Those that are on or off and whose state is part of the layout.
    [[nodiscard]] std::vector<QAction*> kept() const;
    /// The others that are on or off by themselves, by their ids: part of what a window shows.
    [[nodiscard]] std::map<QString, QAction*> switches() const;
    /// Whether a command that is on or off is on at the beginning.
    [[nodiscard]] bool builtIn(const QAction* action) const;
    /// Greys what cannot be done now.
    void refresh();
    /// Puts the commands that belong there into the toolbar, in their order; also those added later.
    void fill(QToolBar& bar);

Q_SIGNALS:
    void added(QAction* action);
    /// The user gave a command; what it does is done now.
    void commanded();
    /// A command of this id is on or off, whoever switched it.
    void switched(const QString& id);

private:
    struct Entry
    {
        ActionSpec spec;
        QAction* action = nullptr;
    };
    QAction* make(ActionSpec spec);
    void place(QAction* action, MenuPlace place);
    void refill();

    Shortcuts& m_shortcuts;
    std::map<MenuId, QMenu*> m_menus;
    std::vector<Entry> m_entries;
    QToolBar* m_toolBar = nullptr;
};

} // namespace headscope::ui
