// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"
#include "ui/window/view_id.h"
#include "viz/export/figure_export.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace headscope::ui
{

class TabStrip;
class ViewState;

/// A view, with its functions to save and copy. Functions may be empty: then the view cannot do it.
struct ViewEntry
{
    ViewId id;
    QString title; ///< of its tab and its action
    QWidget* widget = nullptr;
    ViewState* state = nullptr; ///< what it remembers; null: nothing
    /// What is shown: one sentence.
    QString help;
    /// Writes the view to a file, by the file's ending; the user has agreed to replace it.
    std::function<void(const QString& path)> save;
    /// Shows what save() would write as a picture.
    FigurePainter preview;
    /// What it shows now, for paper of any size; null where it shows nothing yet.
    std::function<viz::Figure()> figure{};
    /// Of the dialog that asks for the file: "PNG picture (*.png)".
    QStringList filters;
    /// The `headscope` line that makes the same.
    std::function<QString()> commandLine;
    /// Puts the view on the clipboard.
    std::function<void()> copy;
    /// Keys of the jobs that make what it shows: their command line is the view's.
    QStringList jobs;
    /// Gets the focus with the view; null: the first part that accepts it.
    QWidget* focus = nullptr;
    /// What is written onto the figures that are saved of it.
    std::vector<viz::Annotation> annotations{};
    /// How it is computed, what it does not show, and where it comes from: paragraphs; "": there is no more.
    QString more{};
    /// What else the search of commands finds it by: what it answers, with the verbs of the command line; "": nothing.
    QString answers{};
};

/// The tabs, a line that says what the view shows, and the view.
class ViewStack : public QWidget
{
    Q_OBJECT

public:
    explicit ViewStack(QWidget* parent = nullptr);

    /// Adds a view after the existing ones. The stack takes ownership of the widget.
    /// @pre !has(entry.id)
    void addView(ViewEntry entry);
    [[nodiscard]] bool has(ViewId view) const { return find(view) != nullptr; }
    /// Null for a view that is not there.
    [[nodiscard]] const ViewEntry* find(ViewId view) const;
    /// The view of this key; none where no view has it.
    [[nodiscard]] ViewId idOf(const QString& key) const;
    [[nodiscard]] const std::vector<ViewEntry>& entries() const { return m_entries; }

    /// Shows a view; nothing happens for one that is not there.
    void setCurrent(ViewId view);
    /// The keyboard goes into the current view, unless it is there: to what had it last, else to the first control.
    void takeFocus();
    /// None before one was added.
    [[nodiscard]] ViewId current() const;
    /// Of the view in front; null before one was added.
    [[nodiscard]] const ViewEntry* currentEntry() const { return find(current()); }
    /// @pre has(view)
    void setAnnotations(ViewId view, std::vector<viz::Annotation> annotations);
    void setHelpShown(bool shown);
    /// A line over every view; the stack takes ownership, and the line shows and hides itself.
    void setBanner(QWidget* banner);
    [[nodiscard]] QString helpText() const;
    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }

Q_SIGNALS:
    void currentChanged(headscope::ui::ViewId view);
    /// The user wants to read what there is more about the view in front.
    void moreRequested();
    void annotationsChanged(headscope::ui::ViewId view);

private:
    void showTab(int index);
    void refreshHelp();

    std::vector<ViewEntry> m_entries; ///< in the order of the tabs
    std::vector<QWidget*> m_rooms;    ///< in which they scroll
    TabStrip* m_strip = nullptr;
    QTabBar* m_tabs = nullptr; ///< of the strip
    QLabel* m_help = nullptr;
    QToolButton* m_more = nullptr;
    QWidget* m_helpRow = nullptr;
    QStackedWidget* m_pages = nullptr;
    bool m_helpShown = true;
};

} // namespace headscope::ui
