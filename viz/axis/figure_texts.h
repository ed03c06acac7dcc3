// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

class QTransform;

namespace headscope::viz
{

/// How the texts of one figure are drawn, and how small they became.
struct FigureTexts
{
    double unitsPerPoint = 1;        ///< units of the device on 1/72 inch of paper
    bool outlines = false;           ///< letters become shapes
    std::optional<double> leastPt{}; ///< height of the smallest text drawn so far
    QString missing{};               ///< the first text of which no font has all letters
};

/// While it lives, drawLine() draws the texts of this thread as `texts` asks for, and notes their height there.
/// One inside another hides the outer one.
class FigureTextScope
{
public:
    explicit FigureTextScope(FigureTexts& texts);
    ~FigureTextScope();
    FigureTextScope(const FigureTextScope&) = delete;
    FigureTextScope& operator=(const FigureTextScope&) = delete;

private:
    FigureTexts* m_outer;
};

/// Of the figure that this thread draws now; null: it draws none.
[[nodiscard]] FigureTexts* currentFigureTexts();
/// What the transform makes of the length 1, on an average of both directions.
[[nodiscard]] double lengthOn(const QTransform& transform);

} // namespace headscope::viz
