// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cache_overview.h"
#include "ui/panels/color_entries.h"
#include "viz/color/head_palette.h"

#include <QScrollArea>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class HeadPicker;
class LayerStrip;
class SectionLabel;
class StageCards;

/// What is looked at: the model, the layer, the stage, the heads, the colours and the labels.
class DataPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit DataPanel(QWidget* parent = nullptr);

    /// Shows a cache (null: nothing is open). Takes its last layer, and stage 1 where it has it.
    void setOverview(std::shared_ptr<const CacheOverview> overview);
    /// The same cache with other label columns; layer, stage and heads stay as they are chosen.
    void setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column);
    void setHeadPalette(const viz::HeadPalette& palette);

    [[nodiscard]] LayerIndex layer() const;
    [[nodiscard]] Stage stage() const;
    [[nodiscard]] std::vector<std::int64_t> heads() const;
    [[nodiscard]] ColorChoice colorChoice() const;
    /// False when the box does not offer it.
    bool setColorChoice(const ColorChoice& choice);
    /// Entries of the colour box under a heading of their own, below heads and labels; they replace those
    /// of the same heading, and none take it away. What is chosen stays chosen where it is still there.
    void setColorGroup(const QString& title, std::vector<ColorEntry> entries);
    /// Says that what the chosen colours stand for has changed.
    void recolor() { Q_EMIT colorChanged(); }
    /// The label column the heatmap and the cards use; "" when the cache has none.
    [[nodiscard]] std::string labelColumn() const;

    [[nodiscard]] HeadPicker* headPicker() const { return m_picker; }
    [[nodiscard]] LayerStrip* layerStrip() const { return m_layers; }
    [[nodiscard]] StageCards* stageCards() const { return m_stages; }
    [[nodiscard]] QComboBox* colorBox() const { return m_color; }
    [[nodiscard]] QComboBox* labelBox() const { return m_labels; }
    [[nodiscard]] QLineEdit* headField() const { return m_headField; }
    void setStage(Stage stage);
    /// Ignored for a layer that the cache does not hold.
    void setLayer(LayerIndex layer);

Q_SIGNALS:
    /// Another layer or stage.
    void sourceChanged();
    void headsChanged();
    void colorChanged();
    void labelChanged();

private:
    void buildModel(QWidget* page);
    void buildHeads(QWidget* page);
    void showModel();
    void showStages();
    void showColumns();
    /// Names and tips that say head or segment, as the stage demands.
    void refreshUnits();
    void fillColors();
    void takeHeadText();
    void showHeads();
    void describe();

    std::shared_ptr<const CacheOverview> m_overview;
    QWidget* m_content = nullptr;
    ElidedLabel* m_name = nullptr;
    QLabel* m_shape = nullptr;
    QLabel* m_size = nullptr;
    ElidedLabel* m_path = nullptr;
    SectionLabel* m_layerTitle = nullptr;
    LayerStrip* m_layers = nullptr;
    StageCards* m_stages = nullptr;
    SectionLabel* m_headTitle = nullptr;
    QToolButton* m_all = nullptr;
    QToolButton* m_none = nullptr;
    HeadPicker* m_picker = nullptr;
    QLineEdit* m_headField = nullptr;
    QLabel* m_headError = nullptr;
    QComboBox* m_color = nullptr;
    std::vector<std::pair<QString, std::vector<ColorEntry>>> m_colorGroups; ///< of others, in their order
    SectionLabel* m_labelTitle = nullptr;
    QComboBox* m_labels = nullptr;
};

} // namespace headscope::ui
