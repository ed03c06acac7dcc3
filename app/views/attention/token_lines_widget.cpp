// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/token_lines_widget.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

/// So many lines are drawn in a frame: more would slow it down, and be a blot.
constexpr std::int64_t kMaxLines = 1200;
constexpr std::int64_t kMaxWhileMoving = 400;
constexpr int kMargin = 4;

} // namespace

TokenLinesWidget::TokenLinesWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("attentionLines"));
    setAccessibleName(tr("Attention as lines between tokens"));
    setCanvasSummary(this, [this] {
        if (const auto end = focus(); end && m_pool != nullptr)
            return wordsOf(*end);
        return m_names == nullptr
                   ? QString()
                   : tr("%1; up and down go from token to token, left and right switch between query and key tokens")
                         .arg(countText(m_names->count(), tr("token"), tr("tokens")));
    });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setToolTip({});
    onThemeChange(this, [this] { layOut(); });
}

void TokenLinesWidget::setTokens(std::shared_ptr<const viz::TokenNames> names)
{
    if (m_names == names)
        return;
    m_names = std::move(names);
    m_pool.reset();
    m_kept.reset();
    m_pointed.reset();
    fitAll();
}

void TokenLinesWidget::setLines(std::shared_ptr<const viz::LinePool> lines)
{
    m_pool = std::move(lines);
    noteCanvasChanged(this);
    update();
}

void TokenLinesWidget::setKept(std::optional<viz::LineEnd> end)
{
    if (std::exchange(m_kept, end) == end)
        return;
    if (end && m_names != nullptr)
    {
        const double y = m_layout.yOf(end->token);
        const QRectF window = m_layout.window();
        if (y < window.top() || y > window.bottom())
            scrollBy(window.center().y() - y);
    }
    noteCanvasChanged(this);
    update();
}

void TokenLinesWidget::setPointed(std::optional<viz::LineEnd> end)
{
    if (std::exchange(m_pointed, end) != end)
        update();
}

std::optional<viz::LineEnd> TokenLinesWidget::focus() const
{
    return m_pointed ? m_pointed : m_kept;
}

QString TokenLinesWidget::wordsOf(viz::LineEnd end) const
{
    const bool reads = end.side == viz::LineEnd::Side::Reading;
    std::vector<viz::TokenLine> lines = reads ? m_pool->from(end.token) : m_pool->to(end.token);
    std::reverse(lines.begin(), lines.end());
    constexpr std::size_t kMost = 5;
    lines.resize(std::min(kMost, lines.size()));
    QStringList parts;
    for (const viz::TokenLine& line : lines)
        parts << tr("“%1” %2").arg(m_names->shown(reads ? line.read : line.reading),
                                   QString::number(static_cast<double>(line.weight), 'f', 2));
    const QString name = m_names->shown(end.token);
    if (parts.isEmpty())
        return reads ? tr("“%1” attends to no token shown").arg(name) : tr("no token shown attends to “%1”").arg(name);
    return reads ? tr("“%1” attends to %2").arg(name, parts.join(QStringLiteral(", ")))
                 : tr("“%1” is attended to by %2").arg(name, parts.join(QStringLiteral(", ")));
}

void TokenLinesWidget::layOut()
{
    if (m_names == nullptr)
    {
        m_layout = {};
        return update();
    }
    viz::TokenLinesStyle style;
    style.theme = Theme::instance().vizTheme();
    style.rowHeight = m_rowHeight;
    style.offset = m_offset;
    style.readingTitle = tr("query token");
    style.readTitle = tr("key token");
    m_layout = viz::TokenLinesLayout(*m_names, QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin), style);
    m_offset = m_layout.style().offset;
    update();
}

void TokenLinesWidget::fitAll()
{
    m_rowHeight = 0;
    m_offset = 0;
    layOut();
}

void TokenLinesWidget::zoomAt(double y, double factor)
{
    if (m_names == nullptr)
        return;
    const double before = m_layout.rowHeight();
    const double after = std::min(before * factor, viz::TokenLinesLayout::kWidestRow);
    if (after <= m_layout.fittingRow())
        return fitAll();
    const double at = y - m_layout.window().top();
    m_rowHeight = after;
    m_offset = (m_offset + at) * after / before - at;
    layOut();
}

void TokenLinesWidget::scrollBy(double pixels)
{
    m_offset = m_layout.bounded(m_offset - pixels);
    layOut();
}

void TokenLinesWidget::point(std::optional<viz::LineEnd> end)
{
    if (std::exchange(m_pointed, end) == end)
        return;
    setCursor(end ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    Q_EMIT tokenPointed(end);
}

void TokenLinesWidget::paintBadge(QPainter& painter)
{
    if (m_badge.isEmpty())
        return;
    const QFont font = Theme::smallFont();
    const double width = std::ceil(viz::textWidth(m_badge, font)) + 16;
    const double height = std::ceil(viz::lineHeight(font)) + 6;
    const QRectF box((rect().width() - width) / 2, m_layout.window().bottom() - height - 4, width, height);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().hairline, 1));
    painter.setBrush(Theme::instance().colors().canvas);
    painter.drawRoundedRect(box, Metrics::kRadius, Metrics::kRadius);
    viz::drawLine(painter, box, m_badge, font, Theme::instance().colors().muted, Qt::AlignCenter);
}

void TokenLinesWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    if (m_names == nullptr || m_pool == nullptr)
        return;
    const bool moving = m_drag.kind == PointerDrag::Kind::Pan;
    const viz::LineChoice drawn = m_layout.paint(painter, *m_pool, focus(), moving ? kMaxWhileMoving : kMaxLines);
    m_badge = drawn.left > 0
                  ? tr("strongest %1 of %2 lines").arg(countText(drawn.seen - drawn.left), countText(drawn.seen))
                  : QString();
    paintBadge(painter);
}

void TokenLinesWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void TokenLinesWidget::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
    {
        if (const auto factor = zoomOf(*event))
            zoomAt(event->position().y(), *factor);
        return event->accept();
    }
    const double before = m_offset;
    constexpr double kNotch = 120;
    constexpr double kStep = 60;
    scrollBy(event->pixelDelta().isNull() ? event->angleDelta().y() / kNotch * kStep : event->pixelDelta().y());
    if (m_offset == before && m_layout.contentHeight() <= m_layout.window().height())
        return QWidget::wheelEvent(event);
    event->accept();
}

void TokenLinesWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
}

void TokenLinesWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag.starts(event->position()))
        m_drag.kind = PointerDrag::Kind::Pan;
    if (m_drag.kind == PointerDrag::Kind::Pan)
    {
        scrollBy(event->position().y() - m_drag.last.y());
        m_drag.last = event->position();
        return;
    }
    point(m_pool != nullptr ? m_layout.endAt(event->position()) : std::nullopt);
}

void TokenLinesWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const PointerDrag::Kind was = m_drag.end();
    update(); // with all lines again
    if (was != PointerDrag::Kind::Pressed || m_pool == nullptr)
        return;
    const auto end = m_layout.endAt(event->position());
    Q_EMIT tokenClicked(end && end == m_kept ? std::nullopt : end);
}

void TokenLinesWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_layout.endAt(event->position()))
        fitAll();
}

void TokenLinesWidget::leaveEvent(QEvent* event)
{
    point({});
    QWidget::leaveEvent(event);
}

void TokenLinesWidget::moveKept(int tokens, std::optional<viz::LineEnd::Side> side)
{
    if (m_names == nullptr || m_names->count() == 0)
        return;
    point({}); // the keys lead now, not the pointer that rests here
    viz::LineEnd next = m_kept.value_or(viz::LineEnd{viz::LineEnd::Side::Reading, m_names->count() - 1});
    if (m_kept)
    {
        next.token = std::clamp<std::int64_t>(next.token + tokens, 0, m_names->count() - 1);
        next.side = side.value_or(next.side);
    }
    Q_EMIT tokenReached(next);
}

void TokenLinesWidget::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Up:
        return moveKept(-1, {});
    case Qt::Key_Down:
        return moveKept(1, {});
    case Qt::Key_Left:
        return moveKept(0, viz::LineEnd::Side::Reading);
    case Qt::Key_Right:
        return moveKept(0, viz::LineEnd::Side::Read);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(m_layout.window().center().y(), kKeyZoom);
    case Qt::Key_Minus:
        return zoomAt(m_layout.window().center().y(), 1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_0:
        return fitAll();
    default:
        return QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
