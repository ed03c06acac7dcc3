// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_preview.h"

#include <QHeaderView>

namespace headscope::ui
{

/// Headings of a table of documents: the column's name, and below it what the column is taken for. They can be
/// clicked; the one of the current cell is marked while the table has the keyboard.
class RoleHeader : public QHeaderView
{
    Q_OBJECT

public:
    static constexpr int kRole = Qt::UserRole + 1; ///< of the model's headings: a ColumnRole as int
    static constexpr int kHeight = 44;

    explicit RoleHeader(QWidget* parent);
    /// -1: none.
    void setMarked(int section);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override;

private:
    [[nodiscard]] ColumnRole roleOf(int section) const;
    int m_marked = -1;
};

} // namespace headscope::ui
