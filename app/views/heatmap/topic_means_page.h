// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_widget.h"
#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "ui/canvas/picture_widget.h"
#include "viz/color/kept_scale.h"

#include <QWidget>

#include <cstdint>
#include <optional>

#include <array>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace headscope::viz
{
class MatrixTables;
}

namespace headscope::ui
{

class ColorBar;
class TopicKey;
class ViewState;

/// Heads by topics: the mean cosine of a topic's documents, or how it differs from the other topics or from
/// the full vector. One table per stage.
class TopicMeansPage : public QWidget
{
    Q_OBJECT

public:
    explicit TopicMeansPage(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);
    [[nodiscard]] ColorBar* scale() const { return m_scale; }

    void setPanels(const HeatmapWidget::Panels& panels, const ModelInfo& info);
    void setRows(HeatmapRows rows);
    /// Heads that have a row, 0-based, ascending; empty: all.
    void setHeads(const std::vector<std::int64_t>& heads);
    [[nodiscard]] PictureOf<viz::MatrixTables>* matrix() const { return m_matrix; }
    [[nodiscard]] TopicMeans what() const;
    [[nodiscard]] QString caption() const;
    /// What the colours stand for.
    [[nodiscard]] QString scaleTitle() const;
    /// Another cache: the next means set the limits of the scales.
    void forgetScale();

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);
    void headHovered(std::optional<headscope::HeadIndex> head);
    void topicClicked(std::int64_t topic, Qt::KeyboardModifiers keys);

private:
    [[nodiscard]] QWidget* buildBar();
    void connectMatrix();
    /// What the card next to a cell says.
    [[nodiscard]] HoverContent cardOf(std::size_t table, viz::HeatmapCell cell) const;
    void refresh();
    void showScale(const viz::ScaleChoice& choice);
    [[nodiscard]] viz::KeptScale& kept() { return m_kept[static_cast<std::size_t>(what())]; }

    HeatmapWidget::Panels m_panels;
    ModelInfo m_info;
    std::vector<std::int64_t> m_heads; ///< with a row; empty: all
    HeatmapRows m_rows = HeatmapRows::Index;
    QComboBox* m_what = nullptr;
    PictureOf<viz::MatrixTables>* m_matrix = nullptr;
    TopicKey* m_key = nullptr;
    ColorBar* m_scale = nullptr;
    QToolButton* m_aroundZero = nullptr;
    std::array<viz::KeptScale, 3> m_kept; ///< of each of what()
    QLabel* m_shown = nullptr;
};

} // namespace headscope::ui
