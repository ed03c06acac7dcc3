// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/window_layout.h"

#include <QAction>
#include <QObject>
#include <QSplitter>

namespace headscope::ui
{

class MainWindow;

/// Saves the layout of the window in the settings and restores it, and has the commands that show and hide parts.
/// Views, pages and commands that are added later are restored when they come.
class LayoutKeeper : public QObject
{
    Q_OBJECT

public:
    /// @param splitter  data panel, views and right side
    LayoutKeeper(MainWindow& window, QSplitter& splitter);

    /// Before it is shown the first time: no larger than its screen has room for.
    void fitToScreen();
    void restore();
    void reset();
    void keep();
    /// A view or a page was added; it comes to the front if it was in front last time.
    void takeView(const QString& key);
    void takeSidePanel(const QString& id);
    void showSide() { m_side->setChecked(true); }

private:
    void addCommands();
    void takeAction(QAction* action);
    [[nodiscard]] WindowLayout now() const;
    void apply(const WindowLayout& layout);

    MainWindow& m_window;
    QSplitter& m_splitter;
    WindowLayout m_restored;      ///< of last time
    QString m_viewToRestore;      ///< key of a view; views come after the layout was read
    QString m_sidePanelToRestore; ///< id of a page
    QAction* m_data = nullptr;
    QAction* m_side = nullptr;
    QAction* m_jobs = nullptr;
};

} // namespace headscope::ui
