// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/lens_table.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/color/color_map.h"
#include "viz/color/head_palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope::viz
{
namespace
{

constexpr std::size_t kMostRows = 8; ///< of a list
constexpr double kColumn = 7.2;      ///< least width, in heights of the text

} // namespace

LensTable::LensTable(double textPx)
    : Picture({.name = "lensTable",
               .saying = Saying::Tooltip,
               .takesClicks = true,
               .hasGround = true,
               .items = Items::Listed,
               .room = Room::Grows,
               .wanted = {760, 420},
               .least = {420, 200}}),
      m_textPx(textPx)
{}

const LensTables* LensTable::tables() const
{
    return m_result ? m_result->lens() : nullptr;
}

std::vector<std::int64_t> LensTable::layers() const
{
    std::set<std::int64_t> found;
    if (tables() != nullptr)
        for (const LensWords& row : tables()->rows)
            found.insert(row.layer);
    return {found.begin(), found.end()};
}

std::vector<std::string> LensTable::reads() const
{
    std::vector<std::string> found;
    if (tables() != nullptr)
        for (const LensWords& row : tables()->rows)
            if (!row.read.empty() && std::ranges::find(found, row.read) == found.end())
                found.push_back(row.read);
    return found;
}

void LensTable::setResult(CircuitResultPtr result, std::optional<std::int64_t> layer, const std::string& read)
{
    m_result = std::move(result);
    m_columns.clear();
    const auto decoded = layers();
    const auto tokens = reads();
    m_layer = layer && std::ranges::find(decoded, *layer) != decoded.end() ? *layer
              : decoded.empty()                                            ? 0
                                                                           : decoded.back();
    m_read = std::ranges::find(tokens, read) != tokens.end() ? read : tokens.empty() ? std::string() : tokens.front();
    if (tables() != nullptr)
        for (const LensWords& row : tables()->rows)
            if (row.layer == m_layer && row.read == m_read)
                m_columns.push_back(&row);
    arrange();
    replaced();
}

std::vector<LensTable::Block> LensTable::blocks() const
{
    const bool isOfMany = tables() != nullptr && !tables()->weights && tables()->document.empty();
    const QString order = isOfMany ? QStringLiteral(", tokens of most documents first") : QString();
    std::vector<Block> all = {{QStringLiteral("Highest logits") + order, "highest", &LensWords::up, 0},
                              {QStringLiteral("Lowest logits") + order, "lowest", &LensWords::down, 0},
                              {QStringLiteral("Attends to (keys)"), "key", &LensWords::keys, 0},
                              {QStringLiteral("Attended from (queries)"), "query", &LensWords::queries, 0}};
    for (Block& block : all)
        for (const LensWords* column : m_columns)
            block.rows = std::max(block.rows, std::min(kMostRows, (column->*block.words).size()));
    std::erase_if(all, [](const Block& block) { return block.rows == 0; });
    return all;
}

std::size_t LensTable::perLine(double width) const
{
    const auto fits = static_cast<std::size_t>(std::max(1.0, width / (kColumn * m_textPx)));
    if (tables() == nullptr || fits >= m_columns.size())
        return std::max<std::size_t>(1, m_columns.size());
    const auto group = static_cast<std::size_t>(
        std::max<std::int64_t>(1, tables()->heads / std::max<std::int64_t>(1, tables()->kvHeads)));
    return fits >= group ? fits / group * group : fits; // groups are not parted where they fit
}

double LensTable::lineHeight() const
{
    double rows = 2.6; // names of groups and heads
    for (const Block& block : blocks())
        rows += static_cast<double>(block.rows) + 1.4;
    return rows * std::ceil(1.45 * m_textPx);
}

double LensTable::heightWanted(double width) const
{
    const std::size_t each = perLine(width);
    const std::size_t lines = (m_columns.size() + each - 1) / each;
    return static_cast<double>(lines) * lineHeight() + 0.5 * m_textPx;
}

int LensTable::heightForWidth(int width) const
{
    return m_columns.empty() ? -1 : static_cast<int>(std::ceil(heightWanted(width)));
}

void LensTable::arrange()
{
    m_items.clear();
    m_lines.clear();
    if (m_columns.empty())
        return;
    m_row = std::ceil(1.45 * m_textPx);
    const std::size_t each = perLine(box().width());
    m_column = std::min(box().width() / static_cast<double>(each), 14 * m_textPx);
    const auto all = blocks();
    for (std::size_t first = 0; first < m_columns.size(); first += each)
    {
        const Line line{first, std::min(each, m_columns.size() - first),
                        box().top() + static_cast<double>(m_lines.size()) * lineHeight()};
        double top = line.top + 2.4 * m_row;
        for (const Block& block : all)
        {
            double largest = 1e-12;
            for (const LensWords* column : m_columns)
                for (const LensWord& word : column->*block.words)
                    largest = std::max(largest, std::abs(word.logit));
            top += 1.2 * m_row;
            for (std::size_t at = 0; at < line.count; ++at)
            {
                const auto& words = m_columns[first + at]->*block.words;
                for (std::size_t row = 0; row < std::min(block.rows, words.size()); ++row)
                    m_items.push_back(
                        {first + at, block.list, &words[row], std::abs(words[row].logit) / largest,
                         QRectF(box().left() + static_cast<double>(at) * m_column,
                                top + static_cast<double>(row) * m_row, m_column - 0.6 * m_textPx, m_row)});
            }
            top += (static_cast<double>(block.rows) + 0.2) * m_row;
        }
        m_lines.push_back(line);
    }
}

std::optional<std::size_t> LensTable::itemAt(QPointF place) const
{
    for (std::size_t item = 0; item < m_items.size(); ++item)
        if (m_items[item].place.contains(place))
            return item;
    return std::nullopt;
}

std::int64_t LensTable::headOf(std::size_t item) const
{
    return m_columns[m_items[item].column]->head;
}

ItemText LensTable::textOf(std::size_t item) const
{
    const Item& own = m_items[item];
    QString text =
        QStringLiteral("%1, %2: \u201c%3\u201d, %4 %5")
            .arg(headText(m_layer, headOf(item)), QString::fromLatin1(own.list), spelledToken(own.word->text),
                 own.list[0] == 'k' || own.list[0] == 'q' ? QStringLiteral("score") : QStringLiteral("logit"),
                 signedNumber(own.word->logit, 3));
    if (own.word->documents > 0 && tables()->document.empty())
        text +=
            QStringLiteral(" (in the lists of %1 of %2 documents)").arg(own.word->documents).arg(tables()->documents);
    return {.title = text};
}

QString LensTable::title() const
{
    return QStringLiteral("Tokens of the heads of layer %1").arg(m_layer);
}

QString LensTable::summary() const
{
    QStringList heads;
    for (const LensWords* column : m_columns)
        if (!column->up.empty())
            heads << QStringLiteral("head %1: %2").arg(column->head + 1).arg(spelledToken(column->up.front().text));
    return heads.isEmpty() ? QString() : title() + QStringLiteral(". Highest: ") + heads.join(QStringLiteral(", "));
}

void LensTable::paintNames(QPainter& painter, const Line& line) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const std::int64_t kvHeads = std::max<std::int64_t>(1, tables()->kvHeads);
    const std::int64_t group = std::max<std::int64_t>(1, tables()->heads / kvHeads);
    const HeadPalette palette(kvHeads, group, theme());
    const auto xOf = [&](std::size_t at) { return box().left() + static_cast<double>(at) * m_column; };
    const auto headAt = [&](std::size_t at) { return m_columns[line.first + at]->head; };
    for (std::size_t at = 0; at < line.count && palette.grouped();)
    {
        const std::int64_t own = headAt(at) / group;
        std::size_t end = at + 1;
        while (end < line.count && headAt(end) / group == own)
            ++end;
        const double right = xOf(end) - 0.6 * m_textPx;
        drawLine(painter, {xOf(at), line.top, right - xOf(at), m_row}, QStringLiteral("KV group %1").arg(own + 1), font,
                 ink.secondary);
        painter.fillRect(QRectF(xOf(at), line.top + 1.05 * m_row, right - xOf(at), 0.16 * m_textPx),
                         palette.groupColor(GroupIndex(own)));
        at = end;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t at = 0; at < line.count; ++at)
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.color(HeadIndex(headAt(at))));
        painter.drawEllipse(QPointF(xOf(at) + 0.4 * m_textPx, line.top + 1.85 * m_row), 0.36 * m_textPx,
                            0.36 * m_textPx);
        drawLine(painter, {xOf(at) + 1.1 * m_textPx, line.top + 1.35 * m_row, m_column - 1.2 * m_textPx, m_row},
                 QStringLiteral("Head %1").arg(headAt(at) + 1), textFont(m_textPx, QFont::DemiBold), ink.ink);
    }
    double top = line.top + 2.4 * m_row;
    for (const Block& block : blocks())
    {
        drawLine(painter, {box().left(), top + 0.1 * m_row, box().width(), m_row}, block.title, font, ink.secondary);
        top += (static_cast<double>(block.rows) + 1.4) * m_row;
    }
}

void LensTable::paint(QPainter& painter, const PictureMarks& marks) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    for (const Line& line : m_lines)
        paintNames(painter, line);
    for (std::size_t item = 0; item < m_items.size(); ++item)
    {
        const Item& own = m_items[item];
        QColor bar(divergingMap(theme()).at(own.word->logit < 0 ? 0.25 : 0.75));
        bar.setAlphaF(0.45F);
        painter.fillRect(QRectF(own.place.left(), own.place.top() + 1, own.place.width() * own.share, m_row - 2), bar);
        drawLine(painter, own.place.adjusted(0.25 * m_textPx, 0, 0, 0), spelledToken(own.word->text), font, ink.ink);
        if (marks.pointed == item)
        {
            painter.setPen(QPen(ink.ink, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(own.place.adjusted(0, 0.5, 0, -0.5));
        }
    }
}

} // namespace headscope::viz
