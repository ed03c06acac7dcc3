// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/share_bars.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

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

/// Rows under each other; `visit(block, row or -1, top)`.
template <class Visit>
int eachRow(const std::vector<ShareBars::Block>& blocks, const Visit& visit)
{
    int top = 0;
    for (std::size_t block = 0; block < blocks.size(); ++block)
    {
        if (block > 0)
            top += Metrics::kRelated;
        if (!blocks[block].title.isEmpty())
        {
            visit(block, -1, top);
            top += kRow;
        }
        for (int row = 0; row < static_cast<int>(blocks[block].rows.size()); ++row, top += kRow)
            visit(block, row, top);
    }
    return top;
}

/// A colour of data as letters: dark (or light) enough to be read on the canvas.
QColor readable(const QColor& color)
{
    constexpr double kContrast = 4.5;
    const Colors& colors = Theme::instance().colors();
    QColor made = color;
    for (int step = 1; step <= 10 && viz::contrastRatio(made, colors.frame) < kContrast; ++step)
        made = viz::mixed(color, colors.text, 0.1 * step);
    return made;
}

} // namespace

ShareBars::ShareBars(QWidget* parent) : QWidget(parent)
{
    setCanvasSummary(this, [this] { return summary(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void ShareBars::setBlocks(std::vector<Block> blocks)
{
    if (std::exchange(m_blocks, std::move(blocks)) == m_blocks)
        return;
    updateGeometry();
    noteCanvasChanged(this);
    update();
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
    return {200, eachRow(m_blocks, [](std::size_t, int, int) {})};
}

void ShareBars::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    double names = 0;
    for (const Block& block : m_blocks)
        for (const Row& row : block.rows)
            names = std::max(names, viz::textWidth(row.name, small));
    names = std::ceil(std::min(names, kNameShare * width())) + Metrics::kRelated;
    const double bars = width() - names - kValue;
    eachRow(m_blocks, [&](std::size_t b, int r, int top) {
        const Block& block = m_blocks[b];
        if (r < 0)
        {
            const double note = std::ceil(viz::textWidth(block.note, small)) + 1;
            viz::drawLine(painter, QRectF(0, top, width() - note - 4, kRow), block.title, Theme::smallFont(true),
                          readable(block.color));
            viz::drawLine(painter, QRectF(width() - note, top, note, kRow), block.note, small, colors.muted,
                          Qt::AlignRight | Qt::AlignVCenter);
            return;
        }
        const Row& row = block.rows[static_cast<std::size_t>(r)];
        viz::drawLine(painter, QRectF(0, top, names - 4, kRow), row.name, small, colors.text);
        if (std::isfinite(row.share) && bars > 0)
        {
            const double length = std::max(1.0, std::round(std::clamp(row.share, 0.0, 1.0) * bars));
            painter.fillRect(QRectF(names, top + (kRow - kBar) / 2, length, kBar), block.color);
        }
        viz::drawLine(painter, QRectF(width() - kValue, top, kValue, kRow), row.value, small, colors.text,
                      Qt::AlignRight | Qt::AlignVCenter);
    });
}

bool ShareBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString tip;
    eachRow(m_blocks, [&](std::size_t block, int row, int top) {
        if (row >= 0 && help->pos().y() >= top && help->pos().y() < top + kRow)
            tip = m_blocks[block].rows[static_cast<std::size_t>(row)].tip;
    });
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace headscope::ui
