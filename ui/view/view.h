// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "viz/picture/picture.h"

#include <QWidget>

#include <optional>

namespace headscope::ui
{

class EmptyState;
class ViewPages;
class ViewState;

/// What every view of the window has: a page that is there while it has nothing to show, and says why and what to
/// do about it.
class View : public QWidget
{
    Q_OBJECT

public:
    /// What it remembers: each view declares the values, its constructor binds them.
    [[nodiscard]] ViewState& viewState() const { return *m_viewState; }
    /// Whether a worker still computes something for what is shown.
    [[nodiscard]] virtual bool catchingUp() const { return false; }
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    /// What is there while there is nothing to show.
    /// @param action  the words of a button (emptyActionRequested); empty: there is none
    virtual void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false);
    /// The head that the view is about, where it is about one.
    [[nodiscard]] virtual std::optional<viz::ItemHead> headShown() const { return std::nullopt; }
    /// Why there is nothing to show.
    void setError(const Error& error, const QString& action = {});

Q_SIGNALS:
    void emptyActionRequested();
    /// No head is chosen, and all are asked for.
    void allHeadsRequested();
    /// Return on a part that knows its head (HeadSource) and does nothing by that key itself.
    void headCardRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    explicit View(QWidget* parent);
    /// The page without anything to show. Once, from the constructor.
    /// @param noHeads  the one that says that no head is chosen; null: there is none
    void useEmptyState(EmptyState* empty, EmptyState* noHeads = nullptr);
    void useEmptyState(ViewPages* pages);

private:
    ViewState* m_viewState = nullptr; ///< before the controls it is bound to: its destructor comes first
    EmptyState* m_empty = nullptr;
};

} // namespace headscope::ui
