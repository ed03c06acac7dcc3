// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/weight_matrix.h"

#include "viz/attention/weight_image.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::viz
{
namespace
{

constexpr double kSlantDeg = 60;
constexpr double kNameGap = 6;
constexpr double kGapFrom = 7; ///< cells at least so large have gaps between them
constexpr double kNumbersFrom = 34;
const double kSlantSine = std::sin(kSlantDeg * std::numbers::pi / 180);

double clampedTo(double moved, double content, double room)
{
    return std::clamp(moved, 0.0, std::max(0.0, content - room));
}

} // namespace

WeightMatrixLayout::WeightMatrixLayout(const TokenNames& names, const QRectF& box, InkTheme theme, MatrixWindow window)
    : m_names(&names), m_theme(theme), m_box(box)
{
    const double line = std::ceil(lineHeight(names.font()));
    const double left = std::ceil(std::min(names.widest(), 0.26 * box.width()) + kNameGap);
    const double top = std::ceil(std::min(names.widest(), 0.34 * box.height()) * kSlantSine + line / 2 + kNameGap);
    // The last names above lean out to the right.
    const double lean = std::ceil(std::min(names.widest(), 0.34 * box.height()) * 0.5);
    m_plot = box.adjusted(left, top, -std::min(lean, 0.14 * box.width()), 0);
    // A table that is narrower than its room stands in the middle.
    const double free = m_plot.width() - fittingCell() * static_cast<double>(names.count());
    m_plot.setLeft(m_plot.left() + std::floor(std::max(0.0, free) / 2));
    m_window = bounded(window);
}

double WeightMatrixLayout::fittingCell() const
{
    if (m_names == nullptr || m_names->count() == 0)
        return 1;
    const double side = std::max(1.0, std::min(m_plot.width(), m_plot.height()));
    const double cell = side / static_cast<double>(m_names->count());
    return std::min(kLargestFit, cell >= 2 ? std::floor(cell) : cell);
}

MatrixWindow WeightMatrixLayout::bounded(MatrixWindow window) const
{
    const double fit = fittingCell();
    if (window.cell <= fit)
        window.cell = fit;
    window.cell = std::min(window.cell, std::max(fit, kLargestCell));
    const double side = window.cell * static_cast<double>(m_names->count());
    window.left = clampedTo(window.left, side, m_plot.width());
    window.top = clampedTo(window.top, side, m_plot.height());
    return window;
}

MatrixWindow WeightMatrixLayout::zoomedAt(QPointF place, double factor) const
{
    const double cell = std::clamp(m_window.cell * factor, fittingCell(), std::max(fittingCell(), kLargestCell));
    const QPointF at = place - m_plot.topLeft();
    const double times = cell / m_window.cell;
    return bounded({cell, (m_window.left + at.x()) * times - at.x(), (m_window.top + at.y()) * times - at.y()});
}

MatrixWindow WeightMatrixLayout::panned(QPointF by) const
{
    return bounded({m_window.cell, m_window.left - by.x(), m_window.top - by.y()});
}

MatrixWindow WeightMatrixLayout::showing(WeightCell cell) const
{
    const auto moved = [this](double from, std::int64_t token, double room) {
        const double begin = static_cast<double>(token) * m_window.cell;
        return std::clamp(from, begin + m_window.cell - room, begin);
    };
    return bounded({m_window.cell, moved(m_window.left, cell.read, m_plot.width()),
                    moved(m_window.top, cell.reading, m_plot.height())});
}

QRectF WeightMatrixLayout::filled() const
{
    const double side = m_window.cell * static_cast<double>(m_names != nullptr ? m_names->count() : 0);
    return {m_plot.topLeft(), QSizeF(std::min(m_plot.width(), side), std::min(m_plot.height(), side))};
}

QRectF WeightMatrixLayout::cellRect(WeightCell cell) const
{
    return {m_plot.left() - m_window.left + static_cast<double>(cell.read) * m_window.cell,
            m_plot.top() - m_window.top + static_cast<double>(cell.reading) * m_window.cell, m_window.cell,
            m_window.cell};
}

std::optional<WeightCell> WeightMatrixLayout::cellAt(QPointF place) const
{
    if (m_names == nullptr || !filled().contains(place))
        return {};
    const auto read = static_cast<std::int64_t>((place.x() - m_plot.left() + m_window.left) / m_window.cell);
    const auto reading = static_cast<std::int64_t>((place.y() - m_plot.top() + m_window.top) / m_window.cell);
    if (read >= m_names->count() || reading >= m_names->count())
        return {};
    return WeightCell{reading, read};
}

std::optional<std::int64_t> WeightMatrixLayout::rowNameAt(QPointF place) const
{
    const QRectF part = filled();
    if (place.x() >= part.left() || place.y() < part.top() || place.y() >= part.bottom())
        return {};
    return static_cast<std::int64_t>((place.y() - m_plot.top() + m_window.top) / m_window.cell);
}

std::optional<std::int64_t> WeightMatrixLayout::columnNameAt(QPointF place) const
{
    const QRectF part = filled();
    if (place.y() >= part.top())
        return {};
    // A slanted name leans to the right as it rises.
    const double foot = place.x() - (part.top() - place.y()) / std::tan(kSlantDeg * std::numbers::pi / 180);
    if (foot < part.left() || foot >= part.right())
        return {};
    return static_cast<std::int64_t>((foot - m_plot.left() + m_window.left) / m_window.cell);
}

std::pair<std::int64_t, std::int64_t> WeightMatrixLayout::inView(double moved, double length) const
{
    const auto first = static_cast<std::int64_t>(moved / m_window.cell);
    const auto last = static_cast<std::int64_t>(std::ceil((moved + length) / m_window.cell));
    return {std::max<std::int64_t>(0, first), std::min(last, m_names->count())};
}

std::int64_t WeightMatrixLayout::nameStride(double apart) const
{
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(apart / m_window.cell)));
}

void WeightMatrixLayout::paintCells(QPainter& painter, const ShownWeights& weights) const
{
    const auto [firstRow, lastRow] = inView(m_window.top, m_plot.height());
    const auto [firstColumn, lastColumn] = inView(m_window.left, m_plot.width());
    const double gap = m_window.cell >= kGapFrom ? 1 : 0;
    const QColor unwritten = unwrittenColor(m_theme);
    const QColor takenOut = takenOutColor(m_theme);
    for (std::int64_t row = firstRow; row < lastRow; ++row)
        for (std::int64_t column = firstColumn; column < lastColumn; ++column)
        {
            const QColor color = !weights.mayRead(row, column) ? unwritten
                                 : weights.withoutFirst() && column == 0
                                     ? takenOut
                                     : QColor(attentionColor(static_cast<double>(weights(row, column)), m_theme));
            painter.fillRect(cellRect({row, column}).adjusted(0, 0, -gap, -gap), color);
        }
}

void WeightMatrixLayout::paintNumbers(QPainter& painter, const ShownWeights& weights) const
{
    const QFont font = textFont(m_names->font().pixelSize() - 1);
    const auto [firstRow, lastRow] = inView(m_window.top, m_plot.height());
    const auto [firstColumn, lastColumn] = inView(m_window.left, m_plot.width());
    for (std::int64_t row = firstRow; row < lastRow; ++row)
        for (std::int64_t column = firstColumn; column < lastColumn; ++column)
        {
            if (!weights.mayRead(row, column) || (weights.withoutFirst() && column == 0))
                continue;
            const auto share = static_cast<double>(weights(row, column));
            drawLine(painter, cellRect({row, column}), QString::number(share, 'f', 2), font,
                     textColorOn(QColor(attentionColor(share, m_theme))), Qt::AlignCenter);
        }
}

void WeightMatrixLayout::paintSlanted(QPainter& painter, std::int64_t token, const QFont& font,
                                      const QColor& color) const
{
    const double line = std::ceil(lineHeight(font));
    const double length = (m_plot.top() - m_box.top() - line / 2 - kNameGap) / kSlantSine;
    painter.save();
    painter.translate(cellRect({0, token}).center().x(), m_plot.top() - kNameGap + 2);
    painter.rotate(-kSlantDeg);
    const double most = std::min(length, m_names->width(token) + 24);
    drawLine(painter, {0, -line / 2, most, line}, m_names->shown(token), font, color);
    painter.restore();
}

void WeightMatrixLayout::paintNames(QPainter& painter, const WeightMarks& marks, bool firstTakenOut) const
{
    const Inks& ink = inks(m_theme);
    const std::optional<WeightCell> lit = marks.hovered ? marks.hovered : marks.chosen;
    QFont bold = m_names->font();
    bold.setWeight(QFont::DemiBold);
    const double line = std::ceil(lineHeight(bold));
    const auto each = [&](std::pair<std::int64_t, std::int64_t> range, double apart, std::optional<std::int64_t> chosen,
                          const auto& draw) {
        const std::int64_t stride = nameStride(apart);
        for (std::int64_t token = range.first; token < range.second; ++token)
        {
            const bool isLit = chosen == token;
            const bool crowded = chosen && stride > 1 && std::abs(token - *chosen) < stride;
            if (isLit || (token % stride == 0 && !crowded))
                draw(token, isLit);
        }
    };
    painter.save();
    painter.setClipRect(
        QRectF(m_box.left(), m_plot.top() - line / 2, m_plot.left() - m_box.left(), filled().height() + line));
    const double right = m_plot.left() - kNameGap;
    const double room = right - m_box.left();
    each(inView(m_window.top, m_plot.height()), m_names->pitch(), lit ? std::optional(lit->reading) : std::nullopt,
         [&](std::int64_t token, bool isLit) {
             const double y = cellRect({token, 0}).center().y();
             const double width = std::min(room, m_names->width(token) + 24);
             drawLine(painter, {right - width, y - line / 2, width, line}, m_names->shown(token),
                      isLit ? bold : m_names->font(), isLit ? ink.accent : ink.ink, Qt::AlignRight | Qt::AlignVCenter);
         });
    painter.restore();
    each(inView(m_window.left, filled().width()), m_names->pitch() / kSlantSine,
         lit ? std::optional(lit->read) : std::nullopt, [&](std::int64_t token, bool isLit) {
             if (const double x = cellRect({0, token}).center().x(); x < m_plot.left() || x > m_plot.right())
                 return;
             paintSlanted(painter, token, isLit ? bold : m_names->font(),
                          isLit                         ? ink.accent
                          : firstTakenOut && token == 0 ? ink.secondary
                                                        : ink.ink);
         });
}

void WeightMatrixLayout::paintMarks(QPainter& painter, const WeightMarks& marks) const
{
    const Inks& ink = inks(m_theme);
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](WeightCell cell, const QColor& color, double width) {
        QRectF place = cellRect(cell);
        constexpr double kSeen = 8; // a mark on a cell that is smaller than a pixel
        if (place.width() < kSeen)
            place = QRectF(place.center() - QPointF(kSeen / 2, kSeen / 2), QSizeF(kSeen, kSeen));
        else if (place.width() >= kGapFrom)
            place.adjust(0, 0, -1, -1);
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(place);
    };
    if (marks.hovered)
        frame(*marks.hovered, ink.secondary, 1);
    if (marks.chosen)
        frame(*marks.chosen, ink.accent, 2);
}

void WeightMatrixLayout::paint(QPainter& painter, const WeightPyramid& weights, const WeightMarks& marks,
                               double dpr) const
{
    if (m_names == nullptr || m_names->count() == 0)
        return;
    const QRectF part = filled();
    painter.save();
    painter.setClipRect(part.adjusted(-1, -1, 1, 1));
    constexpr double kShapesFrom = 4; // larger cells are shapes, smaller ones a picture
    if (m_window.cell >= kShapesFrom)
        paintCells(painter, weights.weights());
    else
        painter.drawImage(part, weightImage(weights,
                                            QSize(static_cast<int>(std::ceil(part.width() * dpr)),
                                                  static_cast<int>(std::ceil(part.height() * dpr))),
                                            QPointF(m_window.left, m_window.top) * dpr, m_window.cell * dpr, m_theme));
    if (m_window.cell >= kNumbersFrom)
        paintNumbers(painter, weights.weights());
    painter.restore();
    paintNames(painter, marks, weights.weights().withoutFirst());
    painter.save();
    painter.setClipRect(part.adjusted(-3, -3, 3, 3));
    paintMarks(painter, marks);
    painter.restore();
}

} // namespace headscope::viz
