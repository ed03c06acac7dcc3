// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_result.h"
#include "ui/models/frame_model.h"

#include <memory>
#include <vector>

namespace headscope::ui
{

/// What one probe's accuracy is compared with, a row each: splits, chance, nulls, baselines, groups.
class ProbeBaselineModel : public FrameModel
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

    explicit ProbeBaselineModel(QObject* parent = nullptr);

    /// Null: no rows. A probe without baselines has those that need none: itself and chance.
    void setResult(const std::shared_ptr<const ProbeResult>& result);

private:
    struct Row
    {
        QString name;
        double share = 0;
        Interval interval;
        QString tip;       ///< what it is, and how it may mislead
        QString instead{}; ///< is in place of an interval: a deviation, a p
    };

    void addBaselines(const ProbeResult& result);
    void addGroups(const QString& name, const GroupErrors& groups, const QString& tip, bool ranked);

    /// What the frame does not say of a cell.
    [[nodiscard]] QVariant extra(const Row& row, int column, int role) const;

    std::vector<Row> m_rows;
};

} // namespace headscope::ui
