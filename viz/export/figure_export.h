// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/axis/legend_painter.h"
#include "viz/color/color_scale.h"
#include "viz/color/inks.h"
#include "viz/export/panels/annotation.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
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

/// Which kind of file a figure is.
enum class FigureFormat
{
    Png,
    Pdf,
    Svg,
};

/// What is known of a figure once it is written.
struct FigureRecord
{
    QSizeF sizeMm;
    QString caption;              ///< as it is in the file's description
    double leastTextPt = 0;       ///< height of its smallest text; 0: it has none
    QString missingText;          ///< a text with letters that no font has; empty: there is none
    std::int64_t rasterBytes = 0; ///< of its pictures: layers of dots, cells; of a PNG all
    std::int64_t vectorBytes = 0; ///< of everything else
    int rasterDpi = 0;            ///< of those pictures
    QString lower;                ///< as FigureOptions::lower
    QRectF contentMm;             ///< without margins and title: what places of annotations are shares of
};

/// How a figure is written.
struct FigureOptions
{
    InkTheme theme{}; ///< light, as paper is, in the colours that labels and heads are to have
    /// Width x height in inches; 6.75 is two columns of most venues. Height 0: it follows from the content
    /// where a figure says how high that is.
    QSizeF sizeInches{6.75, 0};
    int dpi = 300; ///< pixels per inch of a PNG
    /// Pixels per inch of raster layers inside PDF and SVG, at least; `dpi` where that is more. A layer of a wide
    /// figure has fewer (layerDpi).
    int rasterDpi = 600;
    /// Everything that is measured in points (text, lines, gaps) is so many times as large.
    double scale = 1;
    FigureFormat format = FigureFormat::Png; ///< writeFigure: that of the file's name
    FigureText text = FigureText::Text;
    /// What the figure can be made from again, in ASCII: kept in the file (embedded_recipe.h). Empty: nothing.
    std::string recipe;
    QString title; ///< above the figure; may be empty
    /// What the figure shows, for those who find the file: never painted, captions belong to the paper.
    QString caption;
    /// Name and value of everything that made the figure: with the caption in PNG text chunks, the SVG's
    /// description, and the PDF's title.
    std::vector<std::pair<QString, QString>> parameters;
    std::vector<Annotation> annotations{}; ///< what its maker wrote onto it
    /// What makes it lower where it is higher than its paper: what people are told to do.
    QString lower = QStringLiteral("select fewer heads, stages or parts");
    bool overwrite = false;
};

/// A drawing paints itself into a rectangle of points (1/72 inch).
///
/// `dpr` is how many device pixels one point has, for layers that are raster by nature.
using Drawing = std::function<void(QPainter& painter, const QRectF& box, double dpr)>;

/// A legend that several panels may have in common, and the picture that is left of one without it.
struct SharedLegend
{
    Legend legend;
    LegendStyle style;
    Drawing bare;          ///< the panel without the legend
    double bareHeight = 0; ///< in points
};

/// A figure for one size of paper. It owns all that its drawings read.
struct FigureSpec
{
    Drawing drawing;
    FigureOptions options;                ///< with caption, parameters, and the height that follows from the content
    std::optional<SharedLegend> legend{}; ///< none: it keeps what explains it
    std::optional<ScaleLimits> limits{};  ///< of its colours, where those are of one quantity
};

/// What can be drawn on any paper: a pure function of the options, which owns what it shows. A file, a preview and a
/// panel of another figure are made of the same one.
using Figure = std::function<Result<FigureSpec>(FigureOptions options)>;

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
/// @errors WrongUse (an ending other than .png, .pdf, .svg)
[[nodiscard]] Result<FigureFormat> figureFormat(const std::filesystem::path& path);

/// Pixels per inch of what is raster in a figure of this format: of a PNG its own; else at least 600, as journals ask
/// of drawings, but no layer is wider than 8,000 pixels, whose picture takes 200 MB.
[[nodiscard]] int layerDpi(const FigureOptions& options);

/// What a figure draws with these options, and over it what its maker wrote onto it.
/// @errors those of the figure; WrongUse (an annotation outside of it)
[[nodiscard]] Result<FigureSpec> specOf(const Figure& figure, FigureOptions options);

/// Whether a figure would have a size that can be written, without drawing it.
/// @errors those of the figure; WrongUse (too small, too large)
[[nodiscard]] Status checkFigure(const Figure& figure, const std::filesystem::path& path, FigureOptions options);

/// Paints title and drawing, and publishes the file by renaming: it is whole or it is not
/// there. The same input gives the same bytes (dates are fixed).
/// @param options  but for the format, which the file's name says
/// @errors WrongUse (ending, existing file without overwrite, a size or dpi out of range, an annotation outside of it),
///         Resource (folder missing or not writable, disk full), OutOfMemory; those of the figure
/// @threads needs a QGuiApplication for its fonts; any thread
[[nodiscard]] Result<FigureRecord> writeFigure(const Figure& figure, const std::filesystem::path& path,
                                               const FigureOptions& options);
/// The same figure in several files, each as it would be drawn alone; written once all are drawn: where one has no room
/// none is there or has changed.
/// @return of the first
/// @pre there is one
[[nodiscard]] Result<FigureRecord> writeFigures(const Figure& figure, std::span<const std::filesystem::path> paths,
                                                const FigureOptions& options);

} // namespace headscope::viz
