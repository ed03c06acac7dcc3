// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/heatmap_figures.h"
#include "viz/heatmap/scale_bar.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = kFigureTextPt;
constexpr double kGap = kFigureGap;
/// A table beside another is at least so wide, and wide enough for the letters of its columns; in a narrower
/// figure it lies under it.
constexpr double kMinTable = 120;

/// Names under each other in as many columns as fit; how high they are.
double paintKey(QPainter* painter, const QStringList& key, const QRectF& box)
{
    const QFont font = textFont(kTextPt - 1);
    const double line = std::ceil(lineHeight(font)) + 2;
    double widest = 1;
    for (const QString& name : key)
        widest = std::max(widest, textWidth(name, font));
    const double pitch = std::min(box.width(), widest + kGap);
    const auto perLine = std::max<qsizetype>(1, static_cast<qsizetype>(box.width() / pitch));
    const qsizetype lines = key.isEmpty() ? 0 : (key.size() + perLine - 1) / perLine;
    for (qsizetype i = 0; painter != nullptr && i < key.size(); ++i)
        drawLine(*painter,
                 {box.left() + static_cast<double>(i / lines) * pitch,
                  box.top() + static_cast<double>(i % lines) * line, pitch - kGap / 2, line},
                 key[i], font, inks(InkTheme::Light).secondary);
    return static_cast<double>(lines) * line;
}

/// Where each table goes, from (0, 0), and how high all are.
struct TablePlaces
{
    std::vector<QRectF> boxes;
    double height = 0;
    bool beside = false;
};

MatrixStyle styleOf(const MatrixFigure& table, bool beside)
{
    MatrixStyle style = table.style;
    style.theme = InkTheme::Light;
    style.textPx = kTextPt;
    style.leastNumber = kMinNumberPt;
    style.rowNames = style.rowNames || !beside; // under each other each needs its own
    return style;
}

/// How high a table is at this width: every row can be read.
double heightOf(const MatrixFigure& table, double width, bool beside)
{
    constexpr double kTall = 20'000;
    const MatrixStyle style = styleOf(table, beside);
    const MatrixLayout layout(table.values, table.rowNames, table.columnNames, {0, 0, width, kTall}, style);
    if (style.square)
        return layout.bottom();
    const double row = std::ceil(lineHeight(textFont(kTextPt - 1)));
    const auto rows = static_cast<double>(style.rows.empty() ? table.values.rows() : std::ssize(style.rows));
    return kTall - layout.plot().height() + std::max(rows * row, 0.3 * width);
}

/// How wide a table must be to be read: names of its columns, and numbers where they fit the figure's width at all.
double leastWidth(const MatrixFigure& table, double most)
{
    constexpr double kTall = 1000;
    const MatrixLayout layout(table.values, table.rowNames, table.columnNames, {0, 0, kTall, kTall},
                              styleOf(table, true));
    double letters = 0;
    for (const QString& name : table.columnNames)
        letters = std::max(letters, textWidth(name, textFont(kTextPt - 1, QFont::DemiBold)) + 2);
    const auto columns = static_cast<double>(table.values.cols());
    const double least = std::max(kMinTable, layout.plot().left() + letters * columns);
    const MatrixStyle alone = styleOf(table, false);
    const double numbers =
        MatrixLayout(table.values, table.rowNames, table.columnNames, {0, 0, kTall, kTall}, alone).plot().left() +
        MatrixLayout::widthOfNumbers(alone) * columns;
    return table.style.numbers && numbers <= most ? std::max(least, numbers) : least;
}

/// A name inside a line of another direction reads as it does alone: between U+2068 and U+2069.
QString isolated(const QString& name)
{
    return name.isRightToLeft() ? QChar(0x2068) + name + QChar(0x2069) : name;
}

/// Where names do not fit beside the rows of a square table, letters stand there, and the key has the names.
std::pair<std::vector<MatrixFigure>, QStringList> lettered(std::span<const MatrixFigure> tables, QStringList key,
                                                           double width)
{
    std::vector<MatrixFigure> made(tables.begin(), tables.end());
    for (MatrixFigure& table : made)
    {
        if (!table.style.square || table.columnNames.size() != table.rowNames.size() || table.rowNames.isEmpty())
            continue;
        constexpr double kTall = 20'000;
        const MatrixLayout layout(table.values, table.rowNames, table.columnNames, {0, 0, width, kTall},
                                  styleOf(table, false));
        const double row = layout.plot().height() / static_cast<double>(table.rowNames.size());
        double names = 0;
        for (const QString& name : table.rowNames)
            names = std::max(names, textWidth(name, textFont(kTextPt - 1)));
        if (row >= 0.85 * lineHeight(textFont(kTextPt - 1)) && names <= layout.plot().left())
            continue;
        for (qsizetype i = 0; key.size() < table.rowNames.size() && i < table.rowNames.size(); ++i)
        {
            QString name = table.rowNames[i];
            if (name.endsWith(table.columnNames[i]))
                name.chop(table.columnNames[i].size());
            key << table.columnNames[i] + QStringLiteral("  ") + isolated(name.trimmed());
        }
        table.rowNames = table.columnNames;
    }
    return {made, key};
}

/// @param room  height 0: as high as the tables want
TablePlaces placesOf(std::span<const MatrixFigure> tables, QSizeF room)
{
    const auto count = static_cast<double>(tables.size());
    TablePlaces places;
    double least = 0;
    for (const MatrixFigure& table : tables)
        least = std::max(least, leastWidth(table, room.width()));
    places.beside = count == 1 || count * least + (count - 1) * kGap <= room.width();
    const double lines = places.beside ? 1 : count;
    const double width = places.beside ? (room.width() - kGap * (count - 1)) / count : room.width();
    double height = 0;
    for (const MatrixFigure& table : tables)
        height = std::max(height, heightOf(table, width, places.beside));
    if (room.height() > 0)
        height = std::max(1.0, (room.height() - kGap * (lines - 1)) / lines);
    for (std::size_t i = 0; i < tables.size(); ++i)
    {
        const auto at = static_cast<double>(i);
        places.boxes.emplace_back(places.beside ? at * (width + kGap) : 0, places.beside ? 0 : at * (height + kGap),
                                  width, height);
    }
    places.height = places.boxes.back().bottom();
    return places;
}

/// Tables and their key in their places.
class MatricesDrawing
{
public:
    MatricesDrawing(std::span<const MatrixFigure> given, const QStringList& names, FigureOptions& options)
    {
        const double width = contentWidth(options);
        std::tie(m_tables, m_key) = lettered(given, names, width);
        m_scaleHeight = std::ceil(lineHeight(textFont(kTextPt - 1))) + 4;
        m_keyHeight = paintKey(nullptr, m_key, {0, 0, width, 0});
        const double below = m_scaleHeight + 4 + (m_keyHeight > 0 ? kGap + m_keyHeight : 0);
        const double height = contentHeight(options);
        m_places = placesOf(m_tables, {width, height > 0 ? std::max(1.0, height - below) : 0});
        followContent(options, m_places.height + below);
    }

    void paint(QPainter& painter, const QRectF& box, double dpr) const
    {
        for (std::size_t i = 0; i < m_tables.size(); ++i)
            MatrixLayout(m_tables[i].values, m_tables[i].rowNames, m_tables[i].columnNames,
                         m_places.boxes[i].translated(box.topLeft()), styleOf(m_tables[i], m_places.beside))
                .paint(painter, dpr);
        const double top = box.top() + m_places.height + 4;
        paintScaleBar(painter, m_tables.front().style.scale, m_tables.front().scaleTitle,
                      {box.left(), top, box.width(), m_scaleHeight}, kTextPt - 1);
        static_cast<void>(
            paintKey(&painter, m_key, {box.left(), top + m_scaleHeight + kGap, box.width(), m_keyHeight}));
    }

private:
    std::vector<MatrixFigure> m_tables;
    QStringList m_key;
    TablePlaces m_places;
    double m_scaleHeight = 0;
    double m_keyHeight = 0;
};

} // namespace

Figure figureOfMatrices(std::vector<MatrixFigure> tables, QStringList key)
{
    return [tables = std::move(tables), key = std::move(key)](FigureOptions options) -> Result<FigureSpec> {
        if (tables.empty())
            return Error{ErrorCode::InvalidArgument, "there is no table to draw", {}, {}};
        const auto drawing = std::make_shared<const MatricesDrawing>(tables, key, options);
        return FigureSpec{
            [drawing](QPainter& painter, const QRectF& box, double dpr) { drawing->paint(painter, box, dpr); },
            std::move(options)};
    };
}

} // namespace headscope::viz
