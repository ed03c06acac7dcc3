// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/hit_delegate.h"

#include "ui/models/hit_list_model.h"
#include "ui/models/roles.h"
#include "ui/models/set_list_model.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kLine = 17;
constexpr int kSwatch = 10;

void paintRow(QPainter& painter, const QStyleOptionViewItem& option)
{
    const Colors& colors = Theme::instance().colors();
    if (option.state.testFlag(QStyle::State_Selected))
        painter.fillRect(option.rect, colors.accentPale);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter.fillRect(option.rect, colors.hover);
    painter.setPen(colors.hairline);
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (option.state.testFlag(QStyle::State_HasFocus))
    {
        painter.setPen(colors.accent);
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
}

/// Formats of the hits that lie within `length` units from `start`.
QList<QTextLayout::FormatRange> boldRanges(const std::vector<TextSpan>& hits, qsizetype start, qsizetype length)
{
    QList<QTextLayout::FormatRange> ranges;
    QTextCharFormat format;
    format.setFontWeight(QFont::Bold);
    format.setForeground(Theme::instance().colors().text);
    for (const TextSpan& hit : hits)
    {
        const qsizetype from = std::max(hit.start, start);
        const qsizetype to = std::min(hit.start + hit.length, start + length);
        if (from < to)
            ranges << QTextLayout::FormatRange{static_cast<int>(from - start), static_cast<int>(to - from), format};
    }
    return ranges;
}

/// Lays out as much as one line takes; returns where the next begins.
qsizetype drawLine(QPainter& painter, const QString& text, const std::vector<TextSpan>& hits, qsizetype start,
                   const QRect& box, bool last)
{
    QString rest = text.mid(start);
    if (last)
        rest = QFontMetrics(Theme::smallFont(true)).elidedText(rest, Qt::ElideRight, box.width());
    QTextLayout layout(rest, Theme::smallFont());
    QTextOption option;
    option.setTextDirection(text.isRightToLeft() ? Qt::RightToLeft : Qt::LeftToRight);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.setFormats(boldRanges(hits, start, rest.size()));
    layout.beginLayout();
    QTextLine line = layout.createLine();
    if (!line.isValid())
        return text.size();
    line.setLineWidth(box.width());
    layout.endLayout();
    line.draw(&painter, box.topLeft());
    return start + line.textLength();
}

} // namespace

void HitDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colors& colors = Theme::instance().colors();
    painter->save();
    paintRow(*painter, option);
    const QRect box = option.rect.adjusted(8, 3, -8, -2);
    painter->setFont(Theme::smallFont());
    painter->setPen(colors.muted);
    const qint64 count = index.data(HitListModel::CountRole).toLongLong();
    const QString number = count > 1 ? QStringLiteral("%1×").arg(countText(count)) : QString();
    const QRect first(box.left(), box.top(), box.width(), kLine);
    painter->drawText(first, Qt::AlignRight | Qt::AlignVCenter, number);
    const int room = box.width() - painter->fontMetrics().horizontalAdvance(number) - 8;
    painter->setFont(Theme::monoFont());
    painter->drawText(
        first, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data(HitListModel::IdRole).toString(), Qt::ElideMiddle, room));
    const auto hits = index.data(HitListModel::HitsRole).value<std::vector<TextSpan>>();
    const QString text = index.data(Qt::DisplayRole).toString();
    painter->setPen(colors.muted);
    const QRect second(box.left(), box.top() + kLine, box.width(), kLine);
    const qsizetype next = drawLine(*painter, text, hits, 0, second, false);
    if (next < text.size())
        drawLine(*painter, text, hits, next, second.translated(0, kLine), true);
    painter->restore();
}

QSize HitDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    Q_UNUSED(index)
    return {option.rect.width(), kHeight};
}

void SetDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colors& colors = Theme::instance().colors();
    painter->save();
    paintRow(*painter, option);
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect box = option.rect.adjusted(8, 0, -8, 0);
    painter->setPen(Qt::NoPen);
    painter->setBrush(index.data(Qt::DecorationRole).value<QColor>());
    painter->drawEllipse(QRectF(box.left(), box.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch));
    if (index.data(SetListModel::OnMapRole).toBool())
    {
        // As its dots look on the map.
        painter->setPen(QPen(index.data(Qt::DecorationRole).value<QColor>(), 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(QRectF(box.left() - 2.5, box.center().y() - kSwatch / 2.0 - 2, kSwatch + 5, kSwatch + 5));
    }
    const QString count = countText(index.data(SortRole).toLongLong());
    painter->setFont(Theme::smallFont());
    painter->setPen(colors.muted);
    painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, count);
    const int room = box.width() - kSwatch - 16 - painter->fontMetrics().horizontalAdvance(count);
    painter->setFont(Theme::bodyFont());
    painter->setPen(colors.text);
    painter->drawText(box.adjusted(kSwatch + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, room));
    painter->restore();
}

QSize SetDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    Q_UNUSED(index)
    return {option.rect.width(), kHeight};
}

void SetDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const
{
    Q_UNUSED(index)
    editor->setGeometry(option.rect.adjusted(kSwatch + 10, 1, -4, -1));
}

} // namespace headscope::ui
