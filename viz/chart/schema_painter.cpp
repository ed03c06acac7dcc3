// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/text.h"
#include "viz/chart/layer_schema.h"
#include "viz/color/stage_colors.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headscope::viz
{
namespace
{

constexpr double kNarrow = 42; ///< widths of a letter: below, the stages stand under the drawing

/// Where everything goes, from (0, 0).
struct SchemaPlaces
{
    double line = 0;           ///< height of a line of text
    double stream = 0;         ///< x of the residual stream
    std::vector<QRectF> rows;  ///< boxes of the rows
    std::vector<QRectF> cells; ///< under the text of each row; empty where it has none
    std::array<QPointF, 3> badges;
    std::array<QRectF, 3> texts;
    double height = 0;
};

double badgeRadius(const SchemaStyle& style)
{
    return style.textPx * 0.8;
}

const LayerSchema::Row* rowOfStage(const LayerSchema& schema, int stage)
{
    const auto found = std::ranges::find(schema.rows, stage, &LayerSchema::Row::stage);
    return found == schema.rows.end() ? nullptr : &*found;
}

double tapHeight(const QString& text, double width, const SchemaStyle& style)
{
    const QFont font = textFont(style.textPx);
    return lineHeight(font) * (1 + static_cast<double>(wrappedLines(text, font, width).size()));
}

/// One line where title and sizes fit beside each other, else two.
double rowTextHeight(const LayerSchema::Row& row, double width, const SchemaStyle& style)
{
    const double line = lineHeight(textFont(style.textPx));
    const double both = textWidth(row.title, textFont(style.textPx, QFont::DemiBold)) + 1.5 * style.textPx +
                        textWidth(row.detail, textFont(style.textPx));
    return row.detail.isEmpty() || both <= width ? line : 2 * line;
}

SchemaPlaces schemaPlaces(const LayerSchema& schema, double width, const SchemaStyle& style)
{
    SchemaPlaces places;
    places.line = lineHeight(textFont(style.textPx));
    const double pad = style.textPx * 0.5;
    const double radius = badgeRadius(style);
    const bool narrow = width < kNarrow * style.textPx;
    places.stream = radius;
    const double left = 3 * radius + pad;
    const double badge = 2 * radius + pad;
    const double boxes = narrow ? width - left - badge : 0.58 * (width - left);
    const double gap = style.textPx * 0.9;
    double top = 0;
    for (const LayerSchema::Row& row : schema.rows)
    {
        if (row.cells == LayerSchema::Cells::Keys)
            top -= gap; // keys stand directly under the queries that look at them
        const double text = rowTextHeight(row, boxes - 2 * pad, style);
        const double cells = row.cells == LayerSchema::Cells::None ? 0 : places.line * 1.1;
        const double height = row.sum ? std::max(text, 1.5 * radius) : text + cells + (cells > 0 ? 2.2 : 1.4) * pad;
        places.rows.emplace_back(left, top, boxes, height);
        places.cells.emplace_back(left + pad, top + text + pad, boxes - 2 * pad, cells);
        top += height + gap;
    }
    const double rowsEnd = top - gap;
    double under = rowsEnd + 2 * pad;
    double free = 0; // the texts at the right do not lie over each other
    for (int stage = 1; stage <= 3; ++stage)
    {
        const auto at = static_cast<std::size_t>(stage - 1);
        const LayerSchema::Row* row = rowOfStage(schema, stage);
        const QRectF box = row != nullptr ? places.rows[static_cast<std::size_t>(row - schema.rows.data())] : QRectF();
        places.badges[at] = {box.right() + pad + radius, box.center().y()};
        const double x = narrow ? 0 : box.right() + 2 * radius + 3 * pad;
        const double text = tapHeight(schema.taps[at], width - x, style);
        const double y = narrow ? under : std::max(free, box.center().y() - places.line / 2);
        places.texts[at] = {x, y, width - x, text};
        under += text + pad;
        free = y + text + pad;
    }
    places.height = std::max(rowsEnd, places.texts[2].bottom());
    return places;
}

class SchemaPainter
{
public:
    SchemaPainter(QPainter& painter, const LayerSchema& schema, const SchemaStyle& style, const SchemaPlaces& places)
        : m_painter(painter), m_schema(schema), m_style(style), m_places(places), m_inks(inks(style.theme)),
          m_palette(schema.info, style.theme)
    {}

    void paint()
    {
        paintStream();
        for (std::size_t i = 0; i < m_schema.rows.size(); ++i)
        {
            if (i > 0 && m_schema.rows[i].cells != LayerSchema::Cells::Keys)
                arrow({m_places.rows[i].center().x(), m_places.rows[i - 1].bottom()},
                      {m_places.rows[i].center().x(), m_places.rows[i].top()});
            paintRow(i);
        }
        for (int stage = 1; stage <= 3; ++stage)
            paintTap(stage);
    }

private:
    void arrow(QPointF from, QPointF to)
    {
        const double head = m_style.textPx * 0.28;
        m_painter.setPen(QPen(m_inks.secondary, m_style.textPx / 12));
        m_painter.drawLine(from, to);
        const QPointF along = to - from;
        const double length = std::hypot(along.x(), along.y());
        if (length <= 0)
            return;
        const QPointF unit = along / length;
        const QPointF across(-unit.y(), unit.x());
        m_painter.drawLine(to, to - head * 1.4 * unit + head * across);
        m_painter.drawLine(to, to - head * 1.4 * unit - head * across);
    }

    /// The residual stream: from what each sum adds, past the rows between, into the sum.
    void paintStream()
    {
        const bool post = m_schema.traits != nullptr && m_schema.traits->normPlacement == NormPlacement::Post;
        std::size_t from = 0;
        for (std::size_t i = 0; i < m_schema.rows.size(); ++i)
        {
            if (!m_schema.rows[i].sum)
                continue;
            const QRectF& source = m_places.rows[from];
            const QRectF& sum = m_places.rows[i];
            const QPointF branch(source.center().x(), (source.bottom() + m_places.rows[from + 1].top()) / 2);
            m_painter.setPen(QPen(m_inks.secondary, m_style.textPx / 12));
            m_painter.drawLine(branch, {m_places.stream, branch.y()});
            m_painter.drawLine(QPointF(m_places.stream, branch.y()), {m_places.stream, sum.center().y()});
            arrow({m_places.stream, sum.center().y()}, {sum.left(), sum.center().y()});
            // The norm of post-norm layers stands between the sum and what goes on beside the MLP.
            from = post ? i + 1 : i;
        }
    }

    void paintRow(std::size_t i)
    {
        const LayerSchema::Row& row = m_schema.rows[i];
        const QRectF& box = m_places.rows[i];
        const double pad = m_style.textPx * 0.5;
        const QFont bold = textFont(m_style.textPx, QFont::DemiBold);
        const QFont plain = textFont(m_style.textPx);
        m_painter.setBrush(m_inks.card);
        m_painter.setPen(QPen(m_inks.hairline, m_style.textPx / 12));
        if (!row.sum)
            m_painter.drawRoundedRect(box, pad, pad);
        const QRectF cells = m_places.cells[i];
        QRectF line(box.left() + pad, row.sum ? box.center().y() - m_places.line / 2 : box.top() + pad * 0.7,
                    box.width() - 2 * pad, m_places.line);
        if (row.sum)
        {
            paintSum({box.left() + badgeRadius(m_style) * 0.7, box.center().y()});
            line.setLeft(line.left() + badgeRadius(m_style) * 1.6);
        }
        drawLine(m_painter, line, row.title, bold, m_inks.ink);
        const bool below = rowTextHeight(row, box.width() - 2 * pad, m_style) > 1.5 * m_places.line;
        if (below)
            line.translate(0, m_places.line);
        drawLine(m_painter, line, row.detail, plain, m_inks.secondary,
                 (below ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (row.cells != LayerSchema::Cells::None)
            paintCells(row.cells, cells);
    }

    void paintSum(QPointF middle)
    {
        const double radius = badgeRadius(m_style) * 0.65;
        m_painter.setBrush(m_inks.background);
        m_painter.setPen(QPen(m_inks.ink, m_style.textPx / 10));
        m_painter.drawEllipse(middle, radius, radius);
        m_painter.drawLine(middle - QPointF(radius * 0.6, 0), middle + QPointF(radius * 0.6, 0));
        m_painter.drawLine(middle - QPointF(0, radius * 0.6), middle + QPointF(0, radius * 0.6));
    }

    void paintCells(LayerSchema::Cells kind, const QRectF& room)
    {
        const ModelInfo& info = m_schema.info;
        const std::int64_t count = kind == LayerSchema::Cells::Keys ? info.kvHeads : info.heads;
        const double step = room.width() / static_cast<double>(std::max<std::int64_t>(1, count));
        const QFont font = textFont(m_style.textPx * 0.8);
        const bool numbered = textWidth(QString::number(count), font) + m_style.textPx * 0.2 <= step;
        for (std::int64_t i = 0; i < count; ++i)
        {
            const QRectF cell(room.left() + static_cast<double>(i) * step, room.top(), step, room.height());
            const bool segment = kind == LayerSchema::Cells::Segments;
            const QColor fill = segment                            ? m_inks.background
                                : kind == LayerSchema::Cells::Keys ? m_palette.groupColor(GroupIndex(i))
                                                                   : m_palette.color(HeadIndex(i));
            m_painter.setPen(QPen(segment ? m_inks.secondary : m_inks.background, m_style.textPx / 16));
            m_painter.setBrush(fill);
            m_painter.drawRect(cell);
            const QColor ink = segment                            ? m_inks.ink
                               : kind == LayerSchema::Cells::Keys ? readableOn(fill)
                                                                  : m_palette.textColor(HeadIndex(i));
            if (numbered)
                drawLine(m_painter, cell, QString::number(i + 1), font, ink, Qt::AlignCenter);
        }
    }

    [[nodiscard]] static QColor readableOn(const QColor& fill)
    {
        return qGray(fill.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white);
    }

    void paintTap(int stage)
    {
        const auto at = static_cast<std::size_t>(stage - 1);
        const QColor color = stageColor(kStages[at], m_style.theme);
        const QPointF middle = m_places.badges[at];
        const double radius = badgeRadius(m_style);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawEllipse(middle, radius, radius);
        const QFont bold = textFont(m_style.textPx, QFont::DemiBold);
        drawLine(m_painter, {middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius}, QString::number(stage),
                 bold, readableOn(color), Qt::AlignCenter);
        QRectF line = m_places.texts[at];
        line.setHeight(m_places.line);
        drawLine(m_painter, line, QStringLiteral("Stage %1").arg(stage), bold, m_inks.ink);
        for (const QString& text : wrappedLines(m_schema.taps[at], textFont(m_style.textPx), line.width()))
        {
            line.translate(0, m_places.line);
            drawLine(m_painter, line, text, textFont(m_style.textPx), m_inks.secondary);
        }
    }

    QPainter& m_painter;
    const LayerSchema& m_schema;
    const SchemaStyle& m_style;
    const SchemaPlaces& m_places;
    const Inks& m_inks;
    HeadPalette m_palette;
};

} // namespace

double schemaHeight(const LayerSchema& schema, double width, const SchemaStyle& style)
{
    return schemaPlaces(schema, width, style).height;
}

void paintSchema(QPainter& painter, const LayerSchema& schema, const QRectF& box, const SchemaStyle& style)
{
    const SchemaPlaces places = schemaPlaces(schema, box.width(), style);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    SchemaPainter(painter, schema, style, places).paint();
    painter.restore();
}

} // namespace headscope::viz
