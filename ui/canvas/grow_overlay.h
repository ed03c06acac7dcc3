// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QRect>
#include <QVariantAnimation>
#include <QWidget>

#include <functional>

namespace headscope::ui
{

/// A picture that grows or shrinks over a view for a moment, so that the eye sees where it came from.
/// Where the style or the system wants no animation, nothing is shown and the end is reached at once.
class GrowOverlay : public QWidget
{
    Q_OBJECT

public:
    explicit GrowOverlay(QWidget* parent);

    /// Moves `from` over the parent, to the other place, fading into the other picture on the way;
    /// `then` is called at the end. An animation that is still running is ended first.
    void run(const QPixmap& from, const QRect& start, const QPixmap& to, const QRect& end, std::function<void()> then);
    [[nodiscard]] bool running() const { return m_animation.state() == QAbstractAnimation::Running; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void finish();

    QPixmap m_from;
    QPixmap m_to;
    QRect m_start;
    QRect m_end;
    QVariantAnimation m_animation;
    std::function<void()> m_then;
};

} // namespace headscope::ui
