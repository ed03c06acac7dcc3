// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "viz/heatmap/heatmap_cells.h"

#include <QWidget>

#include <optional>
#include <vector>

class QButtonGroup;
class QComboBox;
class QToolButton;

namespace headscope::ui
{

class ViewState;

/// The row over the heatmap: its three ways to look, the stages shown, what a pixel of several documents shows, and
/// whether the bars of match are wanted.
class HeatmapModes : public QWidget
{
    Q_OBJECT

public:
    enum class Mode
    {
        Documents,
        Similarity,
        Means,
    };

    explicit HeatmapModes(QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    [[nodiscard]] Mode mode() const;
    void setMode(Mode mode);
    /// Offers these, without a signal; the one that is chosen stays where it is among them.
    void setStages(const std::vector<Stage>& stages);
    /// The only one that is shown; nothing: all are.
    [[nodiscard]] std::optional<Stage> stage() const;
    [[nodiscard]] viz::CellPooling pooling() const;
    [[nodiscard]] bool matchWanted() const;
    void setMatchWanted(bool wanted);
    /// Which choices there are now.
    /// @param documents  those of documents' cells: pooling and match
    void showChoices(bool stages, bool documents);

Q_SIGNALS:
    void modeChanged();
    void stageChanged();
    void poolingChanged();
    void matchToggled(bool wanted);

private:
    void buildModes();
    void buildChoices();

    QButtonGroup* m_modes = nullptr;
    QComboBox* m_stages = nullptr;
    QComboBox* m_pooling = nullptr;
    QToolButton* m_match = nullptr;
};

} // namespace headscope::ui
