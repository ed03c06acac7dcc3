// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/picture_widget.h"

#include "ui/canvas/hover_card.h"
#include "ui/canvas/picture_accessible.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

std::optional<viz::Step> stepOf(int key)
{
    switch (key)
    {
    case Qt::Key_Left:
        return viz::Step::Left;
    case Qt::Key_Right:
        return viz::Step::Right;
    case Qt::Key_Up:
        return viz::Step::Up;
    case Qt::Key_Down:
        return viz::Step::Down;
    case Qt::Key_Home:
        return viz::Step::First;
    case Qt::Key_End:
        return viz::Step::Last;
    default:
        return std::nullopt;
    }
}

QSizePolicy policyOf(viz::Room room)
{
    switch (room)
    {
    case viz::Room::Grows:
        return {QSizePolicy::Expanding, QSizePolicy::Expanding};
    case viz::Room::Line:
        return {QSizePolicy::Expanding, QSizePolicy::Fixed};
    case viz::Room::Fixed:
        return {QSizePolicy::Fixed, QSizePolicy::Fixed};
    case viz::Room::Any:
        break;
    }
    return {QSizePolicy::Preferred, QSizePolicy::Preferred};
}

/// Keys lead out of what a scroll area around the picture shows.
void showInArea(QWidget& picture, const QRect& item)
{
    for (QWidget* parent = picture.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(parent); area != nullptr && area->widget() != nullptr)
        {
            const QPoint middle = picture.mapTo(area->widget(), item.center());
            area->ensureVisible(middle.x(), middle.y(), 0, item.height() / 2 + Metrics::kPanel);
        }
}

} // namespace

PictureWidget::PictureWidget(std::unique_ptr<viz::Picture> picture, QWidget* parent)
    : QWidget(parent), m_picture(std::move(picture))
{
    const viz::PictureManners& manners = m_picture->manners();
    describePictures();
    setObjectName(QLatin1StringView(manners.name));
    setMouseTracking(manners.saying != viz::Saying::TooltipAtRest);
    setFocusPolicy(manners.focus);
    setSizePolicy(policyOf(manners.room));
    setAttribute(Qt::WA_OpaquePaintEvent, manners.hasGround);
    if (manners.saying == viz::Saying::Card)
        m_card = new HoverCard(this);
    m_picture->onChange([this](viz::Picture::Change change) { takeChange(change); });
    m_wanted = {m_picture->sizeHint(), m_picture->heightForWidth(1)};
    describe();
    onThemeChange(this, [this] { layOut(); });
}

PictureWidget::~PictureWidget() = default;

void PictureWidget::layOut()
{
    m_picture->layOut(QRectF(rect()), Theme::instance().vizTheme());
    update();
}

void PictureWidget::describe()
{
    if (const QString title = m_picture->title(); !title.isEmpty())
        setAccessibleName(title);
    setAccessibleDescription(m_pointed ? spokenText(m_picture->textOf(*m_pointed)) : m_picture->summary());
}

void PictureWidget::takeChange(viz::Picture::Change change)
{
    if (change == viz::Picture::Change::Marks)
        return update();
    const bool isGone = m_pointed && (change == viz::Picture::Change::Items || *m_pointed >= m_picture->count());
    if (isGone)
    {
        say({}, {}, {});
        m_pointed.reset();
    }
    describe();
    const std::pair wanted(m_picture->sizeHint(), m_picture->heightForWidth(std::max(1, width())));
    if (std::exchange(m_wanted, wanted) != wanted)
        updateGeometry();
    layOut();
    if (isGone)
        Q_EMIT itemPointed({});
}

void PictureWidget::say(std::optional<std::size_t> item, const viz::ItemText& text, QPoint place)
{
    if (m_card != nullptr)
        return item && !text.title.isEmpty() ? m_card->showAt(text, place) : m_card->hide();
    if (m_picture->manners().saying != viz::Saying::Tooltip || (item == m_pointed && text.title == m_said))
        return;
    m_said = text.title;
    QToolTip::showText(mapToGlobal(place), m_said, this); // of nothing: hides it
}

void PictureWidget::point(std::optional<std::size_t> item, const viz::ItemText& text, QPoint place)
{
    say(item, text, place);
    if (item == m_pointed)
        return;
    m_pointed = item;
    setCursor(item && m_picture->isClickable(*item) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    describe();
    update();
    Q_EMIT itemPointed(item);
}

void PictureWidget::choose(std::size_t item, Qt::KeyboardModifiers keys)
{
    m_picture->choose(item);
    update();
    Q_EMIT itemClicked(item, keys);
}

void PictureWidget::setMoves(bool moves)
{
    if (std::exchange(m_moves, moves) != moves)
        update();
}

bool PictureWidget::event(QEvent* event)
{
    const viz::Saying saying = m_picture->manners().saying;
    if (event->type() != QEvent::ToolTip || (saying != viz::Saying::TooltipAtRest && saying != viz::Saying::Hint))
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto item = m_picture->itemAt(help->pos());
    QToolTip::showText(help->globalPos(), item ? m_picture->textAt(help->pos(), *item).title : QString(), this);
    return true;
}

void PictureWidget::paintEvent(QPaintEvent*)
{
    const viz::PictureManners& manners = m_picture->manners();
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    if (manners.hasGround)
        painter.fillRect(rect(), colors.canvas);
    m_picture->paint(painter, {m_pointed, hasFocus(), hasFocus() && m_byKeys, m_moves});
    if (manners.hasFrame && hasFocus())
    {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void PictureWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void PictureWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (!hasMouseTracking())
        return QWidget::mouseMoveEvent(event);
    const auto item = m_picture->itemAt(event->position());
    point(item, item ? m_picture->textAt(event->position(), *item) : viz::ItemText(), event->position().toPoint());
}

void PictureWidget::mousePressEvent(QMouseEvent* event)
{
    const auto item = m_picture->itemAt(event->position());
    m_byKeys = false;
    if (!item || event->button() != Qt::LeftButton || !m_picture->isClickable(*item))
        return QWidget::mousePressEvent(event);
    choose(*item, event->modifiers());
}

void PictureWidget::leaveEvent(QEvent* event)
{
    point({}, {}, {});
    QWidget::leaveEvent(event);
}

void PictureWidget::keyPressEvent(QKeyEvent* event)
{
    const bool chooses =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (const auto item = m_pointed ? m_pointed : m_picture->standing();
        chooses && item && m_picture->isClickable(*item))
        return choose(*item, event->modifiers());
    const auto step = stepOf(event->key());
    const auto item = step && m_picture->count() > 0 ? m_picture->next(m_pointed, *step) : std::nullopt;
    if (!item)
        return QWidget::keyPressEvent(event);
    m_byKeys = true;
    showInArea(*this, m_picture->placeOf(*item).toRect());
    reach(*item, event->modifiers());
}

void PictureWidget::reach(std::size_t item, Qt::KeyboardModifiers keys)
{
    if (hasMouseTracking())
    {
        const QRectF place = m_picture->placeOf(item);
        const bool isTip = m_picture->manners().saying == viz::Saying::Tooltip;
        point(item, m_picture->textOf(item), (isTip ? place.bottomRight() : place.center()).toPoint());
    }
    if (m_picture->manners().keysChoose)
        choose(item, keys);
    if (!QAccessible::isActive() || m_picture->manners().items == viz::Items::Unseen)
        return;
    QAccessibleEvent reached(this, QAccessible::Focus);
    reached.setChild(static_cast<int>(item));
    QAccessible::updateAccessibility(&reached);
}

void PictureWidget::focusInEvent(QFocusEvent* event)
{
    m_byKeys = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
    QWidget::focusInEvent(event);
}

void PictureWidget::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        point({}, {}, {});
    QWidget::focusOutEvent(event);
}

} // namespace headscope::ui
