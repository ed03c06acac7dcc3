// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/change_bars.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headscope::ui
{

ChangeBars::ChangeBars(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("changeBars"));
    setAccessibleName(tr("How many neighbours changed"));
    setFixedSize(sizeHint());
    onThemeChange(this, [this] { update(); });
}

void ChangeBars::setDifference(const MapDifference& difference)
{
    m_difference = difference;
    m_difference.changed.clear(); // only the counts are drawn
    QStringList counts;
    for (const std::int64_t count : m_difference.histogram)
        counts << countText(count);
    setAccessibleDescription(tr("points by neighbours changed, from 0: %1").arg(counts.join(QStringLiteral(", "))));
    update();
}

void ChangeBars::paintEvent(QPaintEvent*)
{
    const auto& counts = m_difference.histogram;
    if (counts.size() < 2)
        return;
    QPainter painter(this);
    const Colors& colors = Theme::instance().colors();
    const viz::ColorMap map = viz::sequentialMap(Theme::instance().vizTheme());
    const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end()));
    const double step = static_cast<double>(width()) / static_cast<double>(counts.size());
    const double room = height() - 5;
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        if (counts[i] == 0)
            continue;
        const double high = std::max(1.0, room * static_cast<double>(counts[i]) / static_cast<double>(most));
        painter.fillRect(QRectF(static_cast<double>(i) * step + 1, height() - 3 - high, step - 2, high),
                         QColor(map.at(static_cast<double>(i) / static_cast<double>(counts.size() - 1))));
    }
    painter.fillRect(QRectF(0, height() - 2, width(), 1), colors.hairline);
}

bool ChangeBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_difference.histogram.size() > 1)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto bars = static_cast<int>(m_difference.histogram.size());
        const int bar = std::clamp(help->pos().x() * bars / std::max(1, width()), 0, bars - 1);
        QToolTip::showText(
            help->globalPos(),
            tr("%1 of %2 nearest neighbours changed: %3")
                .arg(QString::number(bar), QString::number(m_difference.neighbors),
                     countText(m_difference.histogram[static_cast<std::size_t>(bar)], tr("point"), tr("points"))),
            this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
