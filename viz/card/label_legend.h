// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/category_palette.h"
#include "viz/color/inks.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <string>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// The colours of labels, in lines.
class LabelLegend
{
public:
    /// @param textPt  height of the names
    LabelLegend(std::vector<std::string> names, double textPt, InkTheme theme);

    [[nodiscard]] double height(double width) const;
    void paint(QPainter& painter, const QRectF& box) const;

private:
    /// Visits each label with its place.
    void walk(double width, const std::function<void(std::size_t, const QPointF&, const QString&)>& visit) const;

    std::vector<std::string> m_names;
    double m_textPt;
    CategoryPalette m_palette;
    InkTheme m_theme;
};

} // namespace headscope::viz
