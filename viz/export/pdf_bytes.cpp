// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pdf_bytes.h"

#include "viz/export/embedded_recipe.h"

#include <QDateTime>
#include <QtGlobal>

namespace headscope::viz
{
namespace
{

/// When the figure says it was made: as SOURCE_DATE_EPOCH asks for, else the same of all figures. A true date would
/// make every run another file.
QByteArray creationDate()
{
    bool given = false;
    const qint64 seconds = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&given);
    const QDateTime date = given ? QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC) : QDateTime();
    return date.isValid() ? date.toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1() + 'Z'
                          : QByteArray("20000101000000Z");
}

/// Corrects the table of places at the end of a PDF after everything behind `behind` has moved.
void movePlaces(QByteArray& pdf, qint64 behind, qint64 by)
{
    constexpr qsizetype kDigits = 10;
    const QByteArray mark("startxref\n");
    const QByteArray inUse(" 00000 n");
    const qsizetype start = pdf.lastIndexOf(mark) + mark.size();
    const qsizetype end = pdf.indexOf('\n', start);
    const qint64 table = pdf.mid(start, end - start).toLongLong() + by;
    pdf.replace(start, end - start, QByteArray::number(table));
    for (qsizetype line = pdf.indexOf(inUse, table); line >= 0; line = pdf.indexOf(inUse, line + 1))
    {
        const qint64 place = pdf.mid(line - kDigits, kDigits).toLongLong();
        if (place >= behind)
            pdf.replace(line - kDigits, kDigits, QByteArray::number(place + by).rightJustified(kDigits, '0'));
    }
}

/// The digits at a place.
QByteArray numberAt(const QByteArray& pdf, qsizetype begin)
{
    constexpr qsizetype kMaxDigits = 10;
    qsizetype end = begin;
    while (end < pdf.size() && end - begin < kMaxDigits && pdf[end] >= '0' && pdf[end] <= '9')
        ++end;
    return pdf.mid(begin, end - begin);
}

/// Where the contents of an object begin; -1: there is none of this number.
qsizetype objectAt(const QByteArray& pdf, const QByteArray& number)
{
    const QByteArray open = "\n" + number + " 0 obj\n";
    const qsizetype object = number.isEmpty() ? -1 : pdf.indexOf(open);
    return object < 0 ? -1 : object + open.size();
}

/// Where the object with the recipe's bytes begins.
struct RecipeObject
{
    bool isNamed = false;
    qsizetype begin = -1;
};

RecipeObject recipeObject(const QByteArray& pdf)
{
    const QByteArray named = "/F (" + QByteArray(kRecipeFile) + ")\n/EF <</F ";
    const qsizetype place = pdf.lastIndexOf(named);
    if (place < 0)
        return {};
    return {true, objectAt(pdf, numberAt(pdf, place + named.size()))};
}

/// Puts bytes into the place of others and corrects the table of places.
void exchange(QByteArray& pdf, qsizetype begin, qsizetype end, const QByteArray& bytes)
{
    pdf.replace(begin, end - begin, bytes);
    movePlaces(pdf, end, bytes.size() - (end - begin));
}

} // namespace

void fixPdfDate(QByteArray& pdf)
{
    const QByteArray key("/CreationDate (D:");
    const qsizetype begin = pdf.indexOf(key) + key.size();
    const qsizetype end = pdf.indexOf(')', begin);
    if (begin < key.size() || end < 0)
        return;
    const QByteArray date = creationDate();
    pdf.replace(begin, end - begin, date);
    movePlaces(pdf, end, date.size() - (end - begin)); // also by 0: Qt writes the place of the table with a blank
}

void unpackRecipe(QByteArray& pdf)
{
    const QByteArray packed("<<\n/Filter /FlateDecode\n/Length ");
    const qsizetype begin = recipeObject(pdf).begin;
    if (begin < 0 || pdf.mid(begin, packed.size()) != packed)
        return;
    const QByteArray length = numberAt(pdf, begin + packed.size());
    const qsizetype open = pdf.indexOf("stream\n", begin);
    const qsizetype end = open < 0 ? -1 : pdf.indexOf("\nendstream", open);
    if (end < 0)
        return;
    constexpr qsizetype kWord = 7; // "stream\n"
    const QByteArray stream = pdf.sliced(open + kWord, end - open - kWord);
    // Before the stream qUncompress expects a guess of the length; it is Qt's own stream.
    const QByteArray plain = qUncompress(QByteArray(4, '\0') + stream);
    if (plain.isEmpty())
        return;
    const QByteArray whole = "<<\n/Length " + length + " 0 R\n>>\nstream\n" + plain;
    exchange(pdf, begin, end, whole);
    const qsizetype number = objectAt(pdf, length);
    if (number >= 0)
        exchange(pdf, number, number + numberAt(pdf, number).size(), QByteArray::number(plain.size()));
}

PdfRecipe recipeInPdf(const QByteArray& pdf)
{
    const RecipeObject object = recipeObject(pdf);
    PdfRecipe recipe;
    recipe.isThere = object.isNamed;
    if (object.begin < 0)
        return recipe;
    const QByteArray mark("\n>>\nstream\n");
    const qsizetype begin = pdf.indexOf(mark, object.begin);
    const qsizetype close = pdf.indexOf("endobj", object.begin);
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf("\nendstream", begin + mark.size() - 1);
    if (end < 0 || close < begin || !pdf.mid(begin + mark.size(), 1).startsWith('{'))
        return recipe;
    recipe.bytes = QByteArrayView(pdf).sliced(begin + mark.size(), end - begin - mark.size());
    return recipe;
}

} // namespace headscope::viz
