// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QSize>

class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace headscope::ui
{

/// Asks how large a picture of the canvas shall be: as a scale, or as dots per inch where the screen
/// counts as 96; says how many pixels that makes.
class PictureDialog : public QDialog
{
    Q_OBJECT

public:
    static constexpr double kLargestScale = 8;
    static constexpr int kScreenDpi = 96;

    /// @param canvas  size on the screen, in logical pixels
    explicit PictureDialog(QSize canvas, QWidget* parent = nullptr);

    [[nodiscard]] double scale() const;

Q_SIGNALS:
    /// Save was chosen.
    void scaleChosen(double scale);

private:
    void showPixels();

    QSize m_canvas;
    QDoubleSpinBox* m_scale = nullptr;
    QSpinBox* m_dpi = nullptr;
    QLabel* m_pixels = nullptr;
};

} // namespace headscope::ui
