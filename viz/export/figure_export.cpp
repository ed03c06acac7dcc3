// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_export.h"

#include "model/base/output/output_file.h"
#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/embedded_recipe.h"
#include "viz/export/pdf_bytes.h"
#include "viz/export/pixels/svg_pixels.h"

#include <QBuffer>
#include <QHash>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr int kPdfDpi = 1200;
constexpr double kMargin = 6; // points
constexpr double kTitlePt = 9;
constexpr double kSmallestInches = 0.5;
constexpr double kLargestInches = 100;
constexpr int kSmallestDpi = 36;
constexpr int kLargestDpi = 2400;
constexpr double kMaxPixels = 32'000; // a side

Error wrongSize(const FigureOptions& options)
{
    return {ErrorCode::WrongUse,
            "expected a figure of " + std::to_string(kSmallestInches).substr(0, 3) + " to 100 inches and " +
                std::to_string(kSmallestDpi) + " to " + std::to_string(kLargestDpi) +
                " dpi with at most 32000 pixels a side, found " + std::to_string(options.sizeInches.width()) + " x " +
                std::to_string(options.sizeInches.height()) + " inches at " + std::to_string(options.dpi) + " dpi",
            {},
            {}};
}

Status checkSize(const FigureOptions& options)
{
    const auto side = [&options](double inches) {
        return inches >= kSmallestInches && inches <= kLargestInches && inches * options.dpi <= kMaxPixels;
    };
    if (!side(options.sizeInches.width()) || !side(options.sizeInches.height()) || options.dpi < kSmallestDpi ||
        options.dpi > kLargestDpi)
        return wrongSize(options);
    return {};
}

QStringList titleLines(const FigureOptions& options)
{
    return options.title.isEmpty()
               ? QStringList()
               : wrappedLines(options.title, textFont(kTitlePt, QFont::DemiBold), contentWidth(options), 2);
}

double titleHeight(const FigureOptions& options)
{
    const auto lines = static_cast<double>(titleLines(options).size());
    return lines > 0 ? lines * lineHeight(textFont(kTitlePt, QFont::DemiBold)) + 4 : 0;
}

/// Title and drawing on a page whose unit is the point.
/// @param texts  of the device
void paintPage(QPainter& painter, const FigureSpec& spec, FigureTexts& texts)
{
    const FigureOptions& options = spec.options;
    texts.unitsPerPoint = lengthOn(painter.deviceTransform());
    texts.outlines = options.text == FigureText::Outlines;
    painter.scale(options.scale, options.scale);
    const QSizeF page = options.sizeInches * (kPointsPerInch / options.scale);
    QRectF box(QPointF(kMargin, kMargin), page - QSizeF(2 * kMargin, 2 * kMargin));
    const QFont font = textFont(kTitlePt, QFont::DemiBold);
    double top = box.top();
    for (const QString& line : titleLines(options))
    {
        drawLine(painter, {box.left(), top, box.width(), lineHeight(font)}, line, font, inks(InkTheme::Light).ink);
        top += lineHeight(font);
    }
    box.setTop(box.top() + titleHeight(options));
    spec.drawing(painter, box, layerDpi(options) / kPointsPerInch * options.scale);
}

/// A file, and how its texts came out.
struct DrawnFile
{
    QByteArray bytes;
    FigureTexts texts;
};

/// What the figure shows and what made it, a line each.
QStringList aboutLines(const FigureOptions& options)
{
    QStringList about;
    if (!options.caption.isEmpty())
        about << options.caption;
    for (const auto& [name, value] : options.parameters)
        about << name + QStringLiteral(": ") + value;
    return about;
}

Result<DrawnFile> drawnPng(const FigureSpec& spec)
{
    const FigureOptions& options = spec.options;
    const double dpr = options.dpi / kPointsPerInch;
    FigureDevice<QImage> image(static_cast<int>(std::lround(options.sizeInches.width() * options.dpi)),
                               static_cast<int>(std::lround(options.sizeInches.height() * options.dpi)),
                               QImage::Format_RGB32);
    if (image.isNull())
        return Error{ErrorCode::OutOfMemory, "not enough memory for an image of this size", {}, {}};
    image.fill(Qt::white);
    constexpr double kMetresPerInch = 0.0254;
    image.setDotsPerMeterX(static_cast<int>(std::lround(options.dpi / kMetresPerInch)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    {
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        painter.scale(dpr, dpr);
        paintPage(painter, spec, image);
    }
    image.setText(QStringLiteral("Software"), QStringLiteral("Headscope"));
    if (!options.title.isEmpty())
        image.setText(QStringLiteral("Title"), options.title);
    if (!options.caption.isEmpty())
        image.setText(QStringLiteral("Description"), options.caption);
    for (const auto& [name, value] : options.parameters)
        image.setText(name, value);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        return Error{
            ErrorCode::Resource, "the image could not be encoded: " + writer.errorString().toStdString(), {}, {}};
    return DrawnFile{bytes, image};
}

/// Whether XML 1.0 may hold a character, and should: DEL and C1 are control characters of terminals.
bool isXmlCharacter(QChar c)
{
    const bool space = c == QLatin1Char('\t') || c == QLatin1Char('\n') || c == QLatin1Char('\r');
    return (c >= QChar(0x20) || space) && (c < QChar(0x7f) || c > QChar(0x9f)) && c < QChar(0xfffe);
}

/// A text with U+FFFD in place of what no XML file should hold: labels and ids are as their owners wrote them.
QString xmlSafe(QString text)
{
    for (QChar& c : text)
        if (!isXmlCharacter(c))
            c = QChar(QChar::ReplacementCharacter);
    return text;
}

/// Hashes without a random seed while it lives. Qt's PDF engine writes its fonts in the order of a
/// QHash, and the same figure is to give the same bytes.
class DeterministicHashes
{
public:
    DeterministicHashes() { QHashSeed::setDeterministicGlobalSeed(); }
    ~DeterministicHashes() { QHashSeed::resetRandomGlobalSeed(); }
    DeterministicHashes(const DeterministicHashes&) = delete;
    DeterministicHashes& operator=(const DeterministicHashes&) = delete;
};

Result<DrawnFile> drawnPdf(const FigureSpec& spec)
{
    const FigureOptions& options = spec.options;
    DrawnFile drawn;
    QByteArray& bytes = drawn.bytes;
    {
        const DeterministicHashes hashes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        FigureDevice<QPdfWriter> writer(&buffer);
        writer.setResolution(kPdfDpi);
        writer.setPageSize(QPageSize(options.sizeInches, QPageSize::Inch, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setCreator(QStringLiteral("Headscope"));
        // A PDF of Qt 6.4 has no keys of its own: the title carries what made the figure.
        const QStringList title =
            QStringList(options.title.isEmpty() ? QStringLiteral("Headscope figure") : options.title) +
            aboutLines(options);
        writer.setTitle(xmlSafe(title.join(QStringLiteral("; "))));
        if (!options.recipe.empty())
            writer.addFileAttachment(QString::fromLatin1(kRecipeFile), QByteArray::fromStdString(options.recipe),
                                     QStringLiteral("application/json"));
        QPainter painter;
        if (!painter.begin(&writer))
            return Error{ErrorCode::Internal, "the PDF painter did not start", {}, {}};
        painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
        painter.scale(kPdfDpi / kPointsPerInch, kPdfDpi / kPointsPerInch);
        paintPage(painter, spec, writer);
        painter.end();
        drawn.texts = writer;
    }
    fixPdfDate(bytes);
    unpackRecipe(bytes);
    return drawn;
}

/// Deletes a device of Qt, but not while an exception passes by: where a connection of the device got no memory, its
/// list of them is half-made, and its destructor would walk it for ever.
struct UnlessThrown
{
    int before = std::uncaught_exceptions();

    void operator()(QIODevice* device) const
    {
        if (std::uncaught_exceptions() == before)
            delete device; // NOLINT(cppcoreguidelines-owning-memory): of a unique_ptr
    }
};

Result<DrawnFile> drawnSvg(const FigureSpec& spec)
{
    const FigureOptions& options = spec.options;
    QByteArray bytes;
    const std::unique_ptr<QBuffer, UnlessThrown> buffer(new QBuffer(&bytes));
    const QSizeF page = options.sizeInches * kPointsPerInch;
    FigureDevice<QSvgGenerator> generator;
    generator.setOutputDevice(buffer.get());
    // Together these three give the right size in inches; the unit of the drawing is the point.
    generator.setResolution(static_cast<int>(kPointsPerInch));
    generator.setSize(QSize(static_cast<int>(std::ceil(page.width())), static_cast<int>(std::ceil(page.height()))));
    generator.setViewBox(QRectF(QPointF(0, 0), page));
    // Qt 6.4 writes both as they are, later versions may escape them: marks that need no escaping
    // are replaced by escaped text afterwards.
    const QByteArray titleMark("headscope-figure-title");
    const QByteArray aboutMark("headscope-figure-about");
    generator.setTitle(QString::fromLatin1(titleMark));
    generator.setDescription(QString::fromLatin1(aboutMark));
    QPainter painter;
    if (!painter.begin(&generator))
        return Error{ErrorCode::Internal, "the SVG painter did not start", {}, {}};
    painter.fillRect(QRectF(QPointF(0, 0), page), Qt::white);
    paintPage(painter, spec, generator);
    painter.end();
    const QString title = options.title.isEmpty() ? QStringLiteral("Headscope figure") : options.title;
    // Qt names the one font it used; viewers without it fall back to their own, often with serifs.
    const QByteArray named = QStringLiteral("font-family=\"%1\"").arg(fontFamily()).toUtf8();
    const QByteArray open = named.left(named.size() - 1);
    bytes.replace(named, QByteArray(open + kFallbackFamilies + "\""));
    bytes.replace(titleMark, title.toHtmlEscaped().toUtf8());
    bytes.replace(aboutMark, aboutLines(options).join(QLatin1Char('\n')).toHtmlEscaped().toUtf8());
    // Qt escapes what it draws, and writes what cannot be escaped as it is.
    return DrawnFile{xmlSafe(QString::fromUtf8(bytes)).toUtf8(), generator};
}

FigureRecord recordOf(const DrawnFile& drawn, const FigureOptions& options)
{
    constexpr double kMmPerInch = 25.4;
    FigureRecord record;
    record.sizeMm = options.sizeInches * kMmPerInch;
    const double mm = options.scale * kMmPerInch / kPointsPerInch;
    record.contentMm = QRectF(kMargin * mm, (kMargin + titleHeight(options)) * mm, contentWidth(options) * mm,
                              contentHeight(options) * mm);
    record.caption = options.caption;
    record.lower = options.lower;
    record.leastTextPt = drawn.texts.leastPt.value_or(0);
    record.missingText = drawn.texts.missing;
    record.rasterBytes = rasterBytes(drawn.bytes, options.format);
    record.vectorBytes = drawn.bytes.size() - record.rasterBytes;
    record.rasterDpi = layerDpi(options);
    return record;
}

/// The whole file, with the recipe inside.
Result<DrawnFile> drawnFile(const FigureSpec& spec)
{
    const FigureOptions& options = spec.options;
    HEADSCOPE_CHECK(checkSize(options));
    auto drawn = options.format == FigureFormat::Png   ? drawnPng(spec)
                 : options.format == FigureFormat::Pdf ? drawnPdf(spec)
                                                       : drawnSvg(spec);
    if (drawn && options.format != FigureFormat::Pdf) // which has it as an attachment
        embedRecipe(drawn->bytes, options.format, options.recipe);
    return drawn;
}

/// A file that is drawn and not written yet.
struct FigureFile
{
    std::filesystem::path path;
    QByteArray bytes;
    FigureRecord record;
};

Result<FigureFile> figureFile(const Figure& figure, const std::filesystem::path& path, FigureOptions options)
{
    HEADSCOPE_TRY(options.format, figureFormat(path));
    HEADSCOPE_CHECK(checkOutputPath(path, options.overwrite));
    auto spec = specOf(figure, std::move(options));
    if (!spec)
        return std::move(spec).error().inFile(path.string());
    auto drawn = drawnFile(*spec);
    if (!drawn)
        return std::move(drawn).error().inFile(path.string());
    FigureRecord record = recordOf(*drawn, spec->options);
    return FigureFile{path, std::move(drawn->bytes), std::move(record)};
}

std::string_view viewOf(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// With annotations over it, where it has some.
Drawing annotated(Drawing drawing, const std::vector<Annotation>& annotations)
{
    return [drawing = std::move(drawing), annotations](QPainter& painter, const QRectF& box, double dpr) {
        drawing(painter, box, dpr);
        paintAnnotations(painter, box, annotations);
    };
}

} // namespace

double contentWidth(const FigureOptions& options)
{
    return std::max(1.0, options.sizeInches.width() * kPointsPerInch / options.scale - 2 * kMargin);
}

double contentHeight(const FigureOptions& options)
{
    if (options.sizeInches.height() <= 0)
        return 0;
    return std::max(1.0,
                    options.sizeInches.height() * kPointsPerInch / options.scale - 2 * kMargin - titleHeight(options));
}

void followContent(FigureOptions& options, double height)
{
    if (options.sizeInches.height() > 0)
        return;
    const double page = std::ceil((height + 2 * kMargin + titleHeight(options)) * options.scale);
    options.sizeInches.setHeight(std::clamp(page / kPointsPerInch, kSmallestInches, kLargestInches));
}

Result<FigureFormat> figureFormat(const std::filesystem::path& path)
{
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".png")
        return FigureFormat::Png;
    if (ending == ".pdf")
        return FigureFormat::Pdf;
    if (ending == ".svg")
        return FigureFormat::Svg;
    return Error{ErrorCode::WrongUse,
                 "expected a figure's name to end in .png, .pdf or .svg, found \"" + ending + "\"",
                 path.string(),
                 {}};
}

int layerDpi(const FigureOptions& options)
{
    constexpr double kMaxLayerPixels = 8'000; // across
    if (options.format == FigureFormat::Png)
        return options.dpi;
    const double most =
        std::max(kMaxLayerPixels / std::max(options.sizeInches.width(), kSmallestInches), double{kSmallestDpi});
    return static_cast<int>(std::min<double>(std::max(options.dpi, options.rasterDpi), most));
}

Result<FigureSpec> specOf(const Figure& figure, FigureOptions options)
{
    auto spec = figure(std::move(options));
    if (!spec || spec->options.annotations.empty())
        return spec;
    const std::vector<Annotation> annotations = std::exchange(spec->options.annotations, {});
    HEADSCOPE_CHECK(checkAnnotations(annotations));
    spec->drawing = annotated(std::move(spec->drawing), annotations);
    if (spec->legend)
        spec->legend->bare = annotated(std::move(spec->legend->bare), annotations);
    return spec;
}

Status checkFigure(const Figure& figure, const std::filesystem::path& path, FigureOptions options)
{
    HEADSCOPE_TRY(options.format, figureFormat(path));
    HEADSCOPE_TRY(const FigureSpec spec, specOf(figure, std::move(options)));
    return checkSize(spec.options);
}

Result<FigureRecord> writeFigure(const Figure& figure, const std::filesystem::path& path, const FigureOptions& options)
{
    HEADSCOPE_TRY(FigureFile file, figureFile(figure, path, options));
    HEADSCOPE_CHECK(writeFileAtomically(path, viewOf(file.bytes)));
    return std::move(file.record);
}

Result<FigureRecord> writeFigures(const Figure& figure, std::span<const std::filesystem::path> paths,
                                  const FigureOptions& options)
{
    std::vector<FigureFile> drawn;
    for (const std::filesystem::path& path : paths)
    {
        HEADSCOPE_TRY(FigureFile file, figureFile(figure, path, options));
        drawn.push_back(std::move(file));
    }
    std::vector<OutputFile> files;
    for (const FigureFile& each : drawn)
    {
        HEADSCOPE_TRY(OutputFile file, OutputFile::create(each.path));
        HEADSCOPE_CHECK(file.write(viewOf(each.bytes)));
        HEADSCOPE_CHECK(file.sync());
        files.push_back(std::move(file));
    }
    // There is room for all of them.
    for (OutputFile& file : files)
        HEADSCOPE_CHECK(file.publish());
    return std::move(drawn.front().record);
}

} // namespace headscope::viz
