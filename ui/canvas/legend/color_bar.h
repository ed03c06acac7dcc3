// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"

#include <QWidget>

#include <optional>

class QToolButton;

namespace headscope::ui
{

/// A colour scale that can be changed where it is: handles for both limits and, where colours
/// diverge, for the centre between them. The colours reach from limit to limit, with the numbers of the
/// limits at their ends; a rail shows how far the handles can go.
///
/// Drag a handle, which keeps the limits for other numbers, too; a double click gives back the limits of the data.
/// Keys: Up and Down go from handle to handle, Left and Right move it (with Shift further), Home gives the limits back.
/// The menu has the kinds of colours and limits at percentiles.
class ColorBar : public QWidget
{
    Q_OBJECT

public:
    enum class Handle
    {
        Low,
        Centre,
        High,
    };

    explicit ColorBar(QWidget* parent = nullptr);

    /// What is shown. Emits nothing.
    void setChoice(const viz::ScaleChoice& choice);
    /// Whether its limits stay when other numbers are shown: the user has moved or kept them. Emits nothing.
    void setKept(bool kept);
    [[nodiscard]] bool isKept() const { return m_isKept; }
    /// As a double click: the limits of the data are wanted again.
    void resetLimits();
    /// As if its handles had been moved there.
    void choose(const viz::ScaleChoice& choice);
    [[nodiscard]] const viz::ScaleChoice& choice() const { return m_choice; }
    /// What the numbers are, with their unit: "cosine". Stands before the bar.
    void setTitle(const QString& title);
    [[nodiscard]] const QString& title() const { return m_title; }
    /// Whether the menu and the button show the scale as symmetric around 0. Emits nothing.
    void setAroundZero(bool around);
    [[nodiscard]] bool isAroundZero() const { return m_aroundZero; }
    /// The numbers the bar reaches over: limits can be moved that far.
    void setRange(viz::ScaleLimits range);
    /// A value under the pointer somewhere, marked on the bar.
    void setMarked(std::optional<double> value);
    /// Where a handle is drawn.
    [[nodiscard]] QPointF handlePlace(Handle handle) const;
    /// Where the colours are, from limit to limit.
    [[nodiscard]] QRectF rampRect() const;
    /// Where the number of a limit is written.
    [[nodiscard]] QRectF labelRect(Handle handle) const;
    [[nodiscard]] Handle currentHandle() const { return m_current; }

    [[nodiscard]] QSize sizeHint() const override { return {204 + wholeTitleWidth(), 26}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {kMinWidth, 26}; }

Q_SIGNALS:
    /// A handle was moved, or other colours were chosen.
    void choiceChanged(const headscope::viz::ScaleChoice& choice);
    /// The limits of the data are wanted again, at these shares of the sorted values.
    void limitsRequested(double lowShare, double highShare);
    /// A fixed scale around 0 is wanted, or no longer.
    void aroundZeroRequested(bool around);
    void aroundZeroChanged(bool around);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    static constexpr int kMinWidth = 140; ///< without its title, which is hidden where there is no room
    [[nodiscard]] int wholeTitleWidth() const;
    [[nodiscard]] int titleWidth() const;
    [[nodiscard]] QRectF barRect() const;
    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] double xOf(double value) const;
    [[nodiscard]] double valueOf(Handle handle) const;
    void moveHandle(Handle handle, double value);
    void take(const viz::ScaleChoice& choice);
    void stepHandle(int step);
    void describe();

    viz::ScaleChoice m_choice;
    viz::ScaleLimits m_range{0, 1};
    std::optional<double> m_marked;
    Handle m_current = Handle::Low;
    bool m_dragging = false;
    bool m_aroundZero = false;
    bool m_isKept = false;
    QString m_title;
};

/// A button that says whether a bar's scale is around 0, and asks for it.
[[nodiscard]] QToolButton* makeAroundZeroButton(ColorBar& bar, QWidget* parent);

} // namespace headscope::ui
