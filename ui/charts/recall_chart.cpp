// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/recall_chart.h"

#include "ui/theme/theme.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kGap = 6;         ///< between the plot and its labels
constexpr double kLabelWidth = 22; ///< of a head's number
constexpr double kBarWidth = 0.8;  ///< of its slot
constexpr double kSlack = 4;       ///< other digits are wider than 0
constexpr int kTicks = 5;
constexpr int kDecimals = 3;

} // namespace

RecallChart::RecallChart()
    : Picture({.saying = viz::Saying::Card,
               .focus = Qt::NoFocus,
               .takesClicks = false,
               .hasGround = true,
               .items = viz::Items::Listed,
               .room = viz::Room::Grows,
               .least = {160, 130}})
{}

void RecallChart::setResult(std::shared_ptr<const ProbeResult> result, const viz::HeadPalette& palette)
{
    m_result = std::move(result);
    m_palette = palette;
    m_hovered.reset();
    replaced();
}

void RecallChart::setHoveredHead(std::optional<HeadIndex> head)
{
    m_hovered = head;
    marked();
}

QString RecallChart::title() const
{
    return tr("Recall per %1")
        .arg(unitText(m_result != nullptr ? m_result->stage.value_or(Stage::HeadOutput) : Stage::HeadOutput));
}

std::vector<std::pair<double, QString>> RecallChart::lines() const
{
    if (count() == 0)
        return {};
    const double chance = 1 / static_cast<double>(std::max<std::int64_t>(1, m_result->classes));
    const auto named = [](const QString& what, double share) {
        return std::pair(share, QString(what % QLatin1Char(' ') % decimalText(share, kDecimals)));
    };
    return {named(tr("all vectors"), m_result->accuracy), named(tr("chance"), chance)};
}

QStringList RecallChart::lineNames() const
{
    QStringList names;
    for (const auto& line : lines())
        names << line.second;
    return names;
}

void RecallChart::arrange()
{
    const QFont small = Theme::smallFont();
    const double line = viz::lineHeight(small);
    m_plot =
        box().adjusted(viz::textWidth(QStringLiteral("0.0"), small) + kSlack + kGap, line / 2, -kGap, -line - kGap);
}

double RecallChart::yOf(double share) const
{
    return m_plot.bottom() - std::clamp(share, 0.0, 1.0) * m_plot.height();
}

QRectF RecallChart::placeOf(std::size_t item) const
{
    const double width = m_plot.width() / static_cast<double>(count());
    return {m_plot.left() + static_cast<double>(item) * width, m_plot.top(), width, m_plot.height()};
}

std::optional<std::size_t> RecallChart::itemAt(QPointF place) const
{
    if (count() == 0 || !m_plot.contains(place))
        return std::nullopt;
    const auto item = static_cast<std::size_t>((place.x() - m_plot.left()) / placeOf(0).width());
    return std::min(item, count() - 1);
}

viz::ItemText RecallChart::textOf(std::size_t item) const
{
    const HeadScore& score = m_result->perHead[item];
    viz::ItemText text{
        .color = m_palette.color(headOf(item)),
        .title = unitText(m_result->stage.value_or(Stage::HeadOutput), headOf(item)),
        .detail = tr("recall"),
        .value = decimalText(score.recall, kDecimals),
        .subtitle =
            tr("precision %1 · F1 %2").arg(decimalText(score.precision, kDecimals), decimalText(score.f1, kDecimals))};
    if (std::isfinite(score.recallCi95.low))
        text.subtitle +=
            tr(" · recall 95% CI %1 to %2")
                .arg(decimalText(score.recallCi95.low, kDecimals), decimalText(score.recallCi95.high, kDecimals));
    return text;
}

/// Shares at the left; the numbers of heads below, every so many of them as have room.
void RecallChart::paintAxes(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const double line = viz::lineHeight(small);
    for (int tick = 0; tick <= kTicks; ++tick)
    {
        const double share = static_cast<double>(tick) / kTicks;
        painter.fillRect(QRectF(m_plot.left(), std::round(yOf(share)), m_plot.width(), 1), colors.hairline);
        viz::drawLine(painter, {box().left(), yOf(share) - line / 2, m_plot.left() - kGap - box().left(), line},
                      QString::number(share, 'f', 1), small, colors.muted, Qt::AlignRight | Qt::AlignVCenter);
    }
    const auto step = static_cast<std::size_t>(
        std::max(1.0, std::ceil(static_cast<double>(count()) * kLabelWidth / std::max(1.0, m_plot.width()))));
    for (std::size_t item = 0; item < count(); item += step)
        viz::drawLine(painter, {placeOf(item).center().x() - kLabelWidth, m_plot.bottom() + 3, 2 * kLabelWidth, line},
                      QString::number(shownNumber(headOf(item))), small, colors.muted, Qt::AlignCenter);
}

void RecallChart::paintLines(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const double height = viz::lineHeight(small);
    Qt::PenStyle style = Qt::DashLine;
    for (const auto& [share, name] : lines())
    {
        painter.setPen(QPen(colors.text, 1, std::exchange(style, Qt::DotLine)));
        painter.drawLine(QPointF(m_plot.left(), yOf(share)), QPointF(m_plot.right(), yOf(share)));
        QRectF place(0, 0, viz::textWidth(name, small) + 6, height);
        place.moveBottomRight({m_plot.right(), std::max(yOf(share) - 1, m_plot.top() + height)});
        QColor ground = colors.canvas;
        ground.setAlpha(220);
        painter.fillRect(place, ground);
        viz::drawLine(painter, place, name, small, colors.text, Qt::AlignCenter);
    }
}

void RecallChart::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (count() == 0)
        return;
    const Colors& colors = Theme::instance().colors();
    paintAxes(painter);
    for (std::size_t item = 0; item < count(); ++item)
    {
        const HeadScore& score = m_result->perHead[item];
        const QRectF slot = placeOf(item);
        const double top = yOf(std::isfinite(score.recall) ? score.recall : 0);
        painter.fillRect(QRectF(slot.center().x() - kBarWidth * slot.width() / 2, top, kBarWidth * slot.width(),
                                m_plot.bottom() - top),
                         m_palette.color(headOf(item)));
        const double x = std::round(slot.center().x()) + 0.5;
        painter.setPen(QPen(colors.text, 1));
        if (std::isfinite(score.recallCi95.low))
            painter.drawLine(QPointF(x, yOf(score.recallCi95.low)), QPointF(x, yOf(score.recallCi95.high)));
        if (!marks.pointed && m_hovered == headOf(item))
        {
            painter.setPen(QPen(colors.accent, 1));
            painter.drawRect(slot.toAlignedRect().adjusted(0, 0, -1, -1));
        }
    }
    paintLines(painter);
}

} // namespace headscope::ui
