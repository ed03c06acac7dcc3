// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/welcome_page.h"

#include <QList>
#include <QObject>
#include <QStringList>

class QDragEnterEvent;
class QDropEvent;
class QMenu;

namespace headscope::ui
{

class MainWindow;

/// What opens files: Open…, the files opened last, the demos, Extract…, what is dropped, the welcome page; and Quit.
class OpenMenu : public QObject
{
    Q_OBJECT

public:
    /// @param window  must outlive the object
    explicit OpenMenu(MainWindow& window);

    /// Asks for a file and has it opened.
    void ask();
    /// A file over the window: accepted where it can be opened, else a notice says why not.
    void takeDrag(QDragEnterEvent* event);
    void takeDrop(QDropEvent* event);
    void setDemos(const QList<Demo>& demos);
    [[nodiscard]] bool isDemo(const QString& path) const;

private:
    void addCommands();
    void connectWelcome();
    void fillRecent();

    MainWindow& m_window;
    QMenu* m_recent = nullptr;
    QMenu* m_demos = nullptr;
    QStringList m_demoPaths; ///< canonical
};

} // namespace headscope::ui
