// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/grow_overlay.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyle>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kAnimationMs = 150;

QRectF between(const QRect& a, const QRect& b, double t)
{
    const auto mix = [t](double from, double to) { return from + (to - from) * t; };
    return {mix(a.x(), b.x()), mix(a.y(), b.y()), mix(a.width(), b.width()), mix(a.height(), b.height())};
}

} // namespace

GrowOverlay::GrowOverlay(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("growOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(kAnimationMs);
    m_animation.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(&m_animation, &QVariantAnimation::finished, this, &GrowOverlay::finish);
}

void GrowOverlay::run(const QPixmap& from, const QRect& start, const QPixmap& to, const QRect& end,
                      std::function<void()> then)
{
    if (running())
    {
        m_animation.stop();
        finish();
    }
    m_then = std::move(then);
    m_from = from;
    m_to = to;
    m_start = start;
    m_end = end;
    const bool wanted =
        parentWidget()->isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
    if (!wanted)
        return finish();
    setGeometry(parentWidget()->rect());
    show();
    raise();
    m_animation.start();
}

void GrowOverlay::finish()
{
    hide();
    m_from = {};
    m_to = {};
    if (const auto then = std::exchange(m_then, {}))
        then();
}

void GrowOverlay::paintEvent(QPaintEvent*)
{
    if (!running())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const double t = m_animation.currentValue().toDouble();
    const QRectF box = between(m_start, m_end, t);
    painter.fillRect(box, Theme::instance().colors().canvas);
    painter.setOpacity(1 - t);
    painter.drawPixmap(box, m_from, QRectF(m_from.rect()));
    painter.setOpacity(t);
    painter.drawPixmap(box, m_to, QRectF(m_to.rect()));
    painter.setOpacity(1);
    painter.setPen(Theme::instance().colors().hairline);
    painter.drawRect(box);
}

} // namespace headscope::ui
