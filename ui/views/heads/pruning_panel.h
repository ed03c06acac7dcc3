// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_results.h"
#include "ui/views/heads/pruning_curve.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class RankTableModel;

/// The greedy order in which heads (or segments, or KV groups) are taken away, as a curve or as a table.
class PruningPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PruningPanel(QWidget* parent);

    /// The words of another model or stage; steps are single heads again.
    void setModel(const ModelInfo& info, Stage stage);
    /// @param groups  whether whole KV groups go at each step
    void setSteps(std::vector<PruningStep> steps, bool groups);
    /// How many of the first units are off now; none: another set is.
    void setCurrentStep(std::optional<std::int64_t> off);
    /// Whether the order is shown as a table, and not as a curve.
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] bool byGroups() const;
    [[nodiscard]] PruningCurve* curve() const { return m_curve; }
    [[nodiscard]] QTableView* table() const { return m_table; }

Q_SIGNALS:
    void unitChanged();
    void stepClicked(std::int64_t off);

private:
    void buildPages();
    void refreshTable();
    [[nodiscard]] PruningCurve::Saves saves() const;

    ModelInfo m_info;
    Stage m_stage = Stage::HeadOutput;
    bool m_groups = false; ///< what the steps are
    QComboBox* m_unit = nullptr;
    QToolButton* m_asCurve = nullptr;
    QToolButton* m_asTable = nullptr;
    QStackedWidget* m_pages = nullptr;
    PruningCurve* m_curve = nullptr;
    QTableView* m_table = nullptr;
    RankTableModel* m_model = nullptr;
};

} // namespace headscope::ui
