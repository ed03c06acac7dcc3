// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLabel;
class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace headscope::ui
{

/// Every action of the menus under one field: type some letters of it, Return runs it. What cannot
/// be done now is last and pale.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    CommandPalette(const QMenuBar& menus, QWidget* parent);

    /// "View › Light or dark › Dark" of what is listed now, top first.
    [[nodiscard]] QStringList shownCommands() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Command
    {
        QString path; ///< menus and name, without mnemonics
        QPointer<QAction> action;
    };

    void collect(const QList<QAction*>& actions, const QString& path);
    void refresh();
    void runCurrent();

    QList<Command> m_commands;
    QLineEdit* m_field = nullptr;
    QTreeWidget* m_list = nullptr;
    QLabel* m_none = nullptr; ///< says that nothing fits what is typed
};

/// How well a command answers what was typed: every word must be there; 0 = it does not, more for
/// words at the start of the command's words. A word that only the tip has counts least.
[[nodiscard]] int matchScore(const QString& command, const QString& typed, const QString& tip = {});

} // namespace headscope::ui
