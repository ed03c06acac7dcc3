// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"
#include "viz/color/color_sight.h"

#include <QImage>
#include <QString>
#include <QWidget>

namespace headscope::ui
{

/// A figure at its true size in a column of text, as a reader of the paper will see it: whether its letters can be read
/// is seen beside letters of the usual size.
class FigurePreview : public QWidget
{
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Null: none yet, with `text` in its place.
    void setPicture(const FigurePicture& picture, const QString& text = {});
    void setSight(viz::ColorSight sight);
    /// The picture as it is shown.
    [[nodiscard]] const QImage& shown() const { return m_shown; }
    /// Pixels of this screen (logical ones) that a millimetre takes.
    [[nodiscard]] double pixelsPerMm() const;

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Lines of a text without meaning, from the top of the box as far as it reaches.
    void paintText(QPainter& painter, const QRectF& box) const;

    FigurePicture m_picture;
    QImage m_shown;
    QString m_text;
    viz::ColorSight m_sight = viz::ColorSight::Usual;
};

} // namespace headscope::ui
