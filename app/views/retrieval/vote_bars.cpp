// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/vote_bars.h"

#include "ui/models/ranking_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace headscope::ui
{

void VoteBars::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString number = plain.text;
    plain.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
    const auto* model = qobject_cast<const RankingModel*>(index.model());
    if (model == nullptr)
        return;
    painter->save();
    const Colors& colors = Theme::instance().colors();
    const QFontMetrics metrics(option.font);
    const int numberWidth = metrics.horizontalAdvance(QStringLiteral("00.00")) + Metrics::kRelated;
    const QRect place = option.rect.adjusted(Metrics::kRelated, 0, -Metrics::kRelated, 0);
    painter->setPen(colors.text);
    painter->drawText(place.adjusted(place.width() - numberWidth, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, number);
    constexpr double kBarHeight = 10;
    const QRectF bar(place.left(), place.center().y() - kBarHeight / 2 + 0.5, place.width() - numberWidth - 4,
                     kBarHeight);
    const double largest = model->largestVotes();
    const RetrievedDocument& result = model->result(index.row());
    if (largest > 0 && bar.width() > 0)
    {
        double x = bar.left();
        const double perWeight = bar.width() / largest;
        if (!model->votesByHead())
            painter->fillRect(QRectF(x, bar.top(), std::max(0.0, 1 - result.votes) * perWeight, bar.height()),
                              colors.muted);
        for (const HeadVote& vote : result.byHead)
        {
            const double width = vote.weight * perWeight;
            painter->fillRect(QRectF(x, bar.top(), width, bar.height()), m_palette.color(vote.head));
            x += width;
        }
        // Hairlines between pieces that are wide enough to be told apart.
        painter->setPen(QPen(colors.canvas, 1));
        x = bar.left();
        for (const HeadVote& vote : result.byHead)
        {
            const double width = vote.weight * perWeight;
            x += width;
            if (width > 3)
                painter->drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
        }
    }
    painter->restore();
}

} // namespace headscope::ui
