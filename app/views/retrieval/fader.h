// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <QColor>

namespace headscope::ui
{

/// One fader, upright or lying, in the colour of what it moves. Double click or Home: back to 1.
class Fader : public QAbstractSlider
{
    Q_OBJECT

public:
    static constexpr int kStepsPerUnit = 100; ///< value 100 is a factor of 1

    explicit Fader(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// @param reach  where a factor of 1 is, as a share of the fader's length
    void setReach(double reach);
    void setColor(const QColor& color);
    /// A fader that has no effect, because its head is muted or others are soloed, is drawn pale.
    void setSilent(bool silent);
    [[nodiscard]] double factor() const { return value() / static_cast<double>(kStepsPerUnit); }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void sliderChange(SliderChange change) override;

private:
    [[nodiscard]] QRectF track() const;
    [[nodiscard]] QPointF knob() const;
    void moveTo(QPointF place);

    QColor m_color;
    double m_reach = 0.5;
    bool m_silent = false;
};

} // namespace headscope::ui
