// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"
#include "ui/view/head_source.h"

#include <QTableView>

#include <memory>
#include <vector>

namespace headscope::ui
{

class FrameModel;

/// All measures in numbers, a row for each head; a heading sorts, heads without a number come last. A click or Return
/// chooses the head.
class AtlasTable : public QTableView, public HeadSource
{
    Q_OBJECT

public:
    explicit AtlasTable(QWidget* parent = nullptr);

    /// @param measures  null: empty
    /// @param info      as rows of the stage fall into groups (groupedAt)
    void setMeasures(std::shared_ptr<const HeadMeasures> measures, const ModelInfo& info);
    /// Where heads are marked, these alone have rows.
    void setMarked(const std::vector<HeadPlace>& marked);
    [[nodiscard]] HeadPlace headOf(const QModelIndex& index) const;
    /// Of the current row.
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override;

Q_SIGNALS:
    void headClicked(const headscope::HeadPlace& head);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fill();

    std::shared_ptr<const HeadMeasures> m_measures;
    ModelInfo m_info;
    std::vector<HeadPlace> m_marked;
    std::vector<HeadPlace> m_heads; ///< [rows]
    bool m_stale = true;            ///< filled when it is looked at
    FrameModel* m_model = nullptr;
};

} // namespace headscope::ui
