// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QChart;
class QChartView;

namespace headscope::ui
{

/// Bars of topic match per head: the share of documents whose own topic is the nearest (dark), among the
/// 5 nearest (middle) and the 10 nearest (pale), each with its 95 % interval. Hover says the numbers, a
/// click chooses the head; keys: Up and Down, Return.
class MatchChart : public QWidget
{
    Q_OBJECT

public:
    explicit MatchChart(QWidget* parent = nullptr);
    ~MatchChart() override;

    /// Null: nothing.
    void setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette);
    /// Heads that have a bar under that of the full vector, 0-based, ascending; empty: all.
    void setHeads(const std::vector<std::int64_t>& heads);
    [[nodiscard]] const std::shared_ptr<const TopicMatch>& match() const { return m_match; }
    /// The bar of a row (0 full, 1 + head) under a place, and where it is.
    [[nodiscard]] std::optional<std::int64_t> rowAt(QPointF place) const;
    [[nodiscard]] QPointF placeOf(std::int64_t row, double share) const;
    /// "Segment 10: nearest 52 % (48 to 56), ..."
    [[nodiscard]] QString rowText(std::int64_t row) const;
    [[nodiscard]] QString title() const;
    /// What the bars and lines are.
    [[nodiscard]] QString hint() const;

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void rebuild();
    [[nodiscard]] std::int64_t placeOfRow(std::int64_t row) const;
    void point(std::optional<std::int64_t> row);

    QChartView* m_view = nullptr;
    std::shared_ptr<const TopicMatch> m_match;
    viz::HeadPalette m_palette;
    std::vector<std::int64_t> m_heads; ///< with a bar; empty: all
    std::vector<std::int64_t> m_rows;  ///< of the match (0 full, 1 + head), from the top
    std::optional<std::int64_t> m_row; ///< the row under the pointer, or the one chosen by keys
};

} // namespace headscope::ui
