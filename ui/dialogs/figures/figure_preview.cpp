// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/figure_preview.h"

#include <QPainter>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kMmPerInch = 25.4;
constexpr double kPointsPerInch = 72;
constexpr double kTextPt = 10;   ///< of a paper's text
constexpr double kCaptionPt = 9; ///< and of its captions
constexpr double kMarginMm = 8;  ///< around the column
constexpr double kLinesMm = 24;  ///< of text above and below the figure
constexpr double kCaptionMm = 11;
constexpr QColor kInk(70, 70, 70);

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
    font.setPixelSize(std::max(4, static_cast<int>(std::lround(pt / kPointsPerInch * kMmPerInch * pixelsPerMm))));
    return font;
}

} // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("figurePreview"));
    setAccessibleName(tr("The figure at its size on paper"));
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

void FigurePreview::setSight(viz::ColorSight sight)
{
    m_sight = sight;
    m_shown = viz::seenWith(m_picture.image, m_sight);
    update();
}

double FigurePreview::pixelsPerMm() const
{
    // Screens that do not know their size say nonsense: then 96 dots an inch are usual.
    constexpr double kLeastDpi = 60;
    constexpr double kMostDpi = 300;
    constexpr double kUsualDpi = 96;
    const double dpi = screen() == nullptr ? kUsualDpi : screen()->physicalDotsPerInch();
    return (dpi >= kLeastDpi && dpi <= kMostDpi ? dpi : kUsualDpi) / kMmPerInch;
}

QSize FigurePreview::sizeHint() const
{
    const double height = 2 * kMarginMm + 2 * kLinesMm + kCaptionMm + m_picture.sizeMm.height();
    return (QSizeF(2 * kMarginMm + m_picture.sizeMm.width(), height) * pixelsPerMm()).toSize();
}

void FigurePreview::paintText(QPainter& painter, const QRectF& box) const
{
    painter.save();
    painter.setClipRect(box);
    painter.setFont(paperFont(kTextPt, pixelsPerMm()));
    painter.setPen(kInk);
    painter.drawText(box, Qt::TextWordWrap | Qt::AlignJustify, lorem() + lorem() + lorem());
    painter.restore();
}

void FigurePreview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white); // paper is, in a dark window too
    const double mm = pixelsPerMm();
    const QRectF column(kMarginMm * mm, kMarginMm * mm, m_picture.sizeMm.width() * mm, height() - 2 * kMarginMm * mm);
    const QRectF figure(column.left(), column.top() + kLinesMm * mm, column.width(), m_picture.sizeMm.height() * mm);
    paintText(painter, {column.topLeft(), QSizeF(column.width(), (kLinesMm - 4) * mm)});
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (!m_shown.isNull())
        painter.drawImage(figure, m_shown);
    else
    {
        painter.setPen(kInk);
        painter.drawText(figure, Qt::AlignCenter | Qt::TextWordWrap, m_text);
    }
    painter.setPen(kInk);
    painter.setFont(paperFont(kCaptionPt, mm));
    const QRectF caption(column.left(), figure.bottom() + 2 * mm, column.width(), (kCaptionMm - 2) * mm);
    painter.drawText(caption, Qt::TextWordWrap, tr("Figure 1: %1").arg(m_picture.caption));
    paintText(painter, {QPointF(column.left(), caption.bottom() + 3 * mm),
                        QSizeF(column.width(), std::max(0.0, column.bottom() - caption.bottom() - 3 * mm))});
}

} // namespace headscope::ui
