// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/embedded_recipe.h"

#include "model/base/file.h"
#include "viz/export/pdf_bytes.h"

#include <QByteArrayView>
#include <QString>
#include <QtEndian>

#include <iterator>
#include <optional>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr char kKeyword[] = "Headscope recipe"; // of the chunk
constexpr qsizetype kPngStart = 8;              // the signature
constexpr qsizetype kChunkFrame = 12;           // length, type, checksum
constexpr char kOpen[] = "<metadata id=\"headscope-recipe\">";
constexpr char kClose[] = "</metadata>";

/// The checksum of PNG chunks (ISO 3309).
quint32 crcOf(QByteArrayView bytes)
{
    quint32 crc = ~0U;
    for (const char byte : bytes)
    {
        crc ^= static_cast<quint8>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

QByteArray bigEndian(quint32 number)
{
    QByteArray bytes(static_cast<qsizetype>(sizeof number), 0);
    qToBigEndian(number, bytes.data());
    return bytes;
}

/// What stands before the text of our chunk: keyword, not compressed, no language, no translated keyword.
QByteArray chunkHead()
{
    return QByteArray("iTXt") + kKeyword + QByteArray(5, '\0');
}

void putIntoPng(QByteArray& png, const QByteArray& recipe)
{
    const QByteArray body = chunkHead() + recipe;
    const QByteArray chunk = bigEndian(static_cast<quint32>(body.size() - 4)) + body + bigEndian(crcOf(body));
    constexpr qsizetype kHeader = 13;
    png.insert(kPngStart + kChunkFrame + kHeader, chunk);
}

void putIntoSvg(QByteArray& svg, const QByteArray& recipe)
{
    const QByteArray behind("</desc>");
    const qsizetype place = svg.indexOf(behind);
    const QByteArray escaped = QString::fromLatin1(recipe).toHtmlEscaped().toLatin1();
    if (place >= 0)
        svg.insert(place + behind.size(), "\n" + QByteArray(kOpen) + escaped + kClose);
}

Error noRecipe()
{
    return {ErrorCode::InvalidArgument,
            "this figure contains no recipe; another program may have made it or saved it again (the .json file next "
            "to the figure is a recipe, too)",
            {},
            {}};
}

Error damaged()
{
    return {ErrorCode::BadFormat, "the recipe in this figure is damaged, or another program compressed it", {}, {}};
}

Result<std::string> ofPng(const QByteArray& png)
{
    const QByteArray head = chunkHead();
    for (qsizetype at = kPngStart; at + kChunkFrame <= png.size();)
    {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
        if (length > png.size() - at - kChunkFrame)
            return damaged();
        const QByteArrayView body(png.constData() + at + 4, length + 4);
        if (body.startsWith(head))
        {
            if (qFromBigEndian<quint32>(body.data() + body.size()) != crcOf(body))
                return damaged();
            return body.sliced(head.size()).toByteArray().toStdString();
        }
        at += length + kChunkFrame;
    }
    return noRecipe();
}

Result<std::string> ofSvg(const QByteArray& svg)
{
    const qsizetype begin = svg.indexOf(kOpen);
    if (begin < 0)
        return noRecipe();
    const qsizetype text = begin + static_cast<qsizetype>(sizeof kOpen) - 1;
    const qsizetype end = svg.indexOf(kClose, text);
    if (end < 0 || end - text > 6 * kMaxRecipeBytes)
        return damaged();
    QByteArray recipe = svg.sliced(text, end - text);
    recipe.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    return recipe.toStdString();
}

Result<std::string> ofPdf(const QByteArray& pdf)
{
    const PdfRecipe recipe = recipeInPdf(pdf);
    if (!recipe.isThere)
        return noRecipe();
    return recipe.bytes ? Result<std::string>(recipe.bytes->toByteArray().toStdString()) : damaged();
}

} // namespace

void embedRecipe(QByteArray& figure, FigureFormat format, const std::string& recipe)
{
    if (recipe.empty())
        return;
    if (format == FigureFormat::Png)
        putIntoPng(figure, QByteArray::fromStdString(recipe));
    else if (format == FigureFormat::Svg)
        putIntoSvg(figure, QByteArray::fromStdString(recipe));
}

Result<std::string> recipeOf(const QByteArray& figure, FigureFormat format)
{
    auto recipe = format == FigureFormat::Png   ? ofPng(figure)
                  : format == FigureFormat::Pdf ? ofPdf(figure)
                                                : ofSvg(figure);
    if (recipe && std::ssize(*recipe) > kMaxRecipeBytes)
        return damaged();
    return recipe;
}

Result<std::string> recipeTextOf(const std::filesystem::path& file)
{
    constexpr std::uint64_t kMaxFigure = std::uint64_t{1} << 28;
    const auto format = figureFormat(file);
    HEADSCOPE_TRY(const std::string bytes, readTextFile(file, format ? kMaxFigure : kMaxRecipeBytes));
    if (!format)
        return bytes;
    auto text = recipeOf(QByteArray::fromRawData(bytes.data(), std::ssize(bytes)), *format);
    return text ? std::move(text) : std::move(text).error().inFile(file.string());
}

std::int64_t rasterBytes(const QByteArray& figure, FigureFormat format)
{
    if (format == FigureFormat::Png)
        return figure.size();
    const bool pdf = format == FigureFormat::Pdf;
    const QByteArray mark(pdf ? "/Subtype /Image" : "\"data:image/");
    const QByteArray open(pdf ? "stream\n" : ",");
    const QByteArray close(pdf ? "\nendstream" : "\"");
    std::int64_t bytes = 0;
    for (qsizetype at = figure.indexOf(mark); at >= 0; at = figure.indexOf(mark, at))
    {
        const qsizetype begin = figure.indexOf(open, at + mark.size());
        const qsizetype end = begin < 0 ? -1 : figure.indexOf(close, begin);
        if (end < 0)
            break;
        bytes += end - begin - open.size();
        at = end;
    }
    return bytes;
}

} // namespace headscope::viz
