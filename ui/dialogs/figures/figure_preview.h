// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"
#include "viz/color/color_vision.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace headscope::ui
{

/// A figure at its true size in a column of text, as a reader of the paper will see it: whether its letters can be read
/// is seen next to letters of the usual size. Where its annotations begin and end are handles that the pointer drags;
/// arrow keys move the chosen one, with Shift its other end.
class FigurePreview : public QWidget
{
    Q_OBJECT

public:
    explicit FigurePreview(QWidget* parent = nullptr);

    /// Null: none yet, with `text` in its place.
    void setPicture(const FigurePicture& picture, const QString& text = {});
    void setSight(viz::ColorVision sight);
    /// Shows it smaller than it is: 1 is the true size.
    void setZoom(double zoom);
    [[nodiscard]] double zoom() const { return m_zoom; }
    /// How wide it is at its true size, in pixels.
    [[nodiscard]] int trueWidth() const;
    /// The picture as it is shown.
    [[nodiscard]] const QImage& shown() const { return m_shown; }
    /// Pixels of this screen (logical ones) that a millimetre takes.
    [[nodiscard]] double pixelsPerMm() const;

    /// @param chosen  whose handles can be moved by keys; -1: none's
    void setMarks(std::vector<viz::Annotation> marks, int chosen);
    /// Where the handle of a mark is.
    [[nodiscard]] QPointF handleOf(int mark, bool end) const;

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void markChosen(int mark);
    /// @param share  of the figure's content, inside of it
    void markMoved(int mark, bool end, QPointF share);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Handle
    {
        int mark = 0;
        bool end = false;
    };

    [[nodiscard]] double mm() const { return pixelsPerMm() * m_zoom; }
    [[nodiscard]] QRectF figureBox() const;
    [[nodiscard]] QRectF contentBox() const;
    [[nodiscard]] std::optional<Handle> handleAt(QPointF place) const;
    void move(const Handle& handle, QPointF share);
    /// Lines of a text without meaning, from the top of the box as far as it reaches.
    void paintText(QPainter& painter, const QRectF& box) const;
    void paintHandles(QPainter& painter) const;

    FigurePicture m_picture;
    QImage m_shown;
    QString m_text;
    viz::ColorVision m_sight = viz::ColorVision::Usual;
    double m_zoom = 1;
    std::vector<viz::Annotation> m_marks;
    int m_chosen = -1;
    std::optional<Handle> m_dragged;
};

} // namespace headscope::ui
