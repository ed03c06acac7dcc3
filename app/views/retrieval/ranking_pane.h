// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/results/retrieval_results.h"
#include "model/data/stage.h"
#include "ui/models/ranking_model.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QTableView;

namespace headscope::ui
{

class ViewState;
class VoteBars;

/// One of the two rankings: the strategy that made it, how well it finds what is relevant, and its results with the
/// votes of each head.
class RankingPane : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kRow = 28;
    static constexpr int kTallRow = 46; ///< two lines of a title

    RankingPane(RankingModel::Side side, QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    void setStage(Stage stage);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Shows its side of a comparison (null: nothing). What was chosen stays chosen where it is still among the
    /// results.
    void setComparison(const std::shared_ptr<const RetrievalComparison>& comparison,
                       const std::shared_ptr<const DocumentSet>& documents, const std::string& labelColumn);
    /// As high as its rows, of which there is room for three at least.
    /// @param rowHeight  kRow or kTallRow
    /// @param width      of the table
    /// @param ranks      of the longer ranking
    void fit(int rowHeight, int width, int ranks, bool withLabels);

    [[nodiscard]] VotingStrategy strategy() const;
    [[nodiscard]] QComboBox* strategyBox() const { return m_strategy; }
    [[nodiscard]] RankingModel* model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QString metricsText() const;

Q_SIGNALS:
    void strategyChanged();
    void documentAsked(headscope::DocumentIndex document);
    /// A result was clicked: it, and the heads that found it (ascending).
    void resultClicked(headscope::DocumentIndex document, const std::vector<std::int64_t>& heads);

private:
    void buildHead();
    void buildTable();
    void openResult(int row, bool ask);

    RankingModel::Side m_side;
    Stage m_stage = Stage::HeadOutput;
    QComboBox* m_strategy = nullptr;
    QLabel* m_metrics = nullptr;
    QTableView* m_table = nullptr;
    RankingModel* m_model = nullptr;
    VoteBars* m_bars = nullptr;
};

} // namespace headscope::ui
