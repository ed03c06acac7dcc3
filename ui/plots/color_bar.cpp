// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/color_bar.h"

#include "ui/theme/theme.h"

#include <QLocale>
#include <QPainter>

namespace headscope::ui
{

ColorBar::ColorBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Colour scale"));
    onThemeChange(this, [this] { update(); });
}

void ColorBar::setScale(const viz::ColorScale& scale)
{
    m_scale = scale;
    const auto limits = scale.limits();
    setAccessibleDescription(tr("%1 to %2").arg(limits.low).arg(limits.high));
    update();
}

void ColorBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    constexpr int kLabel = 36;
    constexpr int kGap = 8;
    constexpr int kHeight = 8;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::smallFont());
    painter.setPen(Theme::instance().colors().muted);
    const auto limits = m_scale.limits();
    QString low = QLocale().toString(limits.low, 'g', 2);
    low.replace(u'-', QChar(0x2212));
    painter.drawText(QRect(0, 0, kLabel, height()), Qt::AlignRight | Qt::AlignVCenter, low);
    painter.drawText(QRect(width() - kLabel, 0, kLabel, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     QLocale().toString(limits.high, 'g', 2));
    const QRectF bar(kLabel + kGap, (height() - kHeight) / 2.0, width() - 2 * (kLabel + kGap), kHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    constexpr int kStops = 32;
    for (int i = 0; i <= kStops; ++i)
    {
        const double t = static_cast<double>(i) / kStops;
        gradient.setColorAt(t, QColor::fromRgb(m_scale.color(limits.low + t * (limits.high - limits.low))));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
}

} // namespace headscope::ui
