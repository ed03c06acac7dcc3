// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/head_palette.h"

#include <QScrollArea>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace headscope::ui
{

class Choices;
class ElidedLabel;
class HeadPicker;
class LayerStrip;
template <class P>
class PictureOf;
class SectionLabel;
class StageCards;

/// Shows and changes what is looked at: the model, the layer, the stage, the heads, the colours and the labels.
class DataPanel : public QScrollArea
{
    Q_OBJECT

public:
    /// @param choices  must outlive the panel
    explicit DataPanel(Choices& choices, QWidget* parent = nullptr);

    void setHeadPalette(const viz::HeadPalette& palette);

    [[nodiscard]] HeadPicker* headPicker() const { return m_picker; }
    [[nodiscard]] PictureOf<LayerStrip>* layerStrip() const { return m_layers; }
    [[nodiscard]] StageCards* stageCards() const { return m_stages; }
    [[nodiscard]] QComboBox* colorBox() const { return m_color; }
    [[nodiscard]] QComboBox* labelBox() const { return m_labels; }
    [[nodiscard]] QLineEdit* headField() const { return m_headField; }

Q_SIGNALS:
    /// The user wants to see where in a layer the stages are read.
    void schemaAsked();

private:
    void buildModel(QWidget* page);
    void buildHeads(QWidget* page);
    void showAll();
    void showModel();
    void showSource();
    void showColumns();
    /// Names and tips that say head or segment, as the stage demands.
    void refreshUnits();
    void showColor();
    void showLabel();
    void takeHeadText();
    void showHeads();
    void describe();

    Choices& m_choices;
    QWidget* m_content = nullptr;
    ElidedLabel* m_name = nullptr;
    QLabel* m_shape = nullptr;
    QLabel* m_changed = nullptr; ///< what was changed in the model; hidden: nothing
    QLabel* m_size = nullptr;
    ElidedLabel* m_path = nullptr;
    QPushButton* m_asks = nullptr;
    SectionLabel* m_layerTitle = nullptr;
    PictureOf<LayerStrip>* m_layers = nullptr;
    StageCards* m_stages = nullptr;
    SectionLabel* m_headTitle = nullptr;
    QToolButton* m_all = nullptr;
    QToolButton* m_none = nullptr;
    HeadPicker* m_picker = nullptr;
    QLineEdit* m_headField = nullptr;
    QLabel* m_headError = nullptr;
    QComboBox* m_color = nullptr;
    SectionLabel* m_labelTitle = nullptr;
    QComboBox* m_labels = nullptr;
};

} // namespace headscope::ui
