// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/importance_results.h"
#include "viz/color/head_palette.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace headscope::ui
{

class ElidedLabel;
class EmptyState;
class FrameModel;
class ImportancePlot;
class SectionLabel;

/// What is asked for when heads are measured in the running model.
struct ImportanceChoices
{
    std::int64_t layer = 0;
    bool groups = false;
    bool mean = false;
    std::int64_t documents = 100;

    friend bool operator==(const ImportanceChoices&, const ImportanceChoices&) = default;
};

/// What the running model loses without heads beside a mere cut of the cached vectors: a table that sorts by any
/// column, and a plot of one against the other.
class ImportancePanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::int64_t kDefaultDocuments = 100;

    explicit ImportancePanel(QWidget* parent = nullptr);

    /// Another model: its layers and groups; nothing is measured yet.
    /// @param documents  of the cache
    void setModel(const ModelInfo& info, const viz::HeadPalette& palette, std::int64_t documents);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// The layer that the window shows, which is asked for unless the user chose another.
    void setLayer(std::int64_t layer);
    [[nodiscard]] ImportanceChoices choices() const;
    /// Why nothing can be measured; "": it can.
    void setObstacle(const QString& text, const QString& action = {});
    /// While it is measured: what is being done.
    void setBusy(bool busy);
    void setProblem(const QString& title, const QString& text);
    void setComparison(std::shared_ptr<const ImportanceComparison> comparison);
    [[nodiscard]] std::shared_ptr<const ImportanceComparison> comparison() const { return m_comparison; }
    /// The measure that is shown.
    [[nodiscard]] ImportanceMeasure measure() const;
    void setMeasure(ImportanceMeasure measure);
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] ImportancePlot* plot() const { return m_plot; }
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    /// What was measured over what, as it stands above the table.
    [[nodiscard]] QString ofText() const;
    /// The sentence under the table.
    [[nodiscard]] QString legendText() const;

Q_SIGNALS:
    void measureRequested();
    /// The action of the obstacle: the model is to be chosen.
    void obstacleActionRequested();
    void saveRequested();
    /// A row or dot was chosen: these heads are to be marked.
    void headsClicked(const std::vector<std::int64_t>& heads);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeResult();
    void connectControls();
    void refresh();
    void refreshTable();
    void refreshPlot();
    void arrange();
    void clickPlayer(std::int64_t player);
    [[nodiscard]] QString emptyText() const;

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::shared_ptr<const ImportanceComparison> m_comparison;
    QString m_obstacle;
    QString m_obstacleAction;
    bool m_isBusy = false;
    bool m_layerChosen = false;

    SectionLabel* m_title = nullptr;
    ElidedLabel* m_of = nullptr;
    QSpinBox* m_layer = nullptr;
    QComboBox* m_units = nullptr;
    QComboBox* m_ablation = nullptr;
    QSpinBox* m_documents = nullptr;
    QPushButton* m_run = nullptr;
    QComboBox* m_measure = nullptr;
    QPushButton* m_save = nullptr;
    QStackedWidget* m_pages = nullptr;
    EmptyState* m_empty = nullptr;
    QBoxLayout* m_beside = nullptr;
    int m_tableWidth = 0; ///< with all columns in sight
    FrameModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    ImportancePlot* m_plot = nullptr;
    QLabel* m_legend = nullptr;
};

} // namespace headscope::ui
