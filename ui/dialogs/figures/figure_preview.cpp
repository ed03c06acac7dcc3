// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/figure_preview.h"

#include "ui/theme/theme.h"
#include "viz/export/figure_export.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kMmPerInch = 25.4;
constexpr double kTextPt = 10;   ///< of a paper's text
constexpr double kCaptionPt = 9; ///< and of its captions
constexpr double kMarginMm = 8;  ///< around the column
constexpr double kLinesMm = 24;  ///< of text above and below the figure
constexpr double kCaptionMm = 11;
constexpr QColor kInk(70, 70, 70);
constexpr double kHandle = 4.5; ///< radius, in pixels
constexpr double kReach = 9;    ///< of a handle, for the pointer

/// Text without meaning, in which nobody reads instead of looking.
const QString& lorem()
{
    static const QString text = QStringLiteral(
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore "
        "magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea "
        "commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat "
        "nulla pariatur. Excepteur sint occaecat cupidatat non proident, sunt in culpa qui officia deserunt mollit "
        "anim id est laborum. ");
    return text;
}

QFont paperFont(double pt, double pixelsPerMm)
{
    QFont font(QStringLiteral("Latin Modern Roman"));
    font.setStyleHint(QFont::Serif);
    font.setPixelSize(std::max(4, static_cast<int>(std::lround(pt / viz::kPointsPerInch * kMmPerInch * pixelsPerMm))));
    return font;
}

} // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("figurePreview"));
    setAccessibleName(tr("The figure at its size on paper"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void FigurePreview::setPicture(const FigurePicture& picture, const QString& text)
{
    m_picture = picture;
    m_text = text;
    m_shown = viz::seenWith(m_picture.image, m_sight);
    updateGeometry();
    resize(sizeHint());
    update();
}

void FigurePreview::setSight(viz::ColorVision sight)
{
    m_sight = sight;
    m_shown = viz::seenWith(m_picture.image, m_sight);
    update();
}

void FigurePreview::setZoom(double zoom)
{
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    updateGeometry();
    resize(sizeHint());
    update();
}

void FigurePreview::setMarks(std::vector<viz::Annotation> marks, int chosen)
{
    m_marks = std::move(marks);
    m_chosen = chosen;
    update();
}

double FigurePreview::pixelsPerMm() const
{
    // Screens that do not know their size say nonsense: then 96 dots an inch are usual.
    constexpr double kMinDpi = 60;
    constexpr double kMaxDpi = 300;
    constexpr double kUsualDpi = 96;
    const double dpi = screen() == nullptr ? kUsualDpi : screen()->physicalDotsPerInch();
    return (dpi >= kMinDpi && dpi <= kMaxDpi ? dpi : kUsualDpi) / kMmPerInch;
}

int FigurePreview::trueWidth() const
{
    return static_cast<int>(std::ceil((2 * kMarginMm + m_picture.sizeMm.width()) * pixelsPerMm()));
}

QSize FigurePreview::sizeHint() const
{
    const double height = 2 * kMarginMm + 2 * kLinesMm + kCaptionMm + m_picture.sizeMm.height();
    return (QSizeF(2 * kMarginMm + m_picture.sizeMm.width(), height) * mm()).toSize();
}

QRectF FigurePreview::figureBox() const
{
    return {QPointF(kMarginMm, kMarginMm + kLinesMm) * mm(), m_picture.sizeMm * mm()};
}

QRectF FigurePreview::contentBox() const
{
    const QRectF& content = m_picture.contentMm;
    return {figureBox().topLeft() + content.topLeft() * mm(), content.size() * mm()};
}

QPointF FigurePreview::handleOf(int mark, bool end) const
{
    const viz::Annotation& one = m_marks[static_cast<std::size_t>(mark)];
    const QPointF share = end ? one.to.at : one.from.at;
    const QRectF box = contentBox();
    return {box.left() + share.x() * box.width(), box.top() + share.y() * box.height()};
}

std::optional<FigurePreview::Handle> FigurePreview::handleAt(QPointF place) const
{
    std::optional<Handle> nearest;
    double least = kReach;
    for (int mark = 0; mark < std::ssize(m_marks); ++mark)
        for (const bool end : {true, false})
        {
            const viz::Annotation& one = m_marks[static_cast<std::size_t>(mark)];
            if ((end && one.kind == viz::Annotation::Kind::Label) || (end ? one.to : one.from).onMap)
                continue;
            const double distance = QLineF(handleOf(mark, end), place).length() - (mark == m_chosen ? 1 : 0);
            if (distance < least)
            {
                least = distance;
                nearest = Handle{mark, end};
            }
        }
    return nearest;
}

void FigurePreview::move(const Handle& handle, QPointF share)
{
    constexpr double kSteps = 1e4; // as a recipe writes them
    const auto rounded = [](double value) { return std::round(std::clamp(value, 0.0, 1.0) * kSteps) / kSteps; };
    Q_EMIT markMoved(handle.mark, handle.end, {rounded(share.x()), rounded(share.y())});
}

void FigurePreview::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = handleAt(event->position());
    if (m_dragged)
        Q_EMIT markChosen(m_dragged->mark);
}

void FigurePreview::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(m_dragged || handleAt(event->position()) ? Qt::SizeAllCursor : Qt::ArrowCursor);
    const QRectF box = contentBox();
    if (!m_dragged || box.isEmpty())
        return;
    const QPointF way = event->position() - box.topLeft();
    move(*m_dragged, {way.x() / box.width(), way.y() / box.height()});
}

void FigurePreview::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged.reset();
}

void FigurePreview::keyPressEvent(QKeyEvent* event)
{
    constexpr double kStep = 0.01;
    const QPointF way = event->key() == Qt::Key_Left    ? QPointF(-kStep, 0)
                        : event->key() == Qt::Key_Right ? QPointF(kStep, 0)
                        : event->key() == Qt::Key_Up    ? QPointF(0, -kStep)
                        : event->key() == Qt::Key_Down  ? QPointF(0, kStep)
                                                        : QPointF();
    if (way.isNull() || m_chosen < 0 || m_chosen >= std::ssize(m_marks))
        return QWidget::keyPressEvent(event);
    const viz::Annotation& one = m_marks[static_cast<std::size_t>(m_chosen)];
    const bool end = event->modifiers().testFlag(Qt::ShiftModifier) && one.kind != viz::Annotation::Kind::Label;
    const viz::AnnotationPoint& point = end ? one.to : one.from;
    if (!point.onMap)
        move({m_chosen, end}, point.at + way);
}

void FigurePreview::paintText(QPainter& painter, const QRectF& box) const
{
    painter.save();
    painter.setClipRect(box);
    painter.setFont(paperFont(kTextPt, mm()));
    painter.setPen(kInk);
    painter.drawText(box, Qt::TextWordWrap | Qt::AlignJustify, lorem() + lorem() + lorem());
    painter.restore();
}

void FigurePreview::paintHandles(QPainter& painter) const
{
    const QColor accent = Theme::instance().colors().accent;
    painter.setRenderHint(QPainter::Antialiasing);
    for (int mark = 0; mark < std::ssize(m_marks); ++mark)
    {
        const viz::Annotation& one = m_marks[static_cast<std::size_t>(mark)];
        const bool isLine = one.kind != viz::Annotation::Kind::Label && !one.to.onMap && !one.from.onMap;
        if (mark == m_chosen && isLine)
        {
            painter.setPen(QPen(accent, 1, Qt::DashLine));
            painter.drawLine(handleOf(mark, false), handleOf(mark, true));
        }
        for (const bool end : {true, false})
        {
            if ((end && one.kind == viz::Annotation::Kind::Label) || (end ? one.to : one.from).onMap)
                continue;
            painter.setPen(QPen(accent, 1.5));
            painter.setBrush(mark == m_chosen ? accent : QColor(Qt::white));
            painter.drawEllipse(handleOf(mark, end), kHandle, kHandle);
        }
    }
}

void FigurePreview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white); // paper is, in a dark window too
    const QRectF figure = figureBox();
    const double bottom = height() - kMarginMm * mm();
    paintText(painter, {QPointF(figure.left(), kMarginMm * mm()), QSizeF(figure.width(), (kLinesMm - 4) * mm())});
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (!m_shown.isNull())
        painter.drawImage(figure, m_shown);
    else
    {
        painter.setPen(kInk);
        painter.drawText(figure, Qt::AlignCenter | Qt::TextWordWrap, m_text);
    }
    painter.setPen(kInk);
    painter.setFont(paperFont(kCaptionPt, mm()));
    const QRectF caption(figure.left(), figure.bottom() + 2 * mm(), figure.width(), (kCaptionMm - 2) * mm());
    painter.drawText(caption, Qt::TextWordWrap, tr("Figure 1: %1").arg(m_picture.caption));
    const double after = caption.bottom() + 3 * mm();
    paintText(painter, {QPointF(figure.left(), after), QSizeF(figure.width(), std::max(0.0, bottom - after))});
    if (!m_shown.isNull() && !contentBox().isEmpty())
        paintHandles(painter);
}

} // namespace headscope::ui
