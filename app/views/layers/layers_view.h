// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/layer_results.h"
#include "ui/canvas/picture_widget.h"
#include "ui/forms/field_form.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::ui
{

class ElidedLabel;
class LayersChart;
class ViewPages;

inline constexpr ViewId kLayersView("layers");

/// A sentence that names the layers at which heads (else segments) can be distinguished best and worst, by the probe's
/// accuracy, of how many documents that is, and what it does not show. Empty where no probe was fitted.
[[nodiscard]] QString partingText(std::span<const std::shared_ptr<const LayerMeasures>> measures);

/// The layers tab: how well heads can be distinguished, how pure topics are and how similar the heads are, layer by
/// layer. For a cache with few layers it says which are missing.
class LayersView : public View
{
    Q_OBJECT

public:
    explicit LayersView(QWidget* parent = nullptr);

    [[nodiscard]] PictureOf<LayersChart>* chart() const { return m_chart; }

    /// Of an open cache: shows the strip, with nothing measured yet.
    void setLayers(std::int64_t layers, const std::set<std::int64_t>& held);
    void setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures);
    void setCurrent(LayerIndex layer);
    /// Whether any head is chosen in the window.
    void setAnyHead(bool any);
    /// The stage that is chosen, whose rows are heads or segments.
    void setStage(Stage stage);
    /// Says why nothing is measured yet, in place of the chart; an empty title: the chart is shown.
    void setWaiting(const QString& title, const QString& text, const QString& action);
    void setRunning(bool running);
    void setNote(const QString& text);
    [[nodiscard]] QString note() const;
    /// How layers are to be measured; the seed is not chosen here.
    [[nodiscard]] const LayerOptions& options() const { return m_options; }
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;
    /// What is said of layers that the cache lacks; "" where it holds all.
    [[nodiscard]] QString lackText() const;

Q_SIGNALS:
    void measureRequested();
    void stopRequested();
    void extractRequested();
    void optionsChanged();
    void layerChosen(headscope::LayerIndex layer);

private:
    void buildBar();

    LayerOptions m_options;
    FieldForm m_form;
    ViewPages* m_pages = nullptr;
    PictureOf<LayersChart>* m_chart = nullptr;
    QWidget* m_lack = nullptr;
    QLabel* m_lackText = nullptr;
    QLabel* m_parting = nullptr; ///< where heads part, in a sentence
    QWidget* m_bar = nullptr;
    QPushButton* m_measure = nullptr;
    QPushButton* m_stop = nullptr;
    ElidedLabel* m_note = nullptr;
};

} // namespace headscope::ui
