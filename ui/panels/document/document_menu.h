// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"

#include <QObject>
#include <QPoint>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QContextMenuEvent;
class QMenu;
class QWidget;

namespace headscope::ui
{

class MainWindow;

/// What can be done with a document.
struct DocumentCommand
{
    QString text;
    QString tip;
    std::function<void(DocumentIndex)> act;
    /// Why it cannot be done, in a sentence; "": it can.
    std::function<QString()> whyNot = {};
    /// Whether it is offered at all; empty: always.
    std::function<bool()> isOffered = {};
};

/// The menu of a document, in all views and panels: by a right click where a document lies under the pointer (a point,
/// a cell, a row of a list), and by the menu key for the row or point that keys have stepped on, else for the document
/// that is shown. Parts with a menu of their own add fill() to it.
/// @threads GUI thread
class DocumentMenu : public QObject
{
    Q_OBJECT

public:
    /// @param window  must outlive the menu
    explicit DocumentMenu(MainWindow& window, QObject* parent = nullptr);

    void add(DocumentCommand command);
    /// Puts the commands into a menu.
    void fill(QMenu& menu, DocumentIndex document) const;
    /// The same for the document under the pointer; nothing where there is none.
    void fillForHovered(QMenu& menu) const;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// A menu is made that no part of the window has: others may add to it. It appears if it is not empty.
    /// @param part  under the pointer, or with the focus
    void menuMade(QMenu* menu, const QWidget* part);

private:
    [[nodiscard]] std::optional<DocumentIndex> documentOf(QWidget& area, const QContextMenuEvent& event) const;

    MainWindow& m_window;
    std::vector<DocumentCommand> m_commands;
};

} // namespace headscope::ui
