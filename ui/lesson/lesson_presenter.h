// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lesson/lesson_page.h"

#include <QWidget>

namespace headscope::ui
{

/// A step before a class: its picture and text on the whole screen, in large letters, light or dark. The keys are those
/// of the column; Space shows the answer, D changes light and dark, Escape goes back to the window.
class LessonPresenter : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPresenter(QWidget* parent);

    void setPage(const LessonPage& page, const viz::LessonPicture& picture, const QString& place);
    void setPicture(const viz::LessonPicture& picture);
    void setAnswerShown(bool shown);
    [[nodiscard]] bool answerShown() const { return m_answer; }
    [[nodiscard]] viz::Theme look() const { return m_theme; }

Q_SIGNALS:
    void nextAsked();
    void backAsked();
    void answerAsked();
    /// Closed by its keys, or by the desktop.
    void left();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void paintTexts(QPainter& painter, const QRectF& box, double textPx);
    [[nodiscard]] double fittingText(const QRectF& box) const;
    /// How high the texts are at a size.
    [[nodiscard]] double textsHeight(double width, double textPx) const;

    LessonPage m_page;
    viz::LessonPicture m_picture;
    QString m_place; ///< "3 of 9"
    viz::Theme m_theme = viz::Theme::Light;
    bool m_answer = false;
};

} // namespace headscope::ui
