// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/topic_results.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QSpinBox;
class QStackedLayout;

namespace headscope::ui
{

class EmptyState;
class HeatmapWidget;

/// The heatmap tab: the picture, and under it how its columns are chosen and sorted, the colour
/// scale, and how many documents of how many topics are shown.
class HeatmapView : public QWidget
{
    Q_OBJECT

public:
    explicit HeatmapView(QWidget* parent = nullptr);

    [[nodiscard]] HeatmapWidget* heatmap() const { return m_heatmap; }
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }

    /// Shows heatmaps (one per stage), or the empty state when there are none.
    /// @param topicsInCache  categories of the label column
    void setHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, const ModelInfo& info,
                     std::int64_t topicsInCache);
    void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false);
    /// Which rows the columns may be sorted by: the full vector and each head.
    void setHeads(std::int64_t heads, const QString& unit);
    [[nodiscard]] HeatmapOptions options() const;

Q_SIGNALS:
    void optionsChanged();
    void emptyActionRequested();

private:
    void buildBar();

    HeatmapWidget* m_heatmap = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    QWidget* m_bar = nullptr;
    QComboBox* m_sort = nullptr;
    QSpinBox* m_perTopic = nullptr;
    QWidget* m_scale = nullptr;
    QLabel* m_shown = nullptr;
};

} // namespace headscope::ui
