// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/role_header.h"

#include "ui/dialogs/column_text.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModel>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPadding = 11; ///< as cells have
constexpr int kChevron = 7;  ///< width of the sign that a heading opens

} // namespace

RoleHeader::RoleHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(kHeight);
    setCursor(Qt::PointingHandCursor);
    onThemeChange(this, [this] { viewport()->update(); });
}

void RoleHeader::setMarked(int section)
{
    if (std::exchange(m_marked, section) != section)
        viewport()->update();
}

ColumnRole RoleHeader::roleOf(int section) const
{
    return static_cast<ColumnRole>(model()->headerData(section, Qt::Horizontal, kRole).toInt());
}

QSize RoleHeader::sectionSizeFromContents(int section) const
{
    const QString name = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const int names = QFontMetrics(Theme::bodyFont(true)).horizontalAdvance(name);
    const int roles =
        QFontMetrics(Theme::smallFont()).horizontalAdvance(roleName(ColumnRole::Unused)) + kChevron + kPadding;
    return {std::max(names, roles) + 2 * kPadding, kHeight};
}

void RoleHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    const Colors& colors = Theme::instance().colors();
    const ColumnRole role = roleOf(section);
    const bool isUsed = role != ColumnRole::Unused;
    painter->save();
    painter->setClipRect(rect);
    painter->fillRect(rect, isUsed ? colors.accentPale : colors.frame);
    const QRect inside = rect.adjusted(kPadding, 4, -kPadding, -5);
    const int half = inside.height() / 2;
    const QString name = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    painter->setFont(Theme::bodyFont(true));
    painter->setPen(isUsed ? colors.text : colors.muted);
    painter->drawText(QRect(inside.left(), inside.top(), inside.width(), half), Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(name, Qt::ElideMiddle, inside.width()));
    painter->setFont(Theme::smallFont());
    painter->setPen(isUsed ? colors.accentText : colors.muted);
    const QRect second(inside.left(), inside.top() + half, inside.width(), inside.height() - half);
    const QString word = roleName(role);
    painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter, word);
    // A small open triangle: there is a choice here.
    const qreal left = second.left() + painter->fontMetrics().horizontalAdvance(word) + kPadding - 2;
    const qreal middle = second.center().y() + 1;
    QPainterPath chevron;
    chevron.moveTo(left, middle - 2);
    chevron.lineTo(left + kChevron / 2.0, middle + 1.5);
    chevron.lineTo(left + kChevron, middle - 2);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->drawPath(chevron);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(QRect(rect.right(), rect.top(), 1, rect.height()), colors.hairline);
    const int edge = section == m_marked ? 2 : 1;
    painter->fillRect(QRect(rect.left(), rect.bottom() - edge + 1, rect.width(), edge),
                      section == m_marked ? colors.accent : colors.hairline);
    painter->restore();
}

} // namespace headscope::ui
