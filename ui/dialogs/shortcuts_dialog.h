// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QPointer>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QMenuBar;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace headscope::ui
{

class Shortcuts;

/// Every action by its menu with its keys; the chosen one's keys are typed below. A change takes effect at once; keys
/// that collide are refused with the reason. The keys of the views are at the end, for reading.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param shortcuts  must outlive the dialog
    ShortcutsDialog(Shortcuts& shortcuts, const QMenuBar& menus, QWidget* parent);

    /// Chooses an action's row.
    void choose(const QAction* action);
    /// What the dialog says about the last keys; empty when they were accepted.
    [[nodiscard]] QString message() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void collect(const QList<QAction*>& actions, QTreeWidgetItem* parent, const QString& path);
    void addViewKeys();
    void addGestures();
    /// A line that can only be read.
    static void addFixed(QTreeWidgetItem* heading, const QString& what, const QString& keys);
    void buildEditor(QVBoxLayout* layout);
    void filter(const QString& typed);
    void refresh();
    void showCurrent();
    void take(const QString& refusal);
    [[nodiscard]] QAction* current() const;

    Shortcuts& m_shortcuts;
    QLineEdit* m_search = nullptr;
    QTreeWidget* m_tree = nullptr;
    QLabel* m_nothing = nullptr; ///< says that nothing fits what is searched
    QLabel* m_name = nullptr;
    QKeySequenceEdit* m_keys = nullptr;
    QPushButton* m_none = nullptr;
    QPushButton* m_reset = nullptr;
    QPushButton* m_resetAll = nullptr;
    QLabel* m_message = nullptr;
    QHash<QTreeWidgetItem*, QPointer<QAction>> m_actions;
};

} // namespace headscope::ui
