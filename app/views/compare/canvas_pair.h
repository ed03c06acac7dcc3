// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QSize>
#include <QWidget>

#include <optional>

namespace headscope::ui
{

class MoveLines;
class ScatterWidget;

/// The canvases of two maps under one overlay of lines: on top of each other (one canvas), or side by side, where
/// both show the same part and have the same tool.
class CanvasPair : public QWidget
{
    Q_OBJECT

public:
    explicit CanvasPair(QWidget* parent);

    [[nodiscard]] ScatterWidget* left() const { return m_left; }
    [[nodiscard]] ScatterWidget* right() const { return m_right; }
    [[nodiscard]] MoveLines* lines() const { return m_lines; }

    /// Of both maps, in their coordinates; nothing: there are no maps.
    void setBounds(const std::optional<QRectF>& bounds) { m_bounds = bounds; }
    /// Fits both views to both maps; they stay fitted when resized, until the view is moved.
    /// @pre there are bounds
    void fit();
    void setSideBySide(bool side);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void connectCanvas(ScatterWidget* canvas, ScatterWidget* other);
    void follow(const ScatterWidget& canvas, ScatterWidget& other);
    void placeOverlay();
    void fitAgain();

    ScatterWidget* m_left = nullptr;
    ScatterWidget* m_right = nullptr;
    MoveLines* m_lines = nullptr;
    QWidget* m_gap = nullptr;
    std::optional<QRectF> m_bounds;
    bool m_side = false;
    bool m_following = false; ///< one canvas follows the other's view
    bool m_fitted = false;    ///< all of both maps is in view, as fit() left it
    QSize m_fittedSize;       ///< of the left canvas then
};

} // namespace headscope::ui
