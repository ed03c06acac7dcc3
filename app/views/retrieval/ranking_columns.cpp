// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/ranking_columns.h"

#include "ui/models/ranking_model.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace headscope::ui
{

void fitRankingColumns(QTableView& table, int width, int rows, bool labels)
{
    using Model = RankingModel;
    constexpr int kMinDocument = 130; // the labels go where the documents would have less
    constexpr int kMinLabel = 84;
    constexpr int kMaxLabel = 200;
    constexpr int kMaxVotes = 104;
    const auto heading = [&table](int column) { return table.horizontalHeader()->sectionSizeHint(column); };
    const QAbstractItemView& cells = table;
    const int rank = rows < 100 ? 38 : 46;
    const int moved = heading(Model::MovedColumn);
    const int votes = std::max(heading(Model::VotesColumn), std::min(width / 4, kMaxVotes));
    const int left = width - rank - moved - votes;
    const int document = std::max(kMinDocument, heading(Model::DocumentColumn));
    const int leastLabel = std::max(kMinLabel, heading(Model::LabelColumn));
    const int wish =
        std::clamp(cells.sizeHintForColumn(Model::LabelColumn), leastLabel, std::max(leastLabel, kMaxLabel));
    table.setColumnHidden(Model::LabelColumn, left - leastLabel < document || !labels);
    table.setColumnWidth(Model::LabelColumn, std::clamp(left - document, leastLabel, wish));
    table.setColumnWidth(Model::RankColumn, rank);
    table.setColumnWidth(Model::VotesColumn, votes);
    table.setColumnWidth(Model::MovedColumn, moved);
    // In the narrowest pane the table scrolls a little rather than cut the heading.
    constexpr int kScrollBar = 12;
    const bool roomy = left - kScrollBar >= heading(Model::DocumentColumn);
    table.horizontalHeader()->setSectionResizeMode(Model::DocumentColumn,
                                                   roomy ? QHeaderView::Stretch : QHeaderView::Fixed);
    if (!roomy)
        table.setColumnWidth(Model::DocumentColumn, heading(Model::DocumentColumn));
}

} // namespace headscope::ui
