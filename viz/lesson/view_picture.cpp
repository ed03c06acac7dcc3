// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/view_picture.h"

#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"
#include "viz/export/figure_text.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kShape = 0.75; ///< height by width, where a page has room

} // namespace

void paintViewPicture(QPainter& painter, const ViewPicture& picture, const QRectF& box, const LessonStyle& style)
{
    const double dpr = lengthOn(painter.deviceTransform());
    const QPaintEngine* engine = painter.paintEngine();
    FigureOptions options;
    options.format = engine != nullptr && engine->type() == QPaintEngine::Pdf ? FigureFormat::Pdf : FigureFormat::Png;
    options.sizeInches = box.size() / kPointsPerInch;
    options.scale = style.textPx / kFigureTextPt;
    options.dpi = static_cast<int>(std::lround(dpr * kPointsPerInch));
    const Result<FigureSpec> spec = specOf(picture.figure, options);
    painter.save();
    painter.fillRect(box, inks(InkTheme::Light).background);
    if (!spec)
    {
        paintBlock(painter, box.topLeft(), box.width(), QString::fromStdString(spec.error().message), bodyFont(style),
                   inks(InkTheme::Light).secondary);
        painter.restore();
        return;
    }
    painter.translate(box.topLeft());
    painter.scale(options.scale, options.scale);
    const QSizeF page = box.size() / options.scale;
    const double margin = (page.width() - contentWidth(options)) / 2;
    spec->drawing(painter, QRectF(QPointF(0, 0), page).adjusted(margin, margin, -margin, -margin),
                  layerDpi(options) / kPointsPerInch * options.scale);
    painter.restore();
}

double viewPictureHeight(double width)
{
    return width * kShape;
}

QString viewPictureWords(const ViewPicture& picture)
{
    return picture.words;
}

QImage viewPictureImage(const ViewPicture& picture, QSizeF size, const LessonStyle& style, double dpr)
{
    FigureDevice<QImage> image(static_cast<int>(std::lround(size.width() * dpr)),
                               static_cast<int>(std::lround(size.height() * dpr)), QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.fill(inks(InkTheme::Light).background);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(dpr, dpr);
    paintViewPicture(painter, picture, {QPointF(0, 0), size}, style);
    painter.end();
    return image;
}

} // namespace headscope::viz
