// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/heads_frame.h"
#include "model/data/results/interval.h"
#include "viz/color/head_palette.h"

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Statistics of heads: KV groups as parent rows with the means of their heads, heads under them; one flat list
/// without KV groups. The first column carries the switch of each head. Numbers, titles and tips are those of a frame.
class HeadTableModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    /// What the table knows; what a frame has beyond it is behind, in the frame's order.
    enum Column
    {
        HeadColumn,
        StrengthColumn,
        SpreadColumn,
        ScoreColumn,
        SimilarityColumn,
        SelectivityColumn,
        FollowsColumn,
        MatchColumn,
        EvennessColumn,
        TopicColumn, ///< the name, by the similarity of the documents of that topic; its excess is what is tested
    };
    enum Role
    {
        /// QPointF, both ends of the value's bar, from zero to the value, on the scale of its column, 0..1: from the
        /// least to the largest of zero, values and ends of intervals; or invalid.
        BarRole = Qt::UserRole + 100,
        WhiskerRole, ///< QPointF, both ends of the number's 95% interval on that scale; or invalid
        HeadRole,    ///< qint64 head, -1 for a group
        ColorRole,   ///< QColor of the head or group
    };

    explicit HeadTableModel(QObject* parent = nullptr);

    /// @param grouped  the model as rows of the stage fall into groups (groupedAt)
    void setModel(const ModelInfo& grouped, const viz::HeadPalette& palette, Stage stage = Stage::HeadOutput);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Null: nothing is known yet.
    void setReport(std::shared_ptr<const HeadReport> report);
    /// The same with a frame of its numbers, a row for each head, which has all columns that the table knows.
    void setReport(std::shared_ptr<const HeadReport> report, Frame numbers);
    /// Heads whose means the groups' rows and whose largest the bars show, 0-based, ascending.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// Which heads are on. [H]
    void setKept(const std::vector<bool>& kept);
    [[nodiscard]] bool grouped() const { return m_members > 1 && m_members < m_info.heads; }
    /// Whether a column holds words, not numbers.
    [[nodiscard]] bool isWord(int column) const;
    /// What the columns mean, for paper: on the screen their tips say it. Empty without a report.
    [[nodiscard]] QString definitions() const;
    /// The line under the table: how the numbers were tested against permuted labels. Empty without a report.
    [[nodiscard]] QString legend() const;
    /// The signs of the table alone, for a line under it.
    [[nodiscard]] QString signs() const;
    /// The raw number of a cell; NaN where there is none.
    [[nodiscard]] double value(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOfHead(std::int64_t head, int column = 0) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A tick switches the heads of the row; nothing is stored here: headsSwitched is emitted instead.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void headsSwitched(const std::vector<std::int64_t>& heads, bool on);

private:
    /// Whether the head is among those shown.
    [[nodiscard]] bool isShown(std::int64_t head) const;
    /// Heads a row stands for: one, or those of a group.
    [[nodiscard]] std::vector<std::int64_t> headsOf(const QModelIndex& index) const;
    [[nodiscard]] const ColumnInfo& infoOf(int column) const { return *m_columns[static_cast<std::size_t>(column)]; }
    /// The column that a column is sorted by, and the one whose tests it shows.
    [[nodiscard]] const headscope::Column* numbersOf(int column) const;
    [[nodiscard]] const headscope::Column* testedOf(int column) const;
    /// A facet of a head's number; NaN where there is none.
    [[nodiscard]] double headNumber(const headscope::Column* numbers, Facet facet, std::int64_t head) const;
    /// Whether the number is not distinguished from what shuffled labels give.
    [[nodiscard]] bool isChance(const QModelIndex& index) const;
    [[nodiscard]] QString cellText(const QModelIndex& index) const;
    /// What a cell's numbers are, how they were tested, and what the column means.
    [[nodiscard]] QString cellTip(const QModelIndex& index) const;
    [[nodiscard]] QString headTip(int column) const;
    /// "Match: Wilson; ...": how the intervals of the columns were made.
    [[nodiscard]] QString intervalsText() const;
    /// Titles of the numbers that have no test.
    [[nodiscard]] QString untestedText() const;
    [[nodiscard]] QString nameOf(const QModelIndex& index) const;
    [[nodiscard]] QVariant checkState(const QModelIndex& index) const;
    /// Ends of the interval on the scale of the bar.
    [[nodiscard]] QVariant onScale(int column, double low, double high) const;
    [[nodiscard]] QVariant whisker(const QModelIndex& index) const;
    void measureColumns();
    void refresh();
    /// All cells are others now; the rows stay, and so does what is chosen and open in a view.
    void announce(const QList<int>& roles);

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    Stage m_stage = Stage::HeadOutput;
    std::int64_t m_members = 0; ///< heads of a group
    std::shared_ptr<const HeadReport> m_report;
    Frame m_frame;                            ///< a row for each head, or none
    std::vector<const ColumnInfo*> m_columns; ///< of the frame, as they are shown
    std::vector<bool> m_kept;
    std::vector<std::int64_t> m_shown; ///< heads; ascending
    std::vector<Interval> m_scales;    ///< [columns] of the heads shown, for the bars; zero is in each
};

/// Sorts by the raw numbers (what has none comes last) and keeps heads that a filter names.
class HeadTableProxy : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit HeadTableProxy(QObject* parent = nullptr);
    /// Numbers from 1 as ranges ("1-4,9"), or a part of the topic's name; empty takes all.
    void setFilter(const QString& text);
    /// The others have no row, whatever the filter says. 0-based, ascending.
    void setShownHeads(const std::vector<std::int64_t>& heads);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_text;
    std::optional<std::vector<std::int64_t>> m_shown; ///< empty: all
    std::vector<std::int64_t> m_heads;                ///< that the filter names
    bool m_byNumber = false;
};

} // namespace headscope::ui
