// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_ring.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QFocusEvent>
#include <QPainter>
#include <QTabBar>
#include <QWidget>

namespace headscope::ui
{
namespace
{

/// The outline itself, over everything its parent paints.
class FocusOutline : public QWidget
{
public:
    explicit FocusOutline(QWidget* parent) : QWidget(parent)
    {
        setObjectName(QStringLiteral("focusRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        Q_UNUSED(event)
        constexpr double kWidth = 2;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().colors().accent, kWidth));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(kWidth / 2, kWidth / 2, -kWidth / 2, -kWidth / 2),
                                Metrics::kRadius, Metrics::kRadius);
    }
};

QRect ringRect(const QWidget& target)
{
    if (const auto* tabs = qobject_cast<const QTabBar*>(&target); tabs != nullptr && tabs->currentIndex() >= 0)
        return tabs->tabRect(tabs->currentIndex()).intersected(tabs->rect());
    // Names at the left of what is chosen from stay outside.
    return target.rect().adjusted(target.property(FocusRing::kLeftProperty).toInt(), 0, 0, 0);
}

} // namespace

FocusRing::FocusRing(QObject* application) : QObject(application)
{
    application->installEventFilter(this);
}

FocusRing::~FocusRing() = default;

QWidget* FocusRing::target() const
{
    return m_target;
}

void FocusRing::show(QWidget* target)
{
    if (m_ring == nullptr || m_ring->parentWidget() != target)
    {
        delete m_ring;
        m_ring = new FocusOutline(target);
    }
    m_target = target;
    place();
    m_ring->show();
    m_ring->raise();
}

void FocusRing::hide()
{
    m_target = nullptr;
    if (m_ring != nullptr)
        m_ring->hide();
}

void FocusRing::place()
{
    if (m_target != nullptr && m_ring != nullptr && m_ring->geometry() != ringRect(*m_target))
        m_ring->setGeometry(ringRect(*m_target));
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type())
    {
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride:
        m_byKeys = true;
        break;
    case QEvent::MouseButtonPress:
    case QEvent::TabletPress:
    case QEvent::TouchBegin:
        m_byKeys = false;
        break;
    case QEvent::FocusIn:
        if (auto* widget = qobject_cast<QWidget*>(watched); widget != nullptr && !widget->isWindow())
        {
            const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
            const bool keys =
                reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
            // A page or a scroll area that only holds the keyboard for its controls is no place to be at.
            const bool place = widget->focusPolicy() != Qt::NoFocus;
            if (place && (keys || (m_byKeys && reason != Qt::MouseFocusReason)))
                show(widget);
            else
                hide();
        }
        break;
    case QEvent::FocusOut:
        if (watched == m_target)
            hide();
        break;
    case QEvent::Resize:
        if (watched == m_target)
            place();
        break;
    case QEvent::Paint: // other tabs may stand elsewhere, or another one is chosen
        if (watched == m_target && m_ring != nullptr && m_ring->geometry() != ringRect(*m_target))
            QMetaObject::invokeMethod(this, &FocusRing::place, Qt::QueuedConnection);
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
