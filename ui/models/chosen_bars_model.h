// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/chosen_summary.h"
#include "model/data/stage.h"
#include "viz/color/head_palette.h"

#include <QAbstractListModel>
#include <QSet>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// How a choice is spread, as one list of bars: heads under their KV groups at stage 1, segments at the others,
/// then labels and numbers, each under a title that folds it. Long ones show their first bars, and a row that unfolds
/// the rest.
class ChosenBarsModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum class Kind
    {
        Title,
        Bar,
        More,
    };
    enum Role
    {
        KindRole = Qt::UserRole + 120, ///< int of Kind
        ShareRole,                     ///< double: its share of what is chosen
        AllShareRole,                  ///< double: its share of all
        BarRole,                       ///< double 0..1: the share against the largest of the chart's
        AllBarRole,                    ///< double: the share of all on the same scale
        CountRole,                     ///< QString: "12", of what is chosen
        ColorRole,                     ///< QColor, invalid for labels and numbers
        IndentRole,                    ///< int: 1 for a head under its group
        FoldedRole,                    ///< bool, of a title
        UnitRole,                      ///< QString, of a title: what the shares of its bars are of
    };
    static constexpr int kMaxHeads = 10; ///< rows of heads and groups, before More is asked for
    static constexpr int kMaxLabels = 6;

    explicit ChosenBarsModel(QObject* parent = nullptr);

    /// Null: nothing is chosen. What is folded and what is shown whole stays.
    void setSummary(std::shared_ptr<const ChosenSummary> summary, Stage stage);
    void setHeadPalette(const viz::HeadPalette& palette);
    [[nodiscard]] const std::shared_ptr<const ChosenSummary>& summary() const { return m_summary; }

    /// The bar of a row and its chart.
    /// @pre the row is of Kind::Bar
    [[nodiscard]] const ChosenChart& chartOf(int row) const;
    [[nodiscard]] const ChosenBar& barOf(int row) const;
    /// Folds or unfolds a title's bars, or brings the rest of a chart.
    void toggle(int row);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        Kind kind = Kind::Title;
        std::size_t chart = 0;
        std::size_t bar = 0;
        int indent = 0;
        std::int64_t rest = 0; ///< of More: bars that are not shown
    };
    void build();
    void addHeads(std::size_t chart, std::vector<Row>& rows) const;
    [[nodiscard]] QString keyOf(const ChosenChart& chart) const;
    [[nodiscard]] QString titleOf(const ChosenChart& chart) const;
    [[nodiscard]] static QString unitOf(const ChosenChart& chart);
    [[nodiscard]] QString nameOf(const Row& row) const;
    [[nodiscard]] QString sentenceOf(const Row& row) const;
    [[nodiscard]] double share(const Row& row, bool all) const;
    /// Whether the heads of a chart are under the groups of the next.
    [[nodiscard]] bool isGrouped(std::size_t chart) const;
    /// The share that is the longest bar of a chart.
    [[nodiscard]] double largest(std::size_t place) const;

    std::shared_ptr<const ChosenSummary> m_summary;
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    QSet<QString> m_folded;
    QSet<QString> m_whole;
    std::vector<Row> m_rows;
};

} // namespace headscope::ui
