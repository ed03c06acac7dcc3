// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/composition_matrix.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/heatmap/scale_bar.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

// In heights of the text.
constexpr double kRowNumbers = 3.6;                ///< numbers of the rows, left of the cells
constexpr double kBetweenTables = 2.5;             ///< between both tables
constexpr double kHeadingLine = 1.3;               ///< of a heading
constexpr double kColumnNumbers = 1.6;             ///< of the columns
constexpr double kScaleBelow = 2.6;                ///< the scale
constexpr double kMostSide = 34;                   ///< side of a table, where there is room
constexpr double kHeadingLeft = 3.2;               ///< a heading begins so far left of the cells
constexpr double kHeadingWider = kHeadingLeft + 2; ///< and is so much wider, without reaching the next

} // namespace

CompositionMatrix::CompositionMatrix(double textPx)
    : Picture({.name = "compositionMatrix",
               .saying = Saying::Tooltip,
               .hasGround = true,
               .items = Items::Unseen,
               .room = Room::Grows,
               .wanted = {760, 420},
               .least = {420, 240}}),
      m_textPx(textPx)
{}

const CompositionScores* CompositionMatrix::scores() const
{
    const CompositionScores* found = m_result ? m_result->composition() : nullptr;
    return found != nullptr && !found->of(m_kind).empty() ? found : nullptr;
}

double CompositionMatrix::scoreOf(std::int64_t from, std::int64_t to) const
{
    const CompositionScores& own = *scores();
    return own.of(m_kind)[static_cast<std::size_t>(from * own.layers * own.heads + to)] - own.baseline;
}

void CompositionMatrix::setResult(CircuitResultPtr result, CompositionKind kind)
{
    m_result = std::move(result);
    m_kind = kind;
    m_folded.clear();
    m_limits = {0, 1e-6};
    if (const CompositionScores* own = scores(); own != nullptr)
    {
        m_folded.resize(static_cast<std::size_t>(own->layers * own->layers));
        for (std::int64_t from = 0; from < own->layers; ++from)
            for (std::int64_t to = from + 1; to < own->layers; ++to)
            {
                double& highest = m_folded[static_cast<std::size_t>(from * own->layers + to)];
                highest = -own->baseline;
                for (std::int64_t a = 0; a < own->heads; ++a)
                    for (std::int64_t b = 0; b < own->heads; ++b)
                        highest = std::max(highest, scoreOf(from * own->heads + a, to * own->heads + b));
                m_limits.high = std::max(m_limits.high, highest);
            }
        m_limits = roundedOutwards(m_limits);
        m_limits.low = 0;
    }
    setLayers({});
    replaced();
}

void CompositionMatrix::setLayers(std::optional<std::pair<std::int64_t, std::int64_t>> layers)
{
    m_layers = {0, 0};
    const CompositionScores* own = scores();
    if (own != nullptr && layers && layers->first >= 0 && layers->first < layers->second &&
        layers->second < own->layers)
        m_layers = *layers;
    else if (own != nullptr && own->layers > 1)
    {
        m_layers = {0, 1};
        double highest = -1;
        for (std::int64_t from = 0; from < own->layers; ++from)
            for (std::int64_t to = from + 1; to < own->layers; ++to)
                if (const double score = m_folded[static_cast<std::size_t>(from * own->layers + to)]; score > highest)
                {
                    highest = score;
                    m_layers = {from, to};
                }
    }
    arrange(); // the headings have their numbers
    changed();
}

std::size_t CompositionMatrix::count() const
{
    const CompositionScores* own = scores();
    return own == nullptr || own->layers < 2 ? 0 : m_folded.size() + static_cast<std::size_t>(own->heads * own->heads);
}

std::pair<std::int64_t, std::int64_t> CompositionMatrix::pairOf(std::size_t item) const
{
    const std::int64_t side = isHeads(item) ? scores()->heads : scores()->layers;
    const auto at = static_cast<std::int64_t>(isHeads(item) ? item - m_folded.size() : item);
    return {at / side, at % side};
}

std::optional<ItemHead> CompositionMatrix::itemHead(std::size_t item) const
{
    if (!isHeads(item))
        return std::nullopt;
    return ItemHead{LayerIndex(m_layers.first), HeadIndex(pairOf(item).first)};
}

std::array<CompositionMatrix::Heading, 2> CompositionMatrix::headingsAbove(double cells) const
{
    const double width = cells + kHeadingWider * m_textPx;
    const auto lines = [width](const QString& first, const QString& second, const QFont& font) {
        const QString one = first + QChar(u' ') + second;
        return textWidth(one, font) <= width ? QStringList{one} : QStringList{first, second};
    };
    const QFont bold = textFont(m_textPx, QFont::DemiBold);
    const QFont plain = textFont(m_textPx);
    const auto [from, to] = m_layers;
    return {Heading{lines(title() + QChar(u':'), QStringLiteral("highest pair of heads"), bold),
                    lines(QStringLiteral("rows: earlier layer,"), QStringLiteral("columns: later layer"), plain)},
            Heading{lines(QStringLiteral("Heads of layers"), QStringLiteral("%1 and %2").arg(from).arg(to), bold),
                    lines(QStringLiteral("rows: heads of layer %1,").arg(from),
                          QStringLiteral("columns: of layer %1").arg(to), plain)}};
}

double CompositionMatrix::heightAbove(double cells) const
{
    qsizetype lines = 0;
    for (const Heading& heading : headingsAbove(cells))
        lines = std::max(lines, heading.title.size() + heading.axes.size());
    return (kHeadingLine * static_cast<double>(lines) + kColumnNumbers) * m_textPx;
}

double CompositionMatrix::heightWanted(double width) const
{
    const double side = std::min(0.5 * (width - (2 * kRowNumbers + kBetweenTables) * m_textPx), kMostSide * m_textPx);
    return side + heightAbove(side) + kScaleBelow * m_textPx;
}

void CompositionMatrix::arrange()
{
    const double names = kRowNumbers * m_textPx;
    double side = 0.5 * (box().width() - 2 * names - kBetweenTables * m_textPx);
    double above = heightAbove(side);
    // Where the height limits the cells, they may become too narrow for a heading in one line.
    for (int time = 0; time < 2; ++time)
    {
        side = std::max(20.0, std::min(side, box().height() - above - kScaleBelow * m_textPx));
        above = heightAbove(side);
    }
    m_left = QRectF(box().left() + names, box().top() + above, side, side);
    m_right = QRectF(m_left.right() + kBetweenTables * m_textPx + names, box().top() + above, side, side);
}

QRectF CompositionMatrix::placeOf(std::size_t item) const
{
    const auto [from, to] = pairOf(item);
    const QRectF& cells = isHeads(item) ? m_right : m_left;
    const double side = cells.width() / static_cast<double>(isHeads(item) ? scores()->heads : scores()->layers);
    return {cells.left() + static_cast<double>(to) * side, cells.top() + static_cast<double>(from) * side, side, side};
}

std::optional<std::size_t> CompositionMatrix::itemAt(QPointF place) const
{
    if (count() == 0)
        return std::nullopt;
    for (const bool heads : {false, true})
    {
        const QRectF& cells = heads ? m_right : m_left;
        if (!cells.contains(place))
            continue;
        const std::int64_t side = heads ? scores()->heads : scores()->layers;
        const auto along = [&](double at) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(at / cells.width() * static_cast<double>(side)),
                                            0, side - 1);
        };
        const std::int64_t from = along(place.y() - cells.top());
        const std::int64_t to = along(place.x() - cells.left());
        if (!heads && to <= from)
            return std::nullopt;
        return static_cast<std::size_t>(from * side + to) + (heads ? m_folded.size() : 0);
    }
    return std::nullopt;
}

std::optional<std::size_t> CompositionMatrix::next(std::optional<std::size_t> from, Step step) const
{
    if (count() == 0)
        return std::nullopt;
    const std::int64_t layers = scores()->layers;
    if (!from)
        return static_cast<std::size_t>(m_layers.first * layers + m_layers.second);
    const bool heads = isHeads(*from);
    const auto side = static_cast<std::size_t>(heads ? scores()->heads : layers);
    const std::size_t first = heads ? m_folded.size() : 0;
    const auto next = nextCell(*from - first, step, side, side);
    if (!next)
        return std::nullopt;
    const auto [a, b] = pairOf(*next + first);
    if (heads && *next + first == *from && step == Step::Left) // back to the layers
        return static_cast<std::size_t>(m_layers.first * layers + m_layers.second);
    if (!heads && *next == *from && step == Step::Right) // on to the heads
        return m_folded.size();
    return heads || a < b ? *next + first : *from;
}

ItemText CompositionMatrix::textOf(std::size_t item) const
{
    const auto [from, to] = pairOf(item);
    if (!isHeads(item))
        return {.title = QStringLiteral("Layer %1 to layer %2: highest %3")
                             .arg(from)
                             .arg(to)
                             .arg(signedNumber(m_folded[item], 4))};
    const std::int64_t heads = scores()->heads;
    return {.title = QStringLiteral("%1 to layer %2, head %3: %4")
                         .arg(headText(m_layers.first, from))
                         .arg(m_layers.second)
                         .arg(to + 1)
                         .arg(signedNumber(scoreOf(m_layers.first * heads + from, m_layers.second * heads + to), 4))};
}

void CompositionMatrix::choose(std::size_t item)
{
    if (!isHeads(item))
        if (const auto layers = pairOf(item); layers.first < layers.second)
            setLayers(layers);
}

QString CompositionMatrix::title() const
{
    return QStringLiteral("%1-composition").arg(QString::fromLatin1(compositionName(m_kind).data()).toUpper());
}

QString CompositionMatrix::summary() const
{
    if (count() == 0)
        return {};
    const auto item = static_cast<std::size_t>(m_layers.first * scores()->layers + m_layers.second);
    return title() + QStringLiteral(". ") + textOf(item).title;
}

void CompositionMatrix::paintNames(QPainter& painter, const QRectF& cells, std::int64_t count, std::int64_t first) const
{
    const double side = cells.width() / static_cast<double>(count);
    const auto every = static_cast<std::int64_t>(std::max(1.0, std::ceil(1.7 * m_textPx / side)));
    const QFont font = textFont(m_textPx);
    for (std::int64_t i = 0; i < count; i += every)
    {
        const double at = static_cast<double>(i) * side;
        drawLine(painter, {cells.left() - 3.2 * m_textPx, cells.top() + at, 2.8 * m_textPx, side},
                 QString::number(i + first), font, inks(theme()).secondary, Qt::AlignRight | Qt::AlignVCenter);
        drawLine(painter,
                 {cells.left() + at - m_textPx, cells.top() - 1.5 * m_textPx, side + 2 * m_textPx, 1.4 * m_textPx},
                 QString::number(i + first), font, inks(theme()).secondary, Qt::AlignCenter);
    }
}

void CompositionMatrix::paintHeadings(QPainter& painter) const
{
    const std::array headings = headingsAbove(m_left.width());
    for (const bool heads : {false, true})
    {
        const QRectF& cells = heads ? m_right : m_left;
        QRectF line(cells.left() - kHeadingLeft * m_textPx, box().top(), cells.width() + kHeadingWider * m_textPx,
                    1.4 * m_textPx);
        const auto paintLines = [&](const QStringList& lines, const QFont& font, const QColor& color) {
            for (const QString& text : lines)
            {
                drawLine(painter, line, text, font, color);
                line.translate(0, kHeadingLine * m_textPx);
            }
        };
        paintLines(headings[heads ? 1 : 0].title, textFont(m_textPx, QFont::DemiBold), inks(theme()).ink);
        paintLines(headings[heads ? 1 : 0].axes, textFont(m_textPx), inks(theme()).secondary);
    }
}

void CompositionMatrix::paint(QPainter& painter, const PictureMarks& marks) const
{
    if (count() == 0)
        return;
    const Inks& ink = inks(theme());
    const CompositionScores& own = *scores();
    const ColorScale scale = scaleOf(ScaleChoice{ScaleChoice::Kind::Sequential, m_limits, 0}, theme());
    const auto fill = [&](std::size_t item, double value) {
        const QRectF place = placeOf(item);
        const double gap = place.width() > 6 ? 0.5 : 0;
        painter.fillRect(place.adjusted(gap, gap, -gap, -gap), QColor(scale.color(value)));
    };
    for (std::size_t item = 0; item < m_folded.size(); ++item)
        if (const auto [from, to] = pairOf(item); from < to)
            fill(item, m_folded[item]);
    for (std::size_t item = m_folded.size(); item < count(); ++item)
    {
        const auto [from, to] = pairOf(item);
        fill(item, scoreOf(m_layers.first * own.heads + from, m_layers.second * own.heads + to));
    }
    paintNames(painter, m_left, own.layers, 0);
    paintNames(painter, m_right, own.heads, 1);
    const std::int64_t group = own.heads / std::max<std::int64_t>(1, own.kvHeads);
    painter.setPen(QPen(ink.background, 2));
    for (std::int64_t head = group; group > 1 && head < own.heads; head += group)
    {
        const double at = m_right.width() * static_cast<double>(head) / static_cast<double>(own.heads);
        painter.drawLine(QPointF(m_right.left(), m_right.top() + at), QPointF(m_right.right(), m_right.top() + at));
        painter.drawLine(QPointF(m_right.left() + at, m_right.top()), QPointF(m_right.left() + at, m_right.bottom()));
    }
    paintHeadings(painter);
    paintScaleBar(painter, scale, QStringLiteral("Score above random rotations"),
                  {m_left.left(), m_left.bottom() + 0.8 * m_textPx, m_right.right() - m_left.left(), 1.4 * m_textPx},
                  m_textPx, theme());
    const auto frame = [&](std::size_t item, const QColor& color) {
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(placeOf(item).adjusted(-0.5, -0.5, 0.5, 0.5));
    };
    frame(static_cast<std::size_t>(m_layers.first * own.layers + m_layers.second), ink.accent);
    if (marks.pointed && *marks.pointed < count())
        frame(*marks.pointed, ink.ink);
}

} // namespace headscope::viz
