// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QWidget>

#include <vector>

namespace headscope::ui
{

class MainWindow;

/// Moves the focus between the areas of the window: data panel, view, right side, jobs, notices.
class FocusAreas : public QObject
{
    Q_OBJECT

public:
    /// @param areas  in the order of the way; they must outlive the object
    FocusAreas(MainWindow& window, std::vector<QWidget*> areas);

    /// Behind those that are there; it must outlive the object.
    void add(QWidget* area) { m_areas.push_back(area); }
    /// Gives the keyboard to the view in front.
    void focusView();

private:
    void addCommands();
    void focusNext(int step);

    MainWindow& m_window;
    std::vector<QWidget*> m_areas;
};

} // namespace headscope::ui
