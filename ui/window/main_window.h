// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/choices.h"
#include "ui/state/selection_hub.h"
#include "ui/window/actions.h"
#include "ui/window/view_stack.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_centre.h"

#include <QMainWindow>

#include <functional>
#include <memory>

namespace headscope::ui
{

class DialogService;
class FocusAreas;
class JobNotifier;
class LayoutKeeper;
class OpenMenu;
class Settings;
class Shortcuts;
class StatusLine;

/// The window: menu, toolbar, panels, and whatever views are added to it. It shows values and emits what the user
/// asks for; the controllers of app/desktop do the work, and add views, pages and commands.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    using Demo = ui::Demo;

    /// @param settings, dialogs  must outlive the window
    MainWindow(Settings& settings, DialogService& dialogs);
    ~MainWindow() override;

    [[nodiscard]] DataPanel& dataPanel() { return m_centre->dataPanel(); }
    [[nodiscard]] Inspector& inspector() { return m_centre->inspector(); }
    [[nodiscard]] JobStrip& jobStrip() { return m_centre->jobStrip(); }
    [[nodiscard]] ShownBar& shownBar() { return m_centre->shownBar(); }
    [[nodiscard]] SidePanels& sidePanels() { return m_centre->sidePanels(); }
    [[nodiscard]] WelcomePage& welcome() { return m_centre->welcome(); }
    [[nodiscard]] NoticeBar& notices() { return m_centre->notices(); }
    [[nodiscard]] WindowCentre& centre() { return *m_centre; }
    /// A part of the window that the keys of areas lead to, behind those that are there.
    void addArea(QWidget* area);
    /// What is open and chosen.
    [[nodiscard]] Choices& choices() { return m_choices; }
    [[nodiscard]] SelectionHub& selection() { return m_selection; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] DialogService& dialogs() { return m_dialogs; }
    [[nodiscard]] Shortcuts& shortcuts() { return *m_shortcuts; }
    /// The commands; every part of the program adds its own.
    [[nodiscard]] Actions& actions() { return *m_actions; }

    /// Shows a cache in the panels (null: nothing is open) and clears the selection.
    void setOverview(std::shared_ptr<const CacheOverview> overview);
    [[nodiscard]] const std::shared_ptr<const CacheOverview>& overview() const { return m_choices.overview(); }
    /// The same cache with other label columns, one of them to be chosen; everything else stays.
    void setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column);

    /// Adds a view after the existing ones, with its tab, its command in the View menu, and Ctrl and its number.
    void addView(ViewEntry entry);
    void setView(ViewId view);
    [[nodiscard]] ViewId view() const { return views().current(); }
    [[nodiscard]] ViewStack& views() const { return m_centre->views(); }
    /// Adds a page on the right, next to the document's.
    void addSidePanel(const QString& id, const QString& title, QWidget* page);
    /// Brings a page on the right to the front, and the right side into view.
    void showSidePanel(const QString& id);

    /// Fills File > Open demo and the welcome page; without any the menu is hidden.
    void setDemos(const QList<Demo>& demos);
    /// Whether a file is one of them; demos are never written to.
    [[nodiscard]] bool isDemo(const QString& path) const;
    /// Shows the welcome page in the place of panels and views, or hides it. It is shown automatically while nothing
    /// is open, and hidden when a cache opens.
    void setWelcomeShown(bool shown);
    [[nodiscard]] bool welcomeShown() const;
    /// Asks for a file and emits openRequested.
    void askOpen();

    /// The steady line on the left of the status bar: what the program is doing.
    void setStatus(const QString& text);
    /// A passing line over it: a reason, a file that was written.
    void showNotice(const QString& text);
    /// Removes a passing line before its time, if it is still shown, because it no longer applies.
    void endNotice(const QString& text);
    /// What went wrong, in a bar over everything that stays until it is closed. Several wait in line.
    void showError(const QString& heading, const QString& sentence);
    [[nodiscard]] QString statusText() const;

    /// Before it is shown the first time: no larger than its screen has room for.
    void fitToScreen();
    /// The program's answer to "may I close now?": true closes at once. False keeps the window open
    /// for the moment; the code that set the guard calls close() again when jobs have ended.
    void setCloseGuard(std::function<bool()> guard) { m_closeGuard = std::move(guard); }

Q_SIGNALS:
    void openRequested(const QString& path);
    /// Extract… was chosen, without a path.
    void extractRequested();
    void viewChanged(headscope::ui::ViewId view);
    /// It closes; its layout is kept after this.
    void closing();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addCommands();
    void connectSelection();

    Settings& m_settings;
    DialogService& m_dialogs;
    Choices m_choices;
    SelectionHub m_selection;
    std::function<bool()> m_closeGuard;
    Shortcuts* m_shortcuts = nullptr;
    Actions* m_actions = nullptr;
    OpenMenu* m_openMenu = nullptr;
    LayoutKeeper* m_layout = nullptr;
    FocusAreas* m_areas = nullptr;
    JobNotifier* m_notifier = nullptr;
    WindowCentre* m_centre = nullptr;
    StatusLine* m_status = nullptr;
};

} // namespace headscope::ui
