// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/label_join.h"

#include <QDialog>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace headscope::ui
{

class ElidedLabel;

/// Shows what joining a file of labels to the documents would do, before it is done: which rows and
/// documents match, which do not, and what columns there would be. It joins nothing itself.
class JoinDialog : public QDialog
{
    Q_OBJECT

public:
    explicit JoinDialog(QWidget* parent);

    /// Shows a join; the columns worth joining are ticked.
    void setJoin(std::shared_ptr<const LabelJoin> join);
    [[nodiscard]] const std::shared_ptr<const LabelJoin>& join() const { return m_join; }
    /// Names of the ticked columns.
    [[nodiscard]] std::vector<std::string> columns() const;

    [[nodiscard]] QComboBox* idBox() const { return m_id; }
    [[nodiscard]] QTreeWidget* columnTree() const { return m_columns; }
    [[nodiscard]] QPushButton* applyButton() const { return m_apply; }
    /// "3,940 of 3,947 documents have a row": what matches.
    [[nodiscard]] QString matchLine() const;
    /// The ids that do not match, both ways.
    [[nodiscard]] QString unmatchedText() const;

Q_SIGNALS:
    /// Another column holds the ids: the join is wanted again.
    void idColumnChosen(const QString& column);
    void applyRequested(const std::vector<std::string>& columns);

private:
    void showColumns();
    void showUnmatched();
    void refresh();

    std::shared_ptr<const LabelJoin> m_join;
    ElidedLabel* m_file = nullptr;
    QComboBox* m_id = nullptr;
    QLabel* m_match = nullptr;
    QTreeWidget* m_columns = nullptr;
    QLabel* m_unmatchedTitle = nullptr;
    QPlainTextEdit* m_unmatched = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_apply = nullptr;
};

} // namespace headscope::ui
