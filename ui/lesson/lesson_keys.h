// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace headscope::ui
{

/// The keys of a lesson, while one is open: Page Up and Page Down wherever the keyboard is in its window, as clickers
/// of lecturers send them, but where they scroll a list or a text; Left, Right and Escape in the column and the
/// picture.
/// @threads GUI thread
class LessonKeys : public QObject
{
    Q_OBJECT

public:
    /// @param column, picture  the parts of the lesson
    LessonKeys(QWidget* column, QWidget* picture, QObject* parent);

    /// Whether a lesson is open.
    void setOn(bool on) { m_on = on; }

Q_SIGNALS:
    void nextAsked();
    void backAsked();
    void endAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isOfLesson(const QWidget* widget) const;

    QPointer<QWidget> m_column;
    QPointer<QWidget> m_picture;
    bool m_on = false;
};

} // namespace headscope::ui
