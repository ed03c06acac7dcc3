// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"
#include "model/data/topic_vectors.h"
#include "ui/forms/field_form.h"

#include <QFrame>

#include <cstdint>

class QComboBox;
class QToolButton;

namespace headscope::ui
{

class ColorBar;
class ElidedLabel;
class TopicChooser;
class ViewState;

/// The bar under the heatmap: order of columns and rows, topics, the colour scale, and how many documents
/// are shown.
class HeatmapBar : public QFrame
{
    Q_OBJECT

public:
    explicit HeatmapBar(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Which rows the columns may be sorted by: the full vector and each head. A choice that is still there
    /// is kept.
    void setHeads(std::int64_t heads, const QString& unit);
    /// Whether heads of the model fall into KV groups.
    void setGrouped(bool grouped);
    /// What the columns are made of.
    [[nodiscard]] HeatmapOptions options() const;
    [[nodiscard]] HeatmapRows rows() const;
    /// What stands for the topics.
    [[nodiscard]] TopicVectorChoice topicVectors() const { return m_chosenVectors; }
    /// Sorts the columns.
    void setOrder(const ColumnOrder& order);
    [[nodiscard]] ColorBar* scale() const { return m_scale; }
    [[nodiscard]] TopicChooser* chooser() const { return m_chooser; }
    void setShown(const QString& text, const QString& tip);
    [[nodiscard]] QString shownText() const;
    void refreshTopicsText();

Q_SIGNALS:
    void optionsChanged();
    void rowsChanged();
    void topicVectorsChanged();

private:
    void buildTopicVectors();
    void openChooser();

    QComboBox* m_sort = nullptr;
    QComboBox* m_rows = nullptr;
    QToolButton* m_topics = nullptr;
    TopicVectorChoice m_chosenVectors;
    FieldForm m_vectors;
    TopicChooser* m_chooser = nullptr;
    ColorBar* m_scale = nullptr;
    QToolButton* m_aroundZero = nullptr;
    ElidedLabel* m_shown = nullptr;
};

} // namespace headscope::ui
