// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrapped_header.h"

#include <QAbstractItemModel>
#include <QFontMetrics>
#include <QStyle>
#include <QStyleOptionHeader>

#include <algorithm>

namespace headscope::ui
{

WrappedHeader::WrappedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
}

void WrappedHeader::setWrapped(bool wrapped)
{
    if (wrapped == m_wrapped)
        return;
    m_wrapped = wrapped;
    resizeSections(QHeaderView::ResizeToContents);
    updateGeometry();
}

/// Of all columns: QHeaderView asks the first and the last ones alone, and others may have two lines.
QSize WrappedHeader::sizeHint() const
{
    QSize size = QHeaderView::sizeHint();
    for (int section = 0; section < count(); ++section)
        if (!isSectionHidden(section))
            size.setHeight(std::max(size.height(), sectionSizeFromContents(section).height()));
    return size;
}

QSize WrappedHeader::sectionSizeFromContents(int section) const
{
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    option.section = section;
    option.text = lines(model()->headerData(section, Qt::Horizontal).toString());
    // The arrow of sorting stands above the title (style_sheet.cpp): it needs no room beside it.
    QSize size = style()->sizeFromContents(QStyle::CT_HeaderSection, &option, QSize(), this);
    // Qt insets a title by the padding of the style sheet twice when it paints, and asks for it once.
    option.rect = QRect(QPoint(), size);
    size.rwidth() += size.width() - style()->subElementRect(QStyle::SE_HeaderLabel, &option, this).width();
    return size;
}

void WrappedHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    option->text = lines(option->text);
}

/// Broken at the blank that makes the wider line narrowest, where that is worth a second line.
QString WrappedHeader::lines(const QString& title) const
{
    if (!m_wrapped)
        return title;
    constexpr int kMinGain = 24;
    const QFontMetrics metrics = fontMetrics();
    int narrowest = metrics.horizontalAdvance(title) - kMinGain;
    QString best = title;
    for (qsizetype at = title.indexOf(u' '); at >= 0; at = title.indexOf(u' ', at + 1))
    {
        const int width =
            std::max(metrics.horizontalAdvance(title.left(at)), metrics.horizontalAdvance(title.mid(at + 1)));
        if (width > narrowest)
            continue;
        narrowest = width;
        best = title;
        best[at] = u'\n';
    }
    return best;
}

} // namespace headscope::ui
