// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/ablation/units_panel.h"
#include "model/data/model_info.h"
#include "model/data/results/importance_options.h"
#include "model/data/results/importance_results.h"
#include "ui/canvas/picture_widget.h"
#include "viz/color/head_palette.h"

#include <cstdint>
#include <memory>

class QBoxLayout;
class QComboBox;
class QPushButton;
class QTableView;

namespace headscope::ui
{

class FrameModel;
class ImportancePlot;
class ViewState;

/// What the running model loses without heads next to a mere cut of the cached vectors: a table that sorts by any
/// column, and a plot of one against the other.
class ImportancePanel : public UnitsPanel
{
    Q_OBJECT

public:
    explicit ImportancePanel(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Another model: its layers and groups; nothing is measured yet.
    /// @param documents  of the cache
    void setModel(const ModelInfo& info, const viz::HeadPalette& palette, std::int64_t documents);
    void setHeadPalette(const viz::HeadPalette& palette);
    [[nodiscard]] const ImportanceChoices& choices() const { return m_chosen; }
    void setComparison(std::shared_ptr<const ImportanceComparison> comparison);
    [[nodiscard]] std::shared_ptr<const ImportanceComparison> comparison() const { return m_comparison; }
    /// The measure that is shown.
    [[nodiscard]] ImportanceMeasure measure() const;
    void setMeasure(ImportanceMeasure measure);
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] PictureOf<ImportancePlot>* plot() const { return m_plot; }

Q_SIGNALS:
    void saveRequested();
    /// A row or dot was chosen: these heads are to be marked.
    void headsClicked(const std::vector<std::int64_t>& heads);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void refresh() override;

private:
    void makeControls();
    void makeResult(QWidget* page);
    void connectControls();
    void refreshTable();
    void refreshPlot();
    void arrange();
    void clickPlayer(std::int64_t player);

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::shared_ptr<const ImportanceComparison> m_comparison;
    ImportanceChoices m_chosen;
    AblationLimits m_limits;

    QComboBox* m_measure = nullptr;
    QPushButton* m_save = nullptr;
    QBoxLayout* m_beside = nullptr;
    int m_tableWidth = 0; ///< with all columns in sight
    FrameModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    PictureOf<ImportancePlot>* m_plot = nullptr;
};

} // namespace headscope::ui
