// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_delegate.h"

#include "ui/models/job_list_model.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kBarWidth = 72;
constexpr int kBarHeight = 6;

} // namespace

void JobDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const double share = index.data(JobListModel::ShareRole).toDouble();
    if (index.column() != JobListModel::Done || share < 0)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    const QString text = std::exchange(row.text, QString());
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, option.widget);

    const Colors& colors = Theme::instance().colors();
    const QRectF track(option.rect.left() + Metrics::kRelated, option.rect.center().y() + 0.5 - kBarHeight / 2.0,
                       kBarWidth, kBarHeight);
    const auto state = static_cast<JobState>(index.data(JobListModel::StateRole).toInt());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colors.track);
    painter->drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
    painter->setBrush(isActive(state) ? colors.accent : state == JobState::Failed ? colors.warning : colors.muted);
    QRectF done = track;
    done.setWidth(std::max<double>(kBarHeight, share * kBarWidth));
    if (share > 0)
        painter->drawRoundedRect(done, kBarHeight / 2.0, kBarHeight / 2.0);
    painter->setPen(colors.muted);
    painter->setFont(row.font);
    const QRect rest = option.rect.adjusted(kBarWidth + 2 * Metrics::kRelated, 0, -Metrics::kGrid, 0);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      row.fontMetrics.elidedText(text, Qt::ElideRight, rest.width()));
    painter->restore();
}

QSize JobDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == JobListModel::Done)
        size.rwidth() += kBarWidth + Metrics::kPanel;
    return {size.width() + 2 * Metrics::kGrid, Metrics::kControl};
}

void JobDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->state.setFlag(QStyle::State_HasFocus, false); // the row says it
    const auto state = static_cast<JobState>(index.data(JobListModel::StateRole).toInt());
    const Colors& colors = Theme::instance().colors();
    QColor color = index.column() == JobListModel::Title ? colors.text : colors.muted;
    if (index.column() == JobListModel::State && state == JobState::Failed)
        color = colors.warning;
    if (index.column() == JobListModel::State && state == JobState::Running)
        color = colors.accentText;
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
}

} // namespace headscope::ui
