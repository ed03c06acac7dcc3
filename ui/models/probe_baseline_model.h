// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_result.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace headscope::ui
{

/// What one probe's accuracy is compared with, a row each: splits, chance, nulls, baselines, groups.
class ProbeBaselineModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        NameColumn,
        ValueColumn,
        IntervalColumn,
        ColumnCount,
    };

    explicit ProbeBaselineModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Null: no rows. A probe without baselines has those that need none: itself and chance.
    void setResult(const std::shared_ptr<const ProbeResult>& result);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        QString name;
        QString value;
        QString interval;
        QString tip; ///< what it is, and how it may mislead
    };

    void addBaselines(const ProbeBaselines& all, Stage stage);
    void addGroups(const QString& name, const GroupErrors& groups, const QString& tip, bool ranked);

    std::vector<Row> m_rows;
};

} // namespace headscope::ui
