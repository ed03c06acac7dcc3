// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui
{

struct RankColumn
{
    QString title;
    QString tip;
};

/// A cell as it is read, and the number it is sorted by.
struct RankCell
{
    QString text;
    double number = 0;
};

/// A small ranked table: pairs of heads, steps of an order. Rows are handed in as they rank; `keys` say what a row
/// stands for.
class RankTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int kKeyRole = Qt::UserRole + 200; ///< qint64

    explicit RankTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRows(std::vector<RankColumn> columns, std::vector<std::vector<RankCell>> rows,
                 std::vector<std::int64_t> keys);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RankColumn> m_columns;
    std::vector<std::vector<RankCell>> m_rows; ///< [rows][columns]
    std::vector<std::int64_t> m_keys;          ///< [rows]
};

} // namespace headscope::ui
