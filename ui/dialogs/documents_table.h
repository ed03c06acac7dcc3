// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_preview.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QTableWidget;

namespace headscope::ui
{

class NoteArea;
class RoleHeader;

/// The first rows of a file of documents. The user sets what each column is by a click on its heading, or by keys in
/// any cell: T text, I id, L label, # number, N not used, Space for the choice. A row that cannot be used is in its
/// place with the reason.
class DocumentsTable : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentsTable(QWidget* parent);

    /// No file is named.
    void clear();
    /// The first rows of a file are being read.
    void setReading(const QString& file);
    void setPreview(std::shared_ptr<const DocumentPreview> preview);
    /// The file cannot be read at all.
    void setFault(const Error& error);

    [[nodiscard]] const std::vector<ColumnRole>& roles() const { return m_roles; }
    void setRole(int column, ColumnRole role);
    /// Null while there is none.
    [[nodiscard]] const std::shared_ptr<const DocumentPreview>& preview() const { return m_preview; }
    /// The command-line words that set these roles; none for those that are the default.
    [[nodiscard]] QStringList arguments() const;
    /// Why the documents cannot be used as they are; "" when they can.
    [[nodiscard]] QString problem() const;

    [[nodiscard]] QTableWidget* table() const { return m_table; }

Q_SIGNALS:
    /// Other rows, or another role.
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] const Error* fault() const;
    void fill();
    void showFault();
    void showRoles();
    void showSummary();
    void fitColumns();
    void chooseRole(int column);

    std::shared_ptr<const DocumentPreview> m_preview;
    std::vector<ColumnRole> m_roles;
    std::shared_ptr<const DocumentPreview> m_before; ///< shown last: the same columns keep their roles
    std::vector<ColumnRole> m_rolesBefore;
    std::optional<Error> m_fault; ///< of the whole file, or of a role
    int m_faultRow = -1;          ///< of the table: the row that cannot be used
    QString m_reading;
    QTableWidget* m_table = nullptr;
    RoleHeader* m_header = nullptr;
    QLabel* m_empty = nullptr; ///< over the table while it has no rows
    NoteArea* m_summary = nullptr;
};

} // namespace headscope::ui
