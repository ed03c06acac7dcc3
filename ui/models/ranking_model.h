// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/results/retrieval_results.h"
#include "model/data/stage.h"
#include "ui/models/frame_model.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope::ui
{

/// One of the two rankings of a comparison, best first, and where each document is in the other.
class RankingModel : public FrameModel
{
    Q_OBJECT

public:
    enum Column
    {
        RankColumn,
        DocumentColumn,
        LabelColumn,
        VotesColumn,
        MovedColumn,
        ColumnCount,
    };
    enum class Side
    {
        First,
        Second,
    };

    explicit RankingModel(Side side, QObject* parent = nullptr);

    /// @param labelColumn  whose value is next to each document; "" for none
    void setComparison(std::shared_ptr<const RetrievalComparison> comparison,
                       std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn);
    /// Whether the voters are heads or segments, for strategies that do not cut the full vector.
    void setStage(Stage stage) { m_stage = stage; }
    /// @pre row is one of the model's
    [[nodiscard]] const RetrievedDocument& result(int row) const;
    /// The longest bar's sum of weights; for the full vector the cosine 1.
    [[nodiscard]] double largestVotes() const;
    /// Whether a bar consists of parts by head, and not of one part for the full vector.
    [[nodiscard]] bool votesByHead() const;
    [[nodiscard]] bool isRelevant(int row) const;

private:
    [[nodiscard]] const RankedDocuments* ranked(bool other = false) const;
    [[nodiscard]] std::vector<FrameColumn> columns() const;
    /// What the frame does not say of a cell: marks, and texts of documents.
    [[nodiscard]] QVariant extra(int row, int column, int role) const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;
    [[nodiscard]] QString votesTip(const RetrievedDocument& result) const;

    Side m_side;
    Stage m_stage = Stage::HeadOutput;
    std::shared_ptr<const RetrievalComparison> m_comparison;
    std::shared_ptr<const DocumentSet> m_documents;
};

/// The title of a strategy, for "multirag": "Multi-head: score × 2^-rank".
[[nodiscard]] QString strategyTitle(VotingStrategy strategy);
/// What the strategy does, in a sentence.
[[nodiscard]] QString strategyHint(VotingStrategy strategy);

} // namespace headscope::ui
