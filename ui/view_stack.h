// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <map>

class QLabel;
class QStackedWidget;
class QTabBar;

namespace headscope::ui
{

class TabStrip;

/// The views of the window, in the order of their tabs.
enum class View
{
    Map,
    Grid,
    Compare,
    Heatmap,
    Probe,
    Heads,
    Retrieval,
    Layers,
};

/// A view and what it gives out of the window. Functions may be empty: then the view cannot do it.
struct ViewEntry
{
    View id = View::Map;
    QString title;
    QWidget* widget = nullptr;
    /// What is shown, how it is computed, and where that comes from: one or two sentences.
    QString help;
    /// Writes the view to a file, by the file's ending; the user has agreed to replace it.
    std::function<void(const QString& path)> save;
    /// Of the dialog that asks for the file: "PNG picture (*.png)".
    QStringList filters;
    /// The `headscope` line that makes the same.
    std::function<QString()> commandLine;
    /// Puts the view on the clipboard.
    std::function<void()> copy;
};

/// The tabs, a line that says what the view shows, and the view.
class ViewStack : public QWidget
{
    Q_OBJECT

public:
    explicit ViewStack(QWidget* parent = nullptr);

    /// Adds a view at its place among the tabs, or replaces what is known of one that is there.
    /// The widget becomes the stack's.
    void addView(ViewEntry entry);
    [[nodiscard]] bool has(View view) const { return m_entries.contains(view); }
    /// @pre has(view)
    [[nodiscard]] const ViewEntry& entry(View view) const { return m_entries.at(view); }
    [[nodiscard]] const std::map<View, ViewEntry>& entries() const { return m_entries; }

    /// Shows a view; nothing happens for one that is not there.
    void setCurrent(View view);
    /// @pre at least one view was added
    [[nodiscard]] View current() const;
    void setHelpShown(bool shown);
    /// A line over every view; it becomes the stack's, and shows and hides itself.
    void setBanner(QWidget* banner);
    [[nodiscard]] QString helpText() const;
    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }

Q_SIGNALS:
    void currentChanged(headscope::ui::View view);

private:
    void showTab(int index);
    void refreshHelp();

    std::map<View, ViewEntry> m_entries;
    std::map<View, QWidget*> m_rooms; ///< in which they scroll
    TabStrip* m_strip = nullptr;
    QTabBar* m_tabs = nullptr; ///< of the strip
    QLabel* m_help = nullptr;
    QWidget* m_helpRow = nullptr;
    QStackedWidget* m_pages = nullptr;
    bool m_helpShown = true;
};

} // namespace headscope::ui
