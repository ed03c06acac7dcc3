// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/chosen/chosen_bars.h"

#include "ui/models/chosen_bars_model.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui
{
namespace
{

using Model = ChosenBarsModel;

constexpr int kIndent = 14;
constexpr int kInset = 6;

void paintTitle(QPainter& painter, const QRect& box, const QModelIndex& index)
{
    const Colors& colors = Theme::instance().colors();
    const bool folded = index.data(Model::FoldedRole).toBool();
    painter.setFont(Theme::smallFont(true));
    painter.setPen(colors.text);
    const QString mark = folded ? QStringLiteral("▸ ") : QStringLiteral("▾ ");
    const QString title = mark + index.data(Qt::DisplayRole).toString();
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(title, Qt::ElideRight, box.width()));
    const QRect rest = box.adjusted(painter.fontMetrics().horizontalAdvance(title) + Metrics::kRelated, 0, -kInset, 0);
    painter.setFont(Theme::smallFont());
    painter.setPen(colors.muted);
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(index.data(Model::UnitRole).toString(), Qt::ElideRight,
                                                      std::max(0, rest.width())));
}

void paintBar(QPainter& painter, const QRect& box, const QModelIndex& index)
{
    const Colors& colors = Theme::instance().colors();
    const QVariant own = index.data(Model::ColorRole);
    QColor color = own.isValid() ? own.value<QColor>() : colors.accent;
    constexpr int kPale = 76; // the words over it must stay readable
    color.setAlpha(kPale);
    const QRectF track = QRectF(box).adjusted(0, 2, 0, -2);
    painter.fillRect(
        QRectF(track.left(), track.top(), track.width() * index.data(Model::BarRole).toDouble(), track.height()),
        color);
    const double mark = track.left() + track.width() * index.data(Model::AllBarRole).toDouble();
    painter.fillRect(QRectF(std::min(mark, track.right() - 1.5), track.top(), 1.5, track.height()), colors.muted);
    painter.setFont(Theme::smallFont());
    const QRect words = box.adjusted(kInset, 0, -kInset, 0);
    const double share = index.data(Model::ShareRole).toDouble();
    const QString numbers = QStringLiteral("%1 · %2%")
                                .arg(index.data(Model::CountRole).toString(),
                                     QLocale().toString(100 * share, 'f', share > 0 && share < 0.095 ? 1 : 0));
    painter.setPen(colors.text);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, numbers);
    const int room = words.width() - painter.fontMetrics().horizontalAdvance(numbers) - Metrics::kRelated;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room));
}

} // namespace

void ChosenBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colors& colors = Theme::instance().colors();
    painter->save();
    if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, colors.hover);
    const auto kind = static_cast<Model::Kind>(index.data(Model::KindRole).toInt());
    const QRect box = option.rect.adjusted(kIndent * index.data(Model::IndentRole).toInt(), 0, 0, 0);
    if (kind == Model::Kind::Title)
    {
        paintTitle(*painter, box, index);
    }
    else if (kind == Model::Kind::More)
    {
        painter->setFont(Theme::smallFont());
        painter->setPen(colors.accentText);
        painter->drawText(box.adjusted(kInset, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          index.data(Qt::DisplayRole).toString());
    }
    else
    {
        paintBar(*painter, box, index);
    }
    if (option.state.testFlag(QStyle::State_HasFocus))
    {
        painter->setPen(colors.accent);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize ChosenBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    Q_UNUSED(index)
    return {option.rect.width(), kHeight};
}

ChosenBars::ChosenBars(ChosenBarsModel* model, QWidget* parent) : QListView(parent), m_bars(model)
{
    setModel(model);
    setItemDelegate(new ChosenBarDelegate(this));
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::NoSelection);
}

void ChosenBars::act(const QModelIndex& index, bool takeOut)
{
    if (!index.isValid())
        return;
    const int row = index.row();
    if (static_cast<Model::Kind>(index.data(Model::KindRole).toInt()) == Model::Kind::Bar)
        return Q_EMIT barClicked(row, takeOut);
    m_bars->toggle(row);
    // The model was made anew: the keyboard stays where it was.
    setCurrentIndex(m_bars->index(std::min(row, m_bars->rowCount() - 1)));
}

void ChosenBars::mousePressEvent(QMouseEvent* event)
{
    QListView::mousePressEvent(event);
    m_pressed = event->button() == Qt::LeftButton ? indexAt(event->pos()) : QModelIndex();
}

void ChosenBars::mouseReleaseEvent(QMouseEvent* event)
{
    QListView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    const bool clicked = m_pressed.isValid() && index == m_pressed;
    m_pressed = QModelIndex();
    if (clicked)
        act(index, event->modifiers().testFlag(Qt::ShiftModifier));
}

void ChosenBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return act(currentIndex(), event->modifiers().testFlag(Qt::ShiftModifier));
    case Qt::Key_Delete:
        return act(currentIndex(), true);
    default:
        QListView::keyPressEvent(event);
    }
}

} // namespace headscope::ui
