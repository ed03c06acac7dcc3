// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/fader.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kChannelWidth = 20;
constexpr int kFaderLength = 96;
constexpr int kMinFader = 44; // in a low window
constexpr int kLongestFader = 176;
constexpr double kKnobRadius = 5;
constexpr double kSmallestReach = 0.02;

} // namespace

Fader::Fader(Qt::Orientation orientation, QWidget* parent) : QAbstractSlider(parent)
{
    setOrientation(orientation);
    setRange(0, 2 * kStepsPerUnit);
    setValue(kStepsPerUnit);
    setSingleStep(kStepsPerUnit / 20);
    setPageStep(kStepsPerUnit / 4);
    setFocusPolicy(Qt::StrongFocus);
    if (orientation == Qt::Vertical)
    {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
        setMinimumHeight(kMinFader);
        setMaximumHeight(kLongestFader);
    }
    else
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

QSize Fader::sizeHint() const
{
    return orientation() == Qt::Vertical ? QSize(kChannelWidth, kFaderLength) : QSize(kFaderLength / 2, 16);
}

void Fader::setReach(double reach)
{
    m_reach = std::clamp(reach, kSmallestReach, 1.0);
    setMaximum(static_cast<int>(kStepsPerUnit / m_reach));
    update();
}

void Fader::setColor(const QColor& color)
{
    m_color = color;
    update();
}

void Fader::setSilent(bool silent)
{
    m_silent = silent;
    update();
}

QRectF Fader::track() const
{
    const QRectF all = QRectF(rect()).adjusted(kKnobRadius + 1, kKnobRadius + 1, -kKnobRadius - 1, -kKnobRadius - 1);
    if (orientation() == Qt::Vertical)
        return {QPointF(width() / 2.0 - 1.5, all.top()), QPointF(width() / 2.0 + 1.5, all.bottom())};
    return {QPointF(all.left(), height() / 2.0 - 1.5), QPointF(all.right(), height() / 2.0 + 1.5)};
}

QPointF Fader::knob() const
{
    const QRectF way = track();
    const double share = static_cast<double>(value()) / std::max(1, maximum());
    if (orientation() == Qt::Vertical)
        return {way.center().x(), way.bottom() - share * way.height()};
    return {way.left() + share * way.width(), way.center().y()};
}

void Fader::paintEvent(QPaintEvent*)
{
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF way = track();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.track);
    painter.drawRoundedRect(way, 1.5, 1.5);
    const QColor color = m_silent ? colors.track : m_color.isValid() ? m_color : colors.muted;
    painter.setBrush(color);
    const QPointF at = knob();
    QRectF filled = way;
    if (orientation() == Qt::Vertical)
        filled.setTop(at.y());
    else
        filled.setRight(at.x());
    painter.drawRoundedRect(filled, 1.5, 1.5);
    painter.setBrush(colors.canvas);
    painter.setPen(QPen(hasFocus() ? colors.accent : m_silent ? colors.muted : color, hasFocus() ? 2 : 1.5));
    painter.drawEllipse(at, kKnobRadius, kKnobRadius);
}

void Fader::moveTo(QPointF place)
{
    const QRectF way = track();
    const double share = orientation() == Qt::Vertical ? (way.bottom() - place.y()) / std::max(1.0, way.height())
                                                       : (place.x() - way.left()) / std::max(1.0, way.width());
    setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * maximum())));
}

void Fader::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    setSliderDown(true);
    moveTo(event->position());
}

void Fader::mouseMoveEvent(QMouseEvent* event)
{
    if (isSliderDown())
        moveTo(event->position());
}

void Fader::mouseReleaseEvent(QMouseEvent*)
{
    setSliderDown(false);
}

void Fader::mouseDoubleClickEvent(QMouseEvent*)
{
    setValue(kStepsPerUnit);
}

void Fader::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Home)
        return setValue(kStepsPerUnit);
    QAbstractSlider::keyPressEvent(event);
}

void Fader::sliderChange(SliderChange change)
{
    QAbstractSlider::sliderChange(change);
    update();
}

} // namespace headscope::ui
