// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lesson/lesson_page.h"

#include <QVariantAnimation>
#include <QWidget>

class QLabel;

namespace headscope::ui
{

class WrapRow;

/// Paints the picture of a step as large as there is room.
class LessonCanvas : public QWidget
{
    Q_OBJECT

public:
    explicit LessonCanvas(QWidget* parent = nullptr);

    void setPicture(viz::LessonPicture picture);
    [[nodiscard]] const viz::LessonPicture& picture() const { return m_picture; }
    /// Whether KV heads move to their places: as the desktop's setting for animations has it.
    [[nodiscard]] bool animates() const;

Q_SIGNALS:
    /// A group of the wiring was clicked, from 0.
    void groupClicked(std::int64_t group);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF room() const;

    viz::LessonPicture m_picture;
    QVariantAnimation m_move; ///< of the KV heads of a wiring
};

/// The picture of a step, in the place of the views, with its controls below.
class LessonPicturePage : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPicturePage(QWidget* parent = nullptr);

    void setPicture(viz::LessonPicture picture);
    /// Controls that stay where they are keep the keyboard.
    void setControls(const QList<LessonControl>& controls);
    /// What is being computed; "": nothing.
    void setBusy(const QString& doing);
    [[nodiscard]] LessonCanvas* canvas() const { return m_canvas; }

Q_SIGNALS:
    void changed(const QString& control, int value);
    void typed(const QString& control, const QString& text);

private:
    void build(const QList<LessonControl>& controls);
    void show(const QList<LessonControl>& controls);
    QWidget* makeControl(const LessonControl& control);
    QWidget* makeField(const LessonControl& control);
    QWidget* makeSlider(const LessonControl& control);

    LessonCanvas* m_canvas = nullptr;
    QWidget* m_bar = nullptr;
    WrapRow* m_row = nullptr;
    QLabel* m_busy = nullptr;
    QList<LessonControl> m_controls;
};

} // namespace headscope::ui
