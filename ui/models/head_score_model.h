// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/color/head_palette.h"

#include <QAbstractTableModel>

#include <memory>

namespace headscope::ui
{

/// Precision, recall and F1 of each head of one probe, and the head it is most often taken for.
class HeadScoreModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        HeadColumn,
        GroupColumn,
        PrecisionColumn,
        RecallColumn,
        F1Column,
        TakenForColumn,
        ColumnCount,
    };

    explicit HeadScoreModel(QObject* parent = nullptr);

    /// Null: no rows.
    void setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info, const viz::HeadPalette& palette);

    /// Whether rows have a KV group: those of segments have none.
    [[nodiscard]] bool grouped() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// The other head that most rows of this class were given, and how many; -1 where there was none.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> takenFor(std::int64_t row) const;
    [[nodiscard]] double number(std::int64_t row, int column) const;
    [[nodiscard]] QString text(std::int64_t row, int column) const;

    std::shared_ptr<const ProbeResult> m_result;
    ModelInfo m_info;
    viz::HeadPalette m_palette;
};

} // namespace headscope::ui
