// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/card/head_card.h"
#include "viz/color/inks.h"

#include <QRectF>
#include <QSizeF>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// The card of a head as a page on paper: where it is, then what it writes, reads and varies along, its topics, its
/// most similar heads, probe, importance and composition; what is missing is grey, with how to get it. Always on white.
/// Needs a QGuiApplication (fonts).
class CardPage
{
public:
    /// @param palette  of labels and heads
    explicit CardPage(HeadCard card, PaletteKind palette = PaletteKind::Standard);

    [[nodiscard]] const HeadCard& card() const { return *m_card; }
    /// What the content takes, in points.
    [[nodiscard]] double height(double width) const;
    /// @param box  of the height that height() says
    void paint(QPainter& painter, const QRectF& box) const;

private:
    /// Something that is as high as its width makes it.
    struct Block
    {
        std::function<double(double width)> height;
        std::function<void(QPainter& painter, const QRectF& box)> paint;
    };
    /// Blocks next to each other, as high as the highest.
    using Row = std::vector<Block>;

    /// One below the other.
    [[nodiscard]] static Block stacked(const Block& upper, const Block& lower);
    [[nodiscard]] Block headingBlock() const;
    [[nodiscard]] Block sectionBlock(CardPart part) const;
    [[nodiscard]] Block sentenceBlock(const std::string& sentence) const;
    [[nodiscard]] Block directionBlock(std::size_t number) const;
    [[nodiscard]] Block chartOf(CardPart part) const;

    std::shared_ptr<const HeadCard> m_card;
    InkTheme m_theme;
    std::vector<Row> m_rows;
};

} // namespace headscope::viz
