// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QSplitter;
class QStackedWidget;

namespace headscope::ui
{

class Choices;
class DataPanel;
class Inspector;
class JobStrip;
class NoticeBar;
class SelectionHub;
class Settings;
class ShownBar;
class SidePanels;
class ViewStack;
class WelcomePage;

/// What is between menu and status bar: the notices, the panels and views or the welcome page in their place, the
/// jobs.
class WindowCentre : public QWidget
{
    Q_OBJECT

public:
    /// @param settings, choices, selection  must outlive the object
    WindowCentre(Settings& settings, Choices& choices, SelectionHub& selection, QWidget* parent);

    [[nodiscard]] NoticeBar& notices() const { return *m_notices; }
    [[nodiscard]] DataPanel& dataPanel() const { return *m_data; }
    [[nodiscard]] ViewStack& views() const { return *m_views; }
    [[nodiscard]] ShownBar& shownBar() const { return *m_shownBar; }
    [[nodiscard]] SidePanels& sidePanels() const { return *m_side; }
    [[nodiscard]] Inspector& inspector() const { return *m_inspector; }
    [[nodiscard]] WelcomePage& welcome() const { return *m_welcome; }
    [[nodiscard]] JobStrip& jobStrip() const { return *m_jobs; }
    /// Data panel, views and right side.
    [[nodiscard]] QSplitter& splitter() const { return *m_splitter; }

    /// Brings the page of the document to the front of the right side.
    void showDocumentPage();
    /// Puts the welcome page in the place of panels and views, or takes it away.
    void setWelcomeShown(bool shown);
    [[nodiscard]] bool welcomeShown() const { return m_welcomeShown; }
    /// Puts a page over panels and views, or over the welcome page; null: takes it away. It becomes this one's.
    void setCover(QWidget* page);
    [[nodiscard]] QWidget* cover() const { return m_cover; }
    /// Asks panels and views again how much room they need: what is covered does not tell by itself.
    void refreshRoom();
    /// Adds a column on the right of all that, which becomes this one's.
    void addColumn(QWidget* column);

Q_SIGNALS:
    /// The welcome page has given way to a cache.
    void welcomeLeft();

private:
    void buildPanels();
    void refreshStack();

    Settings& m_settings;
    Choices& m_choices;
    SelectionHub& m_selection;
    NoticeBar* m_notices = nullptr;
    QHBoxLayout* m_middle = nullptr;   ///< the stack, and the column at its right
    QStackedWidget* m_stack = nullptr; ///< the splitter, the welcome page, or what covers both
    QWidget* m_cover = nullptr;        ///< one of its pages; null: none
    bool m_welcomeShown = false;
    QSplitter* m_splitter = nullptr;
    DataPanel* m_data = nullptr;
    ViewStack* m_views = nullptr;
    ShownBar* m_shownBar = nullptr;
    SidePanels* m_side = nullptr;
    Inspector* m_inspector = nullptr;
    WelcomePage* m_welcome = nullptr;
    JobStrip* m_jobs = nullptr;
};

} // namespace headscope::ui
