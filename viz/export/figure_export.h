// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QSizeF>
#include <QString>

#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

class QPainter;
class QRectF;

namespace headscope::viz
{

/// How a figure is written. Figures are always light.
struct FigureOptions
{
    /// Width x height in inches; 6.75 is two columns of most venues. Height 0: it follows from the content
    /// where a figure says how high that is.
    QSizeF sizeInches{6.75, 0};
    /// Pixels per inch of a PNG, and of raster layers inside PDF and SVG.
    int dpi = 300;
    QString title; ///< above the figure; may be empty
    QString
        caption; ///< what the figure shows, for those who find the file: never painted, captions belong to the paper
    /// Name and value of everything that made the figure: with the caption in PNG text chunks, the SVG's
    /// description, and the PDF's title.
    std::vector<std::pair<QString, QString>> parameters;
    bool overwrite = false;
};

/// A drawing paints itself into a rectangle of points (1/72 inch).
///
/// `dpr` is how many device pixels one point has, for layers that are raster by nature.
using Drawing = std::function<void(QPainter& painter, const QRectF& box, double dpr)>;

/// Millimetres to inches.
[[nodiscard]] constexpr double inchesOfMm(double mm)
{
    return mm / 25.4;
}

/// The width a drawing gets of a figure, in points.
[[nodiscard]] double contentWidth(const FigureOptions& options);
/// The height it gets; 0 where it is to follow from the content.
[[nodiscard]] double contentHeight(const FigureOptions& options);
/// Makes the figure as high as its content, in points, wants to be; a height that was given stays.
/// Needs a QGuiApplication (fonts).
void followContent(FigureOptions& options, double height);

/// Which kind of file a name asks for.
enum class FigureFormat
{
    Png,
    Pdf,
    Svg,
};

/// @errors WrongUse (an ending other than .png, .pdf, .svg)
[[nodiscard]] Result<FigureFormat> figureFormat(const std::filesystem::path& path);

/// Paints title and drawing, and publishes the file by renaming: it is whole or it is not
/// there. The same input gives the same bytes (dates are fixed).
/// @errors WrongUse (ending, existing file without overwrite, a size or dpi out of range), Resource
///         (folder missing or not writable, disk full), OutOfMemory
/// @threads needs a QGuiApplication for its fonts; one at a time
[[nodiscard]] Status exportDrawing(const Drawing& drawing, const std::filesystem::path& path,
                                   const FigureOptions& options);

} // namespace headscope::viz
