// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/waterfall_picture.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/color/color_map.h"
#include "viz/geometry/axis_ticks.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

using Kind = WaterfallRow::Kind;
constexpr int kDecimals = 4;
constexpr std::array<const char*, 3> kNumbers = {"Heads", "MLP", "Other"};

/// Red adds, blue takes away.
QColor headColor(double value, InkTheme theme)
{
    return QColor(divergingMap(theme).at(value < 0 ? 0.14 : 0.86));
}

/// Of what is no head: a grey between text and ground.
QColor otherColor(InkTheme theme)
{
    QColor color = inks(theme).secondary;
    color.setAlphaF(0.55F);
    return color;
}

} // namespace

WaterfallPicture::WaterfallPicture(double textPx)
    : Picture({.name = "waterfall",
               .saying = Saying::Tooltip,
               .hasGround = true,
               .items = Items::Listed,
               .room = Room::Grows,
               .wanted = {560, 600},
               .least = {420, 120}}),
      m_textPx(textPx)
{}

const PairContribution* WaterfallPicture::pair() const
{
    const ContributionsResult* found = m_result ? m_result->contributions() : nullptr;
    return found != nullptr && found->pair ? &*found->pair : nullptr;
}

void WaterfallPicture::setPair(CircuitResultPtr result, std::optional<std::int64_t> layer)
{
    m_result = std::move(result);
    m_unfolded.clear();
    if (const PairContribution* own = pair(); own != nullptr)
        m_unfolded = {layer.value_or(busiestLayer(*own, m_result->contributions()->layers))};
    setUnfolded(m_unfolded);
}

void WaterfallPicture::setUnfolded(std::set<std::int64_t> layers)
{
    m_unfolded = std::move(layers);
    m_rows.clear();
    if (pair() != nullptr)
        m_rows = waterfallRows(*pair(), m_result->contributions()->layers, m_unfolded);
    m_low = 0;
    m_high = 0;
    for (const WaterfallRow& row : m_rows)
    {
        const double ends[] = {row.start, row.start + row.heads, row.start + row.heads + row.mlp,
                               row.start + row.sum()};
        m_low = std::min(m_low, std::ranges::min(ends));
        m_high = std::max(m_high, std::ranges::max(ends));
    }
    arrange();
    replaced();
}

double WaterfallPicture::heightWanted() const
{
    return (static_cast<double>(m_rows.size()) + 2.4) * std::ceil(1.45 * m_textPx) + 4;
}

int WaterfallPicture::heightForWidth(int /*width*/) const
{
    return m_rows.empty() ? -1 : static_cast<int>(std::ceil(heightWanted()));
}

void WaterfallPicture::arrange()
{
    m_rowHeight = std::ceil(1.45 * m_textPx);
    const QFont font = textFont(m_textPx, QFont::DemiBold); // the widest
    double names = textWidth(QStringLiteral("Layer 00"), font);
    for (const WaterfallRow& row : m_rows)
        names = std::max(names, textWidth(nameOf(row), font));
    names += 1.6 * m_textPx; // the mark that folds
    m_numberWidth = textWidth(QStringLiteral("+0.0000"), font) + 0.9 * m_textPx;
    const double left = box().left() + names + 0.8 * m_textPx;
    const double right = box().right() - 3 * m_numberWidth - 0.8 * m_textPx;
    m_chart = QRectF(left, box().top() + 1.2 * m_rowHeight, std::max(20.0, right - left),
                     static_cast<double>(m_rows.size()) * m_rowHeight);
}

double WaterfallPicture::xOf(double sum) const
{
    const double extent = std::max(1e-12, m_high - m_low);
    return m_chart.left() + (sum - m_low) / extent * m_chart.width();
}

QString WaterfallPicture::nameOf(const WaterfallRow& row) const
{
    switch (row.kind)
    {
    case Kind::Token:
        return QStringLiteral("Token");
    case Kind::Layer:
        return QStringLiteral("Layer %1").arg(row.layer);
    case Kind::Part:
        break;
    case Kind::Total:
        return (pair() != nullptr && pair()->centred ? QStringLiteral("Centred cosine %1")
                                                     : QStringLiteral("Cosine %1"))
            .arg(fixedNumber(row.sum(), kDecimals));
    }
    return partText(*row.part);
}

QRectF WaterfallPicture::placeOf(std::size_t row) const
{
    return {box().left(), m_chart.top() + static_cast<double>(row) * m_rowHeight, box().width(), m_rowHeight};
}

std::optional<std::size_t> WaterfallPicture::itemAt(QPointF place) const
{
    const double at = (place.y() - m_chart.top()) / m_rowHeight;
    return m_rows.empty() || at < 0 || at >= static_cast<double>(m_rows.size())
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(at));
}

bool WaterfallPicture::isClickable(std::size_t row) const
{
    return m_rows[row].kind == Kind::Layer || (m_rows[row].part && m_rows[row].part->kind == PartKind::Head);
}

void WaterfallPicture::choose(std::size_t row)
{
    if (m_rows[row].kind != Kind::Layer)
        return;
    std::set<std::int64_t> layers = m_unfolded;
    if (layers.erase(m_rows[row].layer) == 0)
        layers.insert(m_rows[row].layer);
    setUnfolded(std::move(layers));
}

std::optional<ItemHead> WaterfallPicture::itemHead(std::size_t at) const
{
    const WaterfallRow& row = m_rows[at];
    if (row.kind != Kind::Part || row.part->kind != PartKind::Head)
        return std::nullopt;
    return ItemHead{LayerIndex(row.part->layer), HeadIndex(row.part->head)};
}

ItemText WaterfallPicture::textOf(std::size_t at) const
{
    const WaterfallRow& row = m_rows[at];
    const auto number = [](double value) { return signedNumber(value, kDecimals + 1); };
    if (row.kind == Kind::Total)
        return {.title = QStringLiteral("%1 = heads %2, MLPs %3, token and biases %4")
                             .arg(nameOf(row), number(row.heads), number(row.mlp), number(row.other))};
    if (row.kind == Kind::Layer)
        return {.title = QStringLiteral("Layer %1 adds %2: heads %3, MLP %4. Click to %5")
                             .arg(QString::number(row.layer), number(row.sum()), number(row.heads), number(row.mlp),
                                  row.isUnfolded ? QStringLiteral("fold") : QStringLiteral("unfold"))};
    const QString place = row.kind == Kind::Token ? QStringLiteral("Token embedding")
                                                  : QStringLiteral("Layer %1, %2").arg(row.layer).arg(nameOf(row));
    return {.title = QStringLiteral("%1 adds %2; sum so far %3")
                         .arg(place, number(row.sum()), fixedNumber(row.start + row.sum(), kDecimals))};
}

QString WaterfallPicture::title() const
{
    return QStringLiteral("What adds to the cosine");
}

QString WaterfallPicture::summary() const
{
    if (pair() == nullptr)
        return {};
    return QStringLiteral("%1 and %2: %3")
        .arg(QString::fromStdString(pair()->first), QString::fromStdString(pair()->second),
             textOf(m_rows.size() - 1).title);
}

void WaterfallPicture::paintHeader(QPainter& painter) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const double top = m_chart.top() - 1.1 * m_rowHeight;
    for (std::size_t i = 0; i < kNumbers.size(); ++i)
        drawLine(painter, {box().right() - static_cast<double>(3 - i) * m_numberWidth, top, m_numberWidth, m_rowHeight},
                 QString::fromLatin1(kNumbers[i]), font, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    double x = m_chart.left();
    for (const auto& [name, color] : {std::pair(QStringLiteral("heads that add"), headColor(1, theme())),
                                      std::pair(QStringLiteral("heads that subtract"), headColor(-1, theme())),
                                      std::pair(QStringLiteral("MLP, token, biases"), otherColor(theme()))})
    {
        const double width = textWidth(name, font);
        if (x + 1.2 * m_textPx + width > m_chart.right())
            break;
        painter.fillRect(QRectF(x, top + 0.5 * m_rowHeight - 0.35 * m_textPx, 0.7 * m_textPx, 0.7 * m_textPx), color);
        drawLine(painter, {x + 1.1 * m_textPx, top, width + 2, m_rowHeight}, name, font, ink.secondary);
        x += width + 2.4 * m_textPx;
    }
    const AxisTicks ticks = axisTicks(m_low, m_high, std::max(2, static_cast<int>(m_chart.width() / (6 * m_textPx))));
    for (const double value : ticks.values)
    {
        const double tick = xOf(value);
        painter.setPen(QPen(ink.hairline, value == 0 ? 1.2 : 0.6));
        painter.drawLine(QPointF(tick, m_chart.top()), QPointF(tick, m_chart.bottom()));
        drawLine(painter, {tick - 3 * m_textPx, m_chart.bottom() + 2, 6 * m_textPx, m_rowHeight}, ticks.label(value),
                 font, ink.secondary, Qt::AlignHCenter | Qt::AlignVCenter);
    }
}

void WaterfallPicture::paintFold(QPainter& painter, const WaterfallRow& row, const QRectF& place) const
{
    const double size = 0.24 * m_textPx;
    const QPointF middle(place.left() + 0.6 * m_textPx, place.center().y());
    const auto corner = [&](double along, double across) {
        return middle + size * (row.isUnfolded ? QPointF(across, along) : QPointF(along, across));
    };
    QPainterPath mark(corner(-1, -1.5));
    mark.lineTo(corner(1, 0));
    mark.lineTo(corner(-1, 1.5));
    painter.setPen(QPen(inks(theme()).secondary, 0.1 * m_textPx));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(mark);
}

void WaterfallPicture::paintBars(QPainter& painter, const WaterfallRow& row, const QRectF& place) const
{
    const Inks& ink = inks(theme());
    const auto bar = [&](double from, double to, double top, double height, const QColor& color) {
        const double left = xOf(std::min(from, to));
        const double width = std::max(0.75, xOf(std::max(from, to)) - left);
        painter.fillRect(QRectF(left, place.top() + top * m_rowHeight, width, height * m_rowHeight), color);
    };
    constexpr double kTop = 0.22;
    constexpr double kHeight = 0.56;
    if (row.kind == Kind::Total)
        return bar(0, row.sum(), kTop, kHeight, ink.ink);
    const double rest = row.mlp + row.other;
    const bool hasBoth = row.heads != 0 && rest != 0;
    if (row.heads != 0)
        bar(row.start, row.start + row.heads, hasBoth ? 0.16 : kTop, hasBoth ? 0.34 : kHeight,
            headColor(row.heads, theme()));
    if (rest != 0)
        bar(row.start + row.heads, row.start + row.sum(), hasBoth ? 0.5 : kTop, hasBoth ? 0.34 : kHeight,
            otherColor(theme()));
    const double x = xOf(row.start + row.sum()); // where the next line begins
    painter.setPen(QPen(ink.secondary, 0.7));
    painter.drawLine(QPointF(x, place.top() + 0.16 * m_rowHeight), QPointF(x, place.bottom() + 0.2 * m_rowHeight));
}

void WaterfallPicture::paintRow(QPainter& painter, std::size_t at) const
{
    const WaterfallRow& row = m_rows[at];
    const Inks& ink = inks(theme());
    const QRectF place = placeOf(at);
    const bool isPart = row.kind == Kind::Part;
    const bool isTotal = row.kind == Kind::Total;
    const QFont font = textFont(m_textPx, isTotal ? QFont::DemiBold : QFont::Normal);
    if (row.kind == Kind::Layer)
        paintFold(painter, row, place);
    const double indent = (isPart ? 2.1 : 1.2) * m_textPx;
    drawLine(painter, {place.left() + indent, place.top(), m_chart.left() - place.left() - indent, m_rowHeight},
             nameOf(row), font, isPart || row.isUnfolded ? ink.secondary : ink.ink);
    if (!row.isUnfolded)
        paintBars(painter, row, place);
    const double values[] = {row.heads, row.mlp, row.other};
    for (std::size_t i = 0; i < kNumbers.size(); ++i)
    {
        if (values[i] == 0)
            continue;
        const QColor color = row.isUnfolded     ? ink.secondary
                             : isTotal || i > 0 ? ink.ink
                                                : headColor(values[i], theme());
        drawLine(painter,
                 {box().right() - static_cast<double>(3 - i) * m_numberWidth, place.top(), m_numberWidth, m_rowHeight},
                 signedNumber(values[i], kDecimals), font, color, Qt::AlignRight | Qt::AlignVCenter);
    }
}

void WaterfallPicture::paint(QPainter& painter, const PictureMarks& marks) const
{
    if (m_rows.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const Inks& ink = inks(theme());
    if (marks.pointed && *marks.pointed < m_rows.size())
    {
        QColor ground = ink.hairline;
        ground.setAlphaF(0.5F);
        painter.fillRect(placeOf(*marks.pointed), ground);
    }
    paintHeader(painter);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        paintRow(painter, row);
    const double line = placeOf(m_rows.size() - 1).top();
    painter.setPen(QPen(ink.secondary, 0.8));
    painter.drawLine(QPointF(box().left(), line), QPointF(box().right(), line));
}

} // namespace headscope::viz
