// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"

#include <QWidget>

class QFrame;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class WrapRow;

class EmptyState;

/// What a view shows above its bar: its page, or why there is none. Shared by the views of heads.
class ViewPages : public QWidget
{
    Q_OBJECT

public:
    explicit ViewPages(QWidget* parent = nullptr);

    /// Where the view puts what it shows; it has no layout yet.
    [[nodiscard]] QWidget* page() const { return m_page; }
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    /// Whether there is something to show.
    void setFilled(bool filled);
    /// Whether any head is chosen: without one a sentence that says so replaces the page.
    void setAnyHead(bool any);
    /// Whose rows are chosen, heads or segments: that sentence says which.
    void setStage(Stage stage);
    [[nodiscard]] bool pageShown() const;

Q_SIGNALS:
    void emptyActionRequested();
    void allHeadsRequested();
    /// Page or empty state: the bar under a page goes with it.
    void pageShownChanged(bool shown);

private:
    void refresh();
    /// Whether a widget around this one has the focus, which it got when there was no control to pass it to.
    [[nodiscard]] bool keyboardWaits() const;

    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    EmptyState* m_noHeads = nullptr;
    QWidget* m_page = nullptr;
    bool m_filled = false;
    bool m_anyHead = true;
};

/// Says that no head is chosen, and offers to choose all.
[[nodiscard]] EmptyState* makeNoHeadsState(QWidget* parent);
/// The same in the words of a stage: rows of stages 2 and 3 are segments.
void sayNoHeads(EmptyState& state, Stage stage);

/// The bar under a view, and the row its controls are in.
[[nodiscard]] QFrame* makeViewBar(QWidget* parent, WrapRow** row);

/// A flat button that shows one of several pages: to be put into a QButtonGroup with the others.
[[nodiscard]] QToolButton* makePageButton(const char* name, const QString& text, const QString& tip, QWidget* parent);

/// Gives a table the look of all tables of the window: no grid, selection of single rows, flat headers.
void dressTable(QTableView* table);

} // namespace headscope::ui
