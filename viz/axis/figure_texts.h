// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QString>
#include <QTransform>

#include <cmath>
#include <optional>

namespace headscope::viz
{

/// How the texts of one figure are drawn, and how small they became: drawLine() follows and fills those of the device
/// that it draws on.
struct FigureTexts
{
    double unitsPerPoint = 1;        ///< units of the device on 1/72 inch of paper
    bool outlines = false;           ///< letters become shapes
    std::optional<double> leastPt{}; ///< height of the smallest text drawn so far
    QString missing{};               ///< the first text of which no font has all letters
    QString cut{};                   ///< the first text that was elided, or word that was broken

    FigureTexts() = default;
    FigureTexts(const FigureTexts&) = default;
    FigureTexts& operator=(const FigureTexts&) = default;
    virtual ~FigureTexts() = default; // so that a device can be asked whether it has them
};

/// A paint device of a figure: QImage, QPdfWriter, QSvgGenerator.
template <typename Device>
class FigureDevice : public Device, public FigureTexts
{
public:
    using Device::Device;
};

/// Of the figure that is painted; null: the device is none of a figure.
[[nodiscard]] inline FigureTexts* figureTexts(const QPainter& painter)
{
    return dynamic_cast<FigureTexts*>(painter.device());
}

/// What the transform makes of the length 1, on an average of both directions.
[[nodiscard]] inline double lengthOn(const QTransform& transform)
{
    return std::sqrt(std::abs(transform.determinant()));
}

} // namespace headscope::viz
