// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "ui/models/probe_table_model.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <set>
#include <vector>

class QButtonGroup;
class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class FrameModel;
template <class P>
class PictureOf;
class ProbeBaselineModel;
class RecallChart;
class SectionLabel;
class SweepChart;
class ViewState;

/// What is drawn of the probes: the sweep over the layers, or of the row that is looked at the recall and the scores of
/// each head, and what its accuracy is compared with.
class ProbeCharts : public QWidget
{
    Q_OBJECT

public:
    enum class Page
    {
        Sweep,
        Recall,
        Scores,
        Baselines,
    };

    explicit ProbeCharts(QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    [[nodiscard]] Page page() const;
    /// Shows a page that stays, whatever there is to show.
    void choosePage(Page page);
    /// Shows a page unless one was chosen.
    void proposePage(Page page);
    /// None is chosen any more.
    void forgetPage() { m_pageChosen = false; }
    /// No row is looked at.
    void clear(const viz::HeadPalette& palette);
    /// The row that is looked at, and where it is in the sweep.
    void setRow(const ProbeRow& row, const ModelInfo& info, const viz::HeadPalette& palette,
                std::optional<ProbeTableModel::Place> place);

    /// What SweepChart takes.
    void setSweep(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held,
                  std::optional<std::int64_t> finalNorm);

    [[nodiscard]] PictureOf<SweepChart>* sweep() const { return m_sweep; }
    [[nodiscard]] PictureOf<RecallChart>* recall() const { return m_recall; }
    [[nodiscard]] FrameModel* scores() const { return m_scores; }
    [[nodiscard]] ProbeBaselineModel* baselines() const { return m_baselines; }

Q_SIGNALS:
    void pageChanged();

private:
    void setPage(Page page);
    void buildButtons();
    void buildPages();
    QWidget* buildSweep();
    void refreshKey();
    void buildScores();
    void refreshScores();
    /// What the frame does not say of a head's scores: its name and colour, and what it is taken for.
    [[nodiscard]] QVariant scoreExtra(int row, int column, int role) const;
    QWidget* buildBaselines();

    std::shared_ptr<const ProbeResult> m_result; ///< the one that is looked at
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    SectionLabel* m_title = nullptr;
    QToolButton* m_fromZero = nullptr;
    QButtonGroup* m_pageButtons = nullptr;
    QStackedWidget* m_pages = nullptr;
    PictureOf<SweepChart>* m_sweep = nullptr;
    QLabel* m_sweepKey = nullptr;
    PictureOf<RecallChart>* m_recall = nullptr;
    FrameModel* m_scores = nullptr;
    QTableView* m_scoreTable = nullptr;
    ProbeBaselineModel* m_baselines = nullptr;
    QLabel* m_baselineNote = nullptr; ///< what the row is that was selected, else m_baselineText
    QString m_baselineText;           ///< what the rows are, or why there are none
    bool m_pageChosen = false;        ///< and not by what there is to show
};

/// A table of the probe: sorted by its headings, columns as wide as what they hold.
void dressProbeTable(QTableView* table);

} // namespace headscope::ui
