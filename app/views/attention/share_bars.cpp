// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/share_bars.h"

#include "ui/theme/theme.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kRow = 20;
constexpr int kBar = 9;
constexpr int kValue = 40;
constexpr double kNameShare = 0.46; // of the width, at most

/// Headings and rows under each other; `visit(block, row or null, top)`.
/// @return the height of all
template <class Visit>
int eachRow(const std::vector<ShareBars::Block>& blocks, const Visit& visit)
{
    int top = 0;
    for (const ShareBars::Block& block : blocks)
    {
        if (&block != &blocks.front())
            top += Metrics::kRelated;
        if (!block.title.isEmpty())
        {
            visit(block, nullptr, top);
            top += kRow;
        }
        for (const ShareBars::Row& row : block.rows)
        {
            visit(block, &row, top);
            top += kRow;
        }
    }
    return top;
}

} // namespace

ShareBars::ShareBars()
    : Picture({.saying = viz::Saying::TooltipAtRest,
               .focus = Qt::NoFocus,
               .takesClicks = false,
               .items = viz::Items::Listed,
               .room = viz::Room::Line,
               .least = {160, 0}})
{}

void ShareBars::setBlocks(std::vector<Block> blocks)
{
    if (std::exchange(m_blocks, std::move(blocks)) == m_blocks)
        return;
    m_rows.clear();
    eachRow(m_blocks, [this](const Block&, const Row* row, int top) {
        if (row != nullptr)
            m_rows.emplace_back(row, top);
    });
    replaced();
}

QString ShareBars::summary() const
{
    QStringList parts;
    for (const Block& block : m_blocks)
    {
        QStringList rows;
        for (const Row& row : block.rows)
            rows << row.name % u' ' % row.value;
        const QString title = block.note.isEmpty() ? block.title : block.title % QStringLiteral(", ") % block.note;
        parts << (title.isEmpty() ? rows.join(QStringLiteral(", "))
                                  : title % QStringLiteral(": ") % rows.join(QStringLiteral(", ")));
    }
    return parts.join(QStringLiteral("; "));
}

QSize ShareBars::sizeHint() const
{
    return {200, eachRow(m_blocks, [](const Block&, const Row*, int) {})};
}

void ShareBars::paint(QPainter& painter, const viz::PictureMarks& /*marks*/) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const double width = box().width();
    double names = 0;
    for (const Block& block : m_blocks)
        for (const Row& row : block.rows)
            names = std::max(names, viz::textWidth(row.name, small));
    names = std::ceil(std::min(names, kNameShare * width)) + Metrics::kRelated;
    const double bars = width - names - kValue;
    eachRow(m_blocks, [&](const Block& block, const Row* row, int top) {
        if (row == nullptr)
        {
            const double note = std::ceil(viz::textWidth(block.note, small)) + 1;
            viz::drawLine(painter, QRectF(0, top, width - note - 4, kRow), block.title, Theme::smallFont(true),
                          viz::readableOn(colors.frame, block.color, colors.text));
            viz::drawLine(painter, QRectF(width - note, top, note, kRow), block.note, small, colors.muted,
                          Qt::AlignRight | Qt::AlignVCenter);
            return;
        }
        viz::drawLine(painter, QRectF(0, top, names - 4, kRow), row->name, small, colors.text);
        if (std::isfinite(row->share) && bars > 0)
        {
            const double length = std::max(1.0, std::round(std::clamp(row->share, 0.0, 1.0) * bars));
            painter.fillRect(QRectF(names, top + (kRow - kBar) / 2, length, kBar), block.color);
        }
        viz::drawLine(painter, QRectF(width - kValue, top, kValue, kRow), row->value, small, colors.text,
                      Qt::AlignRight | Qt::AlignVCenter);
    });
}

QRectF ShareBars::placeOf(std::size_t row) const
{
    return {0, static_cast<double>(m_rows[row].second), box().width(), kRow};
}

std::optional<std::size_t> ShareBars::itemAt(QPointF place) const
{
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (place.y() >= m_rows[row].second && place.y() < m_rows[row].second + kRow)
            return row;
    return std::nullopt;
}

} // namespace headscope::ui
