// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/probe_result.h"
#include "ui/models/frame_model.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// One fit of the probe's table.
struct ProbeRow
{
    std::shared_ptr<const ProbeResult> result;
    std::shared_ptr<const ProbeResult> control; ///< the same with shuffled labels; null: not run
    QStringList notices;                        ///< what to know before believing the numbers
    bool grouped = false;                       ///< whether its classes fall into KV groups; set by ProbeView::addRow
};

/// Table 1 of the paper that README.md cites: one row per layer and stage, accuracy with its interval, and what it
/// was tested on. Rows are in the order of layers and stages, whenever they were fitted.
class ProbeTableModel : public FrameModel
{
    Q_OBJECT

public:
    enum Column
    {
        LayerColumn,
        StageColumn,
        AccuracyColumn,
        IntervalColumn,
        MacroF1Column,
        WithinColumn,
        AcrossColumn,
        ConfusedColumn,
        ControlGapColumn,
        ControlColumn,
        RowsColumn,
        FitColumn,
        ColumnCount,
    };
    using Place = std::pair<LayerIndex, Stage>;

    explicit ProbeTableModel(QObject* parent = nullptr);

    void clear();
    /// Puts a row into its place; one of the same layer and stage is replaced.
    void addRow(ProbeRow row);
    [[nodiscard]] const std::vector<ProbeRow>& rows() const { return m_rows; }
    /// Row of a layer and stage; -1 where there is none.
    [[nodiscard]] int rowOf(Place place) const;
    /// The layer and stage that the data panel shows: their row is marked.
    void setChosen(std::optional<Place> place);

private:
    /// What its frame does not say of a cell.
    [[nodiscard]] QVariant extra(const ProbeRow& row, int column, int role) const;

    std::vector<ProbeRow> m_rows;
    std::optional<Place> m_chosen;
};

} // namespace headscope::ui
