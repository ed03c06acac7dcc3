// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/choices.h"
#include "ui/selection_hub.h"
#include "ui/view_stack.h"
#include "ui/welcome_page.h"

#include <QList>
#include <QMainWindow>

#include <functional>
#include <map>
#include <memory>

class QAction;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;

namespace headscope::ui
{

class DataPanel;
class DialogService;
class HeatmapView;
class Inspector;
class JobNotifier;
class JobStrip;
class MapView;
class NoticeBar;
class ProbeView;
class Settings;
class ShownBar;
class Shortcuts;
class SidePanels;
struct WindowLayout;

/// The menus of the window, for those who add to them.
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

/// The window: menu, toolbar, panels and views. It shows values and says what the user wants; the
/// controllers of app/desktop do it, and add views, panels and actions of their own.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    using View = ui::View;
    using Demo = ui::Demo;

    /// @param settings, dialogs  must outlive the window
    MainWindow(Settings& settings, DialogService& dialogs);
    ~MainWindow() override;

    [[nodiscard]] DataPanel& dataPanel() { return *m_data; }
    [[nodiscard]] MapView& mapView() { return *m_map; }
    [[nodiscard]] HeatmapView& heatmapView() { return *m_heatmap; }
    /// Before it is shown the first time: no larger than its screen has room for.
    void fitToScreen();

    [[nodiscard]] ProbeView& probeView() { return *m_probe; }
    [[nodiscard]] Inspector& inspector() { return *m_inspector; }
    [[nodiscard]] JobStrip& jobStrip() { return *m_jobs; }
    /// What is open and chosen.
    [[nodiscard]] Choices& choices() { return m_choices; }
    [[nodiscard]] SelectionHub& selection() { return m_selection; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] DialogService& dialogs() { return m_dialogs; }
    [[nodiscard]] Shortcuts& shortcuts() { return *m_shortcuts; }
    [[nodiscard]] WelcomePage& welcome() { return *m_welcome; }

    /// Shows a cache in the panels (null: nothing is open) and clears the selection.
    void setOverview(std::shared_ptr<const CacheOverview> overview);
    [[nodiscard]] const std::shared_ptr<const CacheOverview>& overview() const { return m_choices.overview(); }
    /// The same cache with other label columns, one of them to be chosen; everything else stays.
    void setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column);

    /// Adds a view, its tab and its action in the View menu; or replaces what is known of one that
    /// is there (its outputs and help).
    void addView(ViewEntry entry);
    void setView(View view);
    [[nodiscard]] View view() const;
    [[nodiscard]] ViewStack& views() { return *m_views; }

    /// Adds a page at the right, beside the document's.
    void addSidePanel(const QString& id, const QString& title, QWidget* page);
    /// Brings a page at the right to the front, and the right side into view.
    void showSidePanel(const QString& id);
    [[nodiscard]] SidePanels& sidePanels() { return *m_side; }

    [[nodiscard]] QMenu* menu(MenuId id) const { return m_menus.at(id); }
    /// An action of the window. All actions are made here, and put into a menu: the command palette,
    /// status tips and shortcuts know them by that.
    /// @param name  object name, unique: settings keep shortcuts by it
    QAction* makeAction(const QString& name, const QString& text, const QString& tip,
                        const QKeySequence& shortcut = {});
    /// Greys what cannot be done now; called by the window itself whenever it changes.
    void refreshActions();

    /// Fills File > Open demo and the welcome page; without any the menu is hidden.
    void setDemos(const QList<Demo>& demos);
    /// Whether a file is one of them, which nobody writes to.
    [[nodiscard]] bool isDemo(const QString& path) const;
    /// Puts the welcome page in the place of panels and views, or takes it away. It comes by itself
    /// when nothing is open, and goes when a cache is.
    void setWelcomeShown(bool shown);
    [[nodiscard]] bool welcomeShown() const;

    /// Asks for a file and emits openRequested.
    void askOpen();

    /// The steady line at the left of the status bar: what the program is doing.
    void setStatus(const QString& text);
    /// A passing line over it: a reason, a file that was written.
    void showNotice(const QString& text);
    /// Takes a passing line away before its time, if it still stands: what it spoke of is over.
    void endNotice(const QString& text);
    /// What went wrong, in a bar over everything that stays until it is closed. Several wait in line.
    void showError(const QString& heading, const QString& sentence);
    [[nodiscard]] NoticeBar& notices() { return *m_notices; }
    [[nodiscard]] QString statusText() const;

    /// The program's answer to "may I close now?": true closes at once. False keeps the window open
    /// for the moment; who set it calls close() again when jobs have ended.
    void setCloseGuard(std::function<bool()> guard) { m_closeGuard = std::move(guard); }

Q_SIGNALS:
    void openRequested(const QString& path);
    /// Open… was chosen without a path.
    void extractRequested();
    void mapRequested();
    void mapOptionsRequested();
    void probeRequested();
    void labelMapRequested(const QString& path);
    void viewChanged(headscope::ui::MainWindow::View view);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    /// Asks for the size of a picture, and remembers it; other files are saved at once.
    void saveSized(const QString& target, const std::function<void(const QString& path)>& save);
    void buildActions();
    void buildMenus();
    void buildToolBar();
    void buildCentre();
    void connectViews();
    void clearChoice();
    void chooseSameLabel();
    void copyChosenIds();
    void showKeys();
    void askLabelMap();
    void fillRecent();
    void askSaveView();
    void copyView();
    void copyCommandLine();
    void refreshIcons();
    void refreshShown();
    void buildWelcome();
    void focusView();
    void focusNextArea(int step);
    void buildAround();
    void refreshScheme();
    void buildLabelColors();
    void takeLabelColors();
    void describeCanvases();
    [[nodiscard]] WindowLayout layoutNow() const;
    void applyLayout(const WindowLayout& layout);
    void restoreLayout();
    void resetLayout();
    void keepLayout();

    Settings& m_settings;
    DialogService& m_dialogs;
    Choices m_choices;
    SelectionHub m_selection;
    std::function<bool()> m_closeGuard;
    Shortcuts* m_shortcuts = nullptr;
    JobNotifier* m_notifier = nullptr;
    QString m_viewToRestore; ///< object name of its action; views come after the layout was read
    QString m_sidePanelToRestore;

    QAction* m_open = nullptr;
    QAction* m_extract = nullptr;
    QAction* m_runMap = nullptr;
    QAction* m_mapOptions = nullptr;
    QAction* m_runProbe = nullptr;
    QAction* m_labelMap = nullptr;
    QAction* m_saveView = nullptr;
    QAction* m_copyView = nullptr;
    QAction* m_copyCommand = nullptr;
    QAction* m_showHelp = nullptr;
    QAction* m_showData = nullptr;
    QAction* m_showInspector = nullptr;
    QAction* m_showLegend = nullptr;
    QAction* m_showTools = nullptr;
    QAction* m_showJobs = nullptr;
    QAction* m_showLog = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_chooseNone = nullptr;
    QAction* m_chooseOthers = nullptr;
    QAction* m_chooseSame = nullptr;
    QAction* m_copyIds = nullptr;
    QAction* m_showChosen = nullptr;
    QAction* m_showAll = nullptr;
    QAction* m_fit = nullptr;
    QAction* m_fitChosen = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_demos = nullptr;
    QStringList m_demoPaths; ///< canonical

    NoticeBar* m_notices = nullptr;
    QStackedWidget* m_centre = nullptr; ///< the splitter, or the welcome page
    WelcomePage* m_welcome = nullptr;
    QSplitter* m_splitter = nullptr;
    DataPanel* m_data = nullptr;
    ViewStack* m_views = nullptr;
    ShownBar* m_shownBar = nullptr;
    SidePanels* m_side = nullptr;
    std::map<MenuId, QMenu*> m_menus;
    QAction* m_viewsEnd = nullptr; ///< of the View menu: views stand before it
    MapView* m_map = nullptr;
    HeatmapView* m_heatmap = nullptr;
    ProbeView* m_probe = nullptr;
    Inspector* m_inspector = nullptr;
    JobStrip* m_jobs = nullptr;
    QLabel* m_status = nullptr;
    QString m_steady; ///< its text while no passing line stands
};

} // namespace headscope::ui
