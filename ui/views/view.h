// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <QWidget>

namespace headscope::ui
{

class EmptyState;
class ViewPages;

/// What every view of the window has: a page that stands there while it has nothing to show, and says why and what to
/// do about it.
class View : public QWidget
{
    Q_OBJECT

public:
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    /// What stands there while there is nothing to show.
    /// @param action  the words of a button (emptyActionRequested); empty: there is none
    virtual void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false);
    /// Why there is nothing to show.
    void setError(const Error& error, const QString& action = {});

Q_SIGNALS:
    void emptyActionRequested();
    /// No head is chosen, and all are asked for.
    void allHeadsRequested();

protected:
    explicit View(QWidget* parent) : QWidget(parent) {}
    /// The page without anything to show. Once, from the constructor.
    /// @param noHeads  the one that says that no head is chosen; null: there is none
    void useEmptyState(EmptyState* empty, EmptyState* noHeads = nullptr);
    void useEmptyState(ViewPages* pages);

private:
    EmptyState* m_empty = nullptr;
};

} // namespace headscope::ui
