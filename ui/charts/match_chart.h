// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"
#include "viz/axis/key_line.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Bars of topic match per head: the share of documents whose own topic is the nearest (dark), among the
/// 5 nearest (middle) and the 10 nearest (pale), each with its 95% interval. Its items are the bars, the full vector's
/// first. Hover says the numbers, a click chooses the head; keys: Up and Down, Return.
class MatchChart : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(MatchChart)

public:
    MatchChart();

    /// Null: nothing.
    void setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette);
    /// Heads that have a bar under that of the full vector, 0-based, ascending; empty: all.
    void setHeads(const std::vector<std::int64_t>& heads);
    [[nodiscard]] const std::shared_ptr<const TopicMatch>& match() const { return m_match; }
    /// Of a bar; nothing: it is the full vector's.
    [[nodiscard]] std::optional<HeadIndex> headOf(std::size_t item) const;
    /// "Segment 10: nearest 52% (48 to 56), ..." of a row of the match: 0 full, 1 + head.
    [[nodiscard]] QString rowText(std::int64_t row) const;
    /// What the bars and lines are.
    [[nodiscard]] QString hint() const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_rows.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        const auto head = headOf(item);
        return head ? std::optional(viz::ItemHead{.head = *head}) : std::nullopt;
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override { return {.title = rowText(m_rows[item])}; }
    [[nodiscard]] bool isClickable(std::size_t item) const override { return m_rows[item] > 0; }
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    void fillRows();
    [[nodiscard]] double xOf(double share) const { return m_plot.left() + share * m_plot.width(); }
    void paintAxis(QPainter& painter) const;
    /// What the shades, lines and dashes are, above the bars.
    [[nodiscard]] std::vector<viz::KeyEntry> key() const;
    void paintBar(QPainter& painter, std::size_t item) const;
    void paintIntervals(QPainter& painter, std::size_t item) const;

    std::shared_ptr<const TopicMatch> m_match;
    viz::HeadPalette m_palette;
    std::vector<std::int64_t> m_heads; ///< with a bar; empty: all
    std::vector<std::int64_t> m_rows;  ///< of the match (0 full, 1 + head), from the top
    QRectF m_plot;
};

} // namespace headscope::ui
