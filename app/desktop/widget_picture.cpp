// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widget_picture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QPicture>
#include <QPixmap>
#include <QWidget>

#include <algorithm>
#include <memory>

namespace headscope::desktop
{

viz::Drawing drawingOf(QWidget& widget)
{
    auto picture = std::make_shared<QPicture>();
    QPainter painter(picture.get());
    widget.render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
    painter.end();
    return [picture, size = QSizeF(widget.size())](QPainter& target, const QRectF& box, double) {
        const double scale = std::min(box.width() / size.width(), box.height() / size.height());
        target.save();
        target.translate(box.topLeft());
        target.scale(scale, scale);
        target.drawPicture(0, 0, *picture);
        target.restore();
    };
}

QSizeF inchesOf(const QWidget& widget)
{
    constexpr double kTwoColumns = 6.75;
    return {kTwoColumns, kTwoColumns * widget.height() / std::max(1, widget.width())};
}

void copyPictureOf(QWidget& widget)
{
    QGuiApplication::clipboard()->setPixmap(widget.grab());
}

} // namespace headscope::desktop
