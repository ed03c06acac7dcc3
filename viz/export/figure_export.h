// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/export/panels/annotation.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// What the letters of a PDF or SVG are.
enum class FigureText
{
    Text,     ///< text, which can be searched and edited; a PDF embeds its fonts, an SVG names them
    Outlines, ///< shapes, which look the same without any font
};

/// What is known of a figure once it is written.
struct FigureRecord
{
    QSizeF sizeMm;
    QString caption;              ///< as it stands in the file's description
    double leastTextPt = 0;       ///< height of its smallest text; 0: it has none
    QString missingText;          ///< a text with letters that no font has; empty: there is none
    std::int64_t rasterBytes = 0; ///< of its pictures: layers of dots, cells; of a PNG all
    std::int64_t vectorBytes = 0; ///< of everything else
    int rasterDpi = 0;            ///< of those pictures
    QRectF contentMm;             ///< without margins and title: what places of annotations are shares of
};

/// How a figure is written. Figures are always light.
struct FigureOptions
{
    /// Width x height in inches; 6.75 is two columns of most venues. Height 0: it follows from the content
    /// where a figure says how high that is.
    QSizeF sizeInches{6.75, 0};
    int dpi = 300; ///< pixels per inch of a PNG
    /// Pixels per inch of raster layers inside PDF and SVG, at least; `dpi` where that is more. A layer of a wide
    /// figure has fewer (layerDpi).
    int rasterDpi = 600;
    /// Everything that is measured in points (text, lines, gaps) is so many times as large.
    double scale = 1;
    FigureText text = FigureText::Text;
    /// What the figure can be made from again, in ASCII: kept in the file (embedded_recipe.h). Empty: nothing.
    std::string recipe;
    FigureRecord* record = nullptr; ///< is filled when the figure was written; null: nobody asks
    QString title;                  ///< above the figure; may be empty
    QString
        caption; ///< what the figure shows, for those who find the file: never painted, captions belong to the paper
    /// Name and value of everything that made the figure: with the caption in PNG text chunks, the SVG's
    /// description, and the PDF's title.
    std::vector<std::pair<QString, QString>> parameters;
    std::vector<Annotation> annotations{}; ///< what its maker wrote onto it
    bool overwrite = false;
};

/// A drawing paints itself into a rectangle of points (1/72 inch).
///
/// `dpr` is how many device pixels one point has, for layers that are raster by nature.
using Drawing = std::function<void(QPainter& painter, const QRectF& box, double dpr)>;

struct PanelOffer;

/// Points of paper on an inch.
inline constexpr double kPointsPerInch = 72;
/// Millimetres to inches.
[[nodiscard]] constexpr double inchesOfMm(double mm)
{
    return mm / 25.4;
}

/// The width a drawing gets of a figure, in its points: larger on paper by `scale`.
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

/// Pixels per inch of what is raster in a figure of this kind: of a PNG its own; else at least 600, as journals ask of
/// drawings, but no layer is wider than 8,000 pixels, whose picture takes 200 MB.
[[nodiscard]] int layerDpi(const FigureOptions& options, FigureFormat format);

/// Paints title and drawing, and publishes the file by renaming: it is whole or it is not
/// there. The same input gives the same bytes (dates are fixed).
/// @errors WrongUse (ending, existing file without overwrite, a size or dpi out of range, an annotation outside of it),
///         Resource (folder missing or not writable, disk full), OutOfMemory
/// @threads needs a QGuiApplication for its fonts; one at a time
[[nodiscard]] Status exportDrawing(const Drawing& drawing, const std::filesystem::path& path,
                                   const FigureOptions& options);
/// The same of a drawing that has more to offer as a panel of another figure (figure_sink.h).
[[nodiscard]] Status exportDrawing(const PanelOffer& offer, const std::filesystem::path& path);

} // namespace headscope::viz
