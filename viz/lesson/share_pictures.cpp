// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/share_pictures.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/color/oklab.h"
#include "viz/lesson/share_rows.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace headscope::viz
{
namespace
{

/// "0" and "1" at the ends of a scale, in the lowest line of a box.
void paintScaleEnds(QPainter& painter, const QRectF& box, const LessonStyle& style)
{
    const QFont font = smallFont(style);
    const double line = lineHeight(font);
    for (const auto& [text, side] :
         {std::pair{QStringLiteral("0"), Qt::AlignLeft}, {QStringLiteral("1"), Qt::AlignRight}})
        drawLine(painter, {box.left(), box.bottom() - line, box.width(), line}, text, font, inks(style.theme).secondary,
                 side);
}

/// Two digits that count, without powers of ten.
QString pText(double p)
{
    return p > 0 && p < 1e-4 ? QStringLiteral("less than 0.0001") : QString::number(p, 'g', 2);
}

/// A column of the picture of regrouping.
struct RegroupColumn
{
    QString title;
    QString below;
    std::optional<double> chance; ///< none: there is none to compare with
};

std::array<RegroupColumn, 3> regroupColumns(const RegroupResult& result)
{
    return {{{QStringLiteral("Same direction"), QStringLiteral("cosine with the vector of the original model"), {}},
             {QStringLiteral("Nearest documents preserved"),
              QStringLiteral("of the %1 nearest documents; dashed: %2 by chance")
                  .arg(result.neighbors)
                  .arg(result.chanceKept(), 0, 'f', 2),
              result.chanceKept()},
             {QStringLiteral("Attention moved"),
              QStringLiteral("proportion of a row\u2019s weight that moved to other tokens"),
              {}}}};
}

double regroupRowHeight(const LessonStyle& style)
{
    return 2 * lineHeight(bodyFont(style)) + style.textPx;
}

double regroupHeadHeight(double column, const RegroupResult& result, const LessonStyle& style)
{
    double most = 0;
    for (const RegroupColumn& each : regroupColumns(result))
        most = std::max(most, blockHeight(each.title, boldFont(style), column) +
                                  blockHeight(each.below, smallFont(style), column));
    return most + lineHeight(smallFont(style)) + style.textPx * 0.6;
}

QString regroupName(const RegroupRow& row, const ModelInfo& model)
{
    const QString heads =
        row.kvHeads == 1 ? QStringLiteral("1 KV head") : QStringLiteral("%1 KV heads").arg(row.kvHeads);
    return row.kvHeads == model.kvHeads ? heads % QStringLiteral(" (original)") : heads;
}

double columnWidth(double width, double names, const LessonStyle& style)
{
    return (width - names) / 3 - style.textPx * 1.4;
}

double namesWidth(const RegroupResult& result, const LessonStyle& style)
{
    double most = 0;
    for (const RegroupRow& row : result.rows)
        most = std::max(most, textWidth(regroupName(row, result.model), boldFont(style)));
    return most + style.textPx * 1.4;
}

void paintRegroupRow(QPainter& painter, const RegroupRow& row, const RegroupPicture& picture, const QRectF& box,
                     double names, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const bool lit = picture.lit == row.kvHeads || picture.lit == 0;
    const QColor color = lit ? ink.accent : paled(ink.accent, ink.background, 0.6);
    const double line = lineHeight(bodyFont(style));
    const double column = columnWidth(box.width(), names, style);
    drawLine(painter, {box.left(), box.top(), names - style.textPx, 2 * line}, regroupName(row, picture.result.model),
             boldFont(style), lit ? ink.ink : ink.secondary);
    const auto columns = regroupColumns(picture.result);
    const std::array<std::pair<double, Interval>, 3> numbers = {
        {{row.cosine, row.cosineCi95}, {row.kept, row.keptCi95}, {row.attention, {}}}};
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        const double left = box.left() + names + static_cast<double>(i) * (column + style.textPx * 1.4);
        paintShare(painter, {numbers[i].first, numbers[i].second, columns[i].chance, color},
                   {left, box.top(), column, line}, style);
        drawLine(painter, {left, box.top() + line, column, line}, intervalText(numbers[i].first, numbers[i].second),
                 smallFont(style), lit ? ink.ink : ink.secondary);
    }
}

/// What the numbers of the heads take beside a table of errors, and above it.
double headNumbersSide(const LessonStyle& style)
{
    return style.textPx * 1.7;
}

/// The numbers of the heads along the left and the upper side of their table: as many as can be read.
void paintHeadNumbers(QPainter& painter, std::int64_t count, const QRectF& square, const LessonStyle& style)
{
    const QFont font = smallFont(style);
    const double cell = square.width() / static_cast<double>(std::max<std::int64_t>(1, count));
    const double needed = std::max(lineHeight(font), textWidth(QString::number(count), font) + 2);
    const auto step = static_cast<std::int64_t>(std::ceil(needed / cell));
    const double side = headNumbersSide(style);
    const QColor& ink = inks(style.theme).secondary;
    for (std::int64_t head = 0; head < count; head += std::max<std::int64_t>(1, step))
    {
        const QString number = QString::number(head + 1);
        const double along = (static_cast<double>(head) + 0.5) * cell;
        drawLine(painter, {square.left() - side, square.top() + along - needed / 2, side - style.textPx * 0.4, needed},
                 number, font, ink, Qt::AlignRight | Qt::AlignVCenter);
        drawLine(painter, {square.left() + along - needed, square.top() - side, 2 * needed, side}, number, font, ink,
                 Qt::AlignCenter);
    }
}

/// Errors in the cells of a table of heads; the right answers are left out.
void paintErrors(QPainter& painter, const ErrorShare& errors, const QRectF& square, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const HeadPalette palette(errors.model, style.theme);
    const std::int64_t count = errors.confusion.rows();
    const double cell = square.width() / static_cast<double>(std::max<std::int64_t>(1, count));
    paintHeadNumbers(painter, count, square, style);
    std::int64_t most = 1;
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < count; ++j)
            most = i == j ? most : std::max(most, errors.confusion(i, j));
    const std::int64_t members = errors.model.groupSize();
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < count; ++j)
        {
            const QRectF place(square.left() + static_cast<double>(j) * cell,
                               square.top() + static_cast<double>(i) * cell, cell - 1, cell - 1);
            const bool inside = i / members == j / members;
            const double share = std::sqrt(static_cast<double>(errors.confusion(i, j)) / static_cast<double>(most));
            const QColor hue = inside ? palette.groupColor(GroupIndex(i / members)) : ink.secondary;
            painter.setPen(Qt::NoPen);
            painter.setBrush(i == j ? paled(ink.hairline, ink.background, 0.5) : paled(hue, ink.background, share));
            painter.drawRect(place);
            const QString number = i == j ? QString() : QString::number(errors.confusion(i, j));
            if (const auto font = fontThatFits(number, place.size(), style.textPx * kSmallTimes, 7))
                drawLine(painter, place, number, *font, textColorOn(painter.brush().color()), Qt::AlignCenter);
        }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink.ink, std::max(1.0, style.textPx / 9)));
    for (std::int64_t group = 0; group * members < count && members > 1; ++group)
    {
        const double corner = static_cast<double>(group * members) * cell;
        const double side = static_cast<double>(members) * cell;
        painter.drawRect(QRectF(square.left() + corner - 0.5, square.top() + corner - 0.5, side, side));
    }
}

/// Why no errors are compared inside and outside of groups.
QString withoutGroups(const ErrorShare& errors)
{
    return keySharing(errors.model) == KeySharing::Groups
               ? QStringLiteral("The probe makes no errors.")
               : QStringLiteral("The heads of this model form no KV groups.");
}

double statsWidth(const LessonStyle& style)
{
    return style.textPx * 21;
}

/// Words and the bar beside the table, or under it.
void paintErrorStats(QPainter& painter, const ErrorShare& errors, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const GroupErrors& groups = errors.groups;
    double top = box.top();
    const auto say = [&](const QString& text, const QFont& font, const QColor& color) {
        top += paintBlock(painter, {box.left(), top}, box.width(), text, font, color) + style.textPx * 0.3;
    };
    const QString basis =
        QStringLiteral("%1 test vectors of %2 documents, accuracy %3. Rows: true head; columns: predicted head.")
            .arg(groupedNumber(errors.testRows), groupedNumber(errors.testDocuments), shareText(errors.accuracy, 3));
    if (groups.errors == 0)
    {
        say(basis, bodyFont(style), ink.ink);
        return say(withoutGroups(errors), smallFont(style), ink.secondary);
    }
    say(QStringLiteral("%1 of %2 errors stay inside a group").arg(groups.within).arg(groups.errors), boldFont(style),
        ink.ink);
    paintShare(painter, {groups.share, groups.ci95, groups.chance, ink.accent},
               {box.left() + 2, top + style.textPx * 0.3, box.width() - 4, style.textPx * 1.8}, style);
    top += style.textPx * 2.6;
    say(QStringLiteral("Proportion %1; dashed: chance %2")
            .arg(intervalText(groups.share, groups.ci95), shareText(groups.chance)),
        bodyFont(style), ink.ink);
    if (groups.groupings > 0)
        say(QStringLiteral("Of %1 groupings of the heads%2, the true one has rank %3: p = %4.")
                .arg(groupedNumber(groups.groupings), groups.exact ? QString() : QStringLiteral(" (sampled)"),
                     groupedNumber(groups.rank), pText(groups.p)),
            bodyFont(style), ink.ink);
    say(basis, smallFont(style), ink.secondary);
}

bool isBeside(double width, const LessonStyle& style)
{
    return width > statsWidth(style) + style.textPx * 20;
}

} // namespace

void paintRegroup(QPainter& painter, const RegroupPicture& picture, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double width = std::min(box.width(), style.textPx * 76);
    const double names = namesWidth(picture.result, style);
    const double column = columnWidth(width, names, style);
    const double needed = regroupHeight(picture, width, style);
    QRectF row(box.center().x() - width / 2, box.top() + std::max(0.0, (box.height() - needed) / 3), width,
               regroupRowHeight(style));
    const auto columns = regroupColumns(picture.result);
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        const double left = row.left() + names + static_cast<double>(i) * (column + style.textPx * 1.4);
        const double title = paintBlock(painter, {left, row.top()}, column, columns[i].title, boldFont(style), ink.ink);
        paintBlock(painter, {left, row.top() + title}, column, columns[i].below, smallFont(style), ink.secondary);
        paintScaleEnds(painter, {left, row.top(), column, regroupHeadHeight(column, picture.result, style)}, style);
    }
    row.translate(0, regroupHeadHeight(column, picture.result, style));
    for (const RegroupRow& each : picture.result.rows)
    {
        paintRegroupRow(painter, each, picture, row, names, style);
        row.translate(0, row.height());
    }
}

double regroupHeight(const RegroupPicture& picture, double width, const LessonStyle& style)
{
    const double column = columnWidth(width, namesWidth(picture.result, style), style);
    return regroupHeadHeight(column, picture.result, style) +
           static_cast<double>(picture.result.rows.size()) * regroupRowHeight(style);
}

QString regroupWords(const RegroupPicture& picture)
{
    QStringList parts;
    for (const RegroupRow& row : picture.result.rows)
    {
        QString part = QStringLiteral("%1: cosine %2, nearest documents preserved %3")
                           .arg(regroupName(row, picture.result.model), intervalText(row.cosine, row.cosineCi95),
                                intervalText(row.kept, row.keptCi95));
        if (std::isfinite(row.attention))
            part += QStringLiteral(", attention moved %1").arg(shareText(row.attention));
        parts << part;
    }
    return parts.join(QStringLiteral("; ")) %
           QStringLiteral(". By chance, %1 of the nearest documents would be preserved.")
               .arg(shareText(picture.result.chanceKept()));
}

void paintErrorShare(QPainter& painter, const ErrorShare& errors, const QRectF& box, const LessonStyle& style)
{
    const double numbers = headNumbersSide(style);
    if (isBeside(box.width(), style))
    {
        const double side =
            std::min({box.height() - numbers, box.width() - statsWidth(style) - style.textPx * 2 - numbers,
                      style.textPx * 2.6 * static_cast<double>(errors.confusion.rows())});
        const double width = numbers + side + statsWidth(style) + style.textPx * 2;
        const double left = box.center().x() - width / 2 + numbers;
        const double top = box.top() + numbers + std::max(0.0, (box.height() - numbers - side) / 3);
        paintErrors(painter, errors, {left, top, side, side}, style);
        return paintErrorStats(painter, errors, {left + side + style.textPx * 2, top, statsWidth(style), side}, style);
    }
    const double stats = style.textPx * 12;
    const double side = std::min(box.width() - 2 * numbers, box.height() - stats - numbers);
    paintErrors(painter, errors, {box.center().x() - side / 2, box.top() + numbers, side, side}, style);
    paintErrorStats(painter, errors, {box.left(), box.top() + numbers + side + style.textPx, box.width(), stats},
                    style);
}

double errorShareHeight(const ErrorShare& errors, double width, const LessonStyle& style)
{
    const double wanted = style.textPx * 2.2 * static_cast<double>(errors.confusion.rows()) + headNumbersSide(style);
    if (isBeside(width, style))
        return std::clamp(wanted, style.textPx * 16, width - statsWidth(style) - style.textPx * 2);
    return std::min(width, wanted) + style.textPx * 13;
}

QString errorShareWords(const ErrorShare& errors)
{
    const GroupErrors& groups = errors.groups;
    if (groups.errors == 0)
        return QStringLiteral("Accuracy %1 over %2 test vectors. %3")
            .arg(shareText(errors.accuracy, 3), groupedNumber(errors.testRows), withoutGroups(errors));
    return QStringLiteral("%1 of %2 errors stay inside a KV group: proportion %3, chance %4, p = %5 over %6 groupings.")
        .arg(groups.within)
        .arg(groups.errors)
        .arg(intervalText(groups.share, groups.ci95), shareText(groups.chance), pText(groups.p),
             groupedNumber(groups.groupings));
}

} // namespace headscope::viz
