// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/probe_result.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace headscope::ui
{

/// The paper's Table 1: one row per stage, accuracy with its interval, and what it was tested on.
class ProbeTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        StageColumn,
        AccuracyColumn,
        IntervalColumn,
        MacroF1Column,
        WithinColumn,
        AcrossColumn,
        TrainColumn,
        TestColumn,
        ColumnCount,
    };

    explicit ProbeTableModel(QObject* parent = nullptr);

    void setResults(std::vector<std::shared_ptr<const ProbeResult>> results);
    [[nodiscard]] const std::vector<std::shared_ptr<const ProbeResult>>& results() const { return m_results; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<std::shared_ptr<const ProbeResult>> m_results;
};

} // namespace headscope::ui
