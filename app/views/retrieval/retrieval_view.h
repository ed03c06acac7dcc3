// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/results/retrieval_results.h"
#include "ui/forms/field_form.h"
#include "ui/models/ranking_model.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/color/head_palette.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace headscope::ui
{

class HeadMixer;
class QueryRow;
class RankingPane;
class ResultHeads;
class ViewPages;

inline constexpr ViewId kRetrievalView("retrieval");

/// The retrieval tab: what asks, two strategies' rankings side by side with the votes of each head,
/// and the mixing desk of the heads' weights.
class RetrievalView : public View
{
    Q_OBJECT

public:
    explicit RetrievalView(QWidget* parent = nullptr);

    /// Another cache: its heads, documents and the column shown next to them.
    void setStudy(const ModelInfo& info, const viz::HeadPalette& palette, std::shared_ptr<const DocumentSet> documents,
                  const std::string& labelColumn);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Whether heads or segments vote; the desk is laid out again when it is another stage.
    void setStage(Stage stage, const ModelInfo& info, const viz::HeadPalette& palette);
    void setLabelColumn(std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn);
    /// The scores of heads and segments, for the strategies that weigh by them. [H] each; may be empty.
    void setScores(std::vector<double> headScores, std::vector<double> segmentScores);

    /// Shows a comparison, or the empty state when null.
    void setComparison(std::shared_ptr<const RetrievalComparison> comparison);
    [[nodiscard]] std::shared_ptr<const RetrievalComparison> comparison() const { return m_comparison; }
    /// Heads that are chosen in the window, 0-based, ascending: the others do not vote.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// The file of relevant documents, "" without one; `queries` of it are documents here.
    void setRelevant(const QString& file, std::int64_t queries);
    /// Heads framed on the desk.
    void setLitHeads(const std::vector<std::int64_t>& heads);

    [[nodiscard]] VotingStrategy first() const;
    [[nodiscard]] VotingStrategy second() const;
    [[nodiscard]] int top() const { return static_cast<int>(m_options.top); }
    [[nodiscard]] HeadMixer* mixer() const { return m_mixer; }
    [[nodiscard]] RankingModel* model(RankingModel::Side side) const;
    [[nodiscard]] QTableView* table(RankingModel::Side side) const;
    [[nodiscard]] QComboBox* strategyBox(RankingModel::Side side) const;
    [[nodiscard]] QueryRow* queryRow() const { return m_query; }
    [[nodiscard]] ResultHeads* resultHeads() const { return m_heads; }
    /// Whether the heads of a result are shown below the lists, in place of the weights of votes.
    [[nodiscard]] bool headsShown() const;
    void showHeads();
    /// The result that is selected in a list.
    [[nodiscard]] std::optional<DocumentIndex> selectedResult() const;
    /// The measures under a strategy, as written.
    [[nodiscard]] QString metricsText(RankingModel::Side side) const;
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;
    /// What the bar says: documents searched, heads that vote.
    [[nodiscard]] QString shownText() const;

Q_SIGNALS:
    void documentAsked(headscope::DocumentIndex document);
    /// Votes are to be counted again: other strategies or weights.
    void votesChanged();
    /// Lists are to be made again: another length.
    void topChanged();
    void relevantRequested();
    /// The heads of the selected result are to be shown.
    void headsWanted();
    /// A result was clicked: it, and the heads that found it (ascending).
    void resultClicked(headscope::DocumentIndex document, const std::vector<std::int64_t>& heads);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildPage(QWidget* page);
    QWidget* buildDesk(QWidget* page);
    QWidget* buildBelow(QWidget* page);
    RankingPane* makePane(RankingModel::Side side, QWidget* parent);
    void buildBar();
    void refreshScores();
    void refreshShown();
    void fitTables();
    [[nodiscard]] const RankingPane& pane(RankingModel::Side side) const;

    std::shared_ptr<const DocumentSet> m_documents;
    std::shared_ptr<const RetrievalComparison> m_comparison;
    std::string m_labelColumn;
    Stage m_stage = Stage::HeadOutput;
    std::vector<double> m_headScores;
    std::vector<double> m_segmentScores;

    QueryRow* m_query = nullptr;
    ViewPages* m_pages = nullptr;
    RankingPane* m_first = nullptr;
    RankingPane* m_second = nullptr;
    HeadMixer* m_mixer = nullptr;
    ResultHeads* m_heads = nullptr;
    QStackedWidget* m_below = nullptr; ///< the weights of votes, or the heads of a result
    QButtonGroup* m_belowButtons = nullptr;
    QPushButton* m_reset = nullptr;
    QWidget* m_bar = nullptr;
    RetrievalOptions m_options; ///< whose strategies the lists choose
    FieldForm m_form;
    QPushButton* m_relevant = nullptr;
    QLabel* m_shown = nullptr;
};

} // namespace headscope::ui
