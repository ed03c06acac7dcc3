// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/head_chips.h"

#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kDot = 8;
constexpr int kHeight = 20;

int widthOf(const QString& text)
{
    return kDot + 4 + static_cast<int>(std::ceil(viz::textWidth(text, Theme::smallFont()))) + Metrics::kRelated;
}

} // namespace

HeadChips::HeadChips(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void HeadChips::setChips(std::vector<std::pair<QColor, QString>> chips)
{
    if (std::exchange(m_chips, std::move(chips)) == m_chips)
        return;
    updateGeometry();
    update();
}

QSize HeadChips::sizeHint() const
{
    int width = 0;
    for (const auto& [color, text] : m_chips)
        width += widthOf(text);
    return {width, kHeight};
}

void HeadChips::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int left = 0;
    for (const auto& [color, text] : m_chips)
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(QRectF(left, (height() - kDot) / 2.0, kDot, kDot));
        viz::drawLine(painter, QRectF(left + kDot + 4, 0, widthOf(text) - kDot - 4, height()), text, Theme::smallFont(),
                      Theme::instance().colors().muted);
        left += widthOf(text);
    }
}

} // namespace headscope::ui
