// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chosen_table.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// The chosen documents as a table, in an order that is computed elsewhere: sorting hundreds of thousands would block
/// the window.
class ChosenModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit ChosenModel(QObject* parent = nullptr);

    /// @param rows  of the table that are listed, in their order
    void setTable(std::shared_ptr<const ChosenTable> table, std::vector<std::int64_t> rows);
    [[nodiscard]] const std::shared_ptr<const ChosenTable>& table() const { return m_table; }
    [[nodiscard]] const std::vector<std::int64_t>& rows() const { return m_rows; }
    /// The row that lists a document, or -1.
    [[nodiscard]] int rowOf(DocumentIndex document) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Only asks for the order.
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void sortRequested(int column, bool descending);

private:
    std::shared_ptr<const ChosenTable> m_table;
    std::vector<std::int64_t> m_rows;
};

} // namespace headscope::ui
