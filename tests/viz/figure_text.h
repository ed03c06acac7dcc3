// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>

#include <filesystem>

namespace headscope::test
{

/// What is written in an SVG, and how large its page is, in points.
struct SvgWords
{
    QStringList words; ///< of the picture, not of its title and description
    QString about;     ///< its description
    double width = 0;
    double height = 0;

    [[nodiscard]] bool has(const QString& word) const { return words.contains(word); }
};

/// What the pages of a PDF are drawn by: its streams, unpacked.
[[nodiscard]] inline QByteArray pdfContents(const std::filesystem::path& path)
{
    QByteArray contents;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        return contents;
    const QByteArray bytes = file.readAll();
    for (qsizetype at = bytes.indexOf("stream\n"); at >= 0; at = bytes.indexOf("stream\n", at + 1))
    {
        const qsizetype end = bytes.indexOf("endstream", at + 7);
        if (at >= 3 && bytes.mid(at - 3, 3) == "end")
            continue;
        contents += qUncompress(QByteArray(4, '\0') + bytes.mid(at + 7, end - at - 7)); // a size that is not known
    }
    return contents;
}

[[nodiscard]] inline SvgWords wordsOfSvg(const std::filesystem::path& path)
{
    SvgWords found;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        return found;
    QXmlStreamReader reader(&file);
    while (!reader.atEnd())
    {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QStringLiteral("svg"))
        {
            const QStringList box = reader.attributes().value(QStringLiteral("viewBox")).toString().split(u' ');
            found.width = box.value(2).toDouble();
            found.height = box.value(3).toDouble();
        }
        else if (reader.name() == QStringLiteral("desc"))
        {
            found.about = reader.readElementText();
        }
        else if (reader.name() == QStringLiteral("text"))
        {
            found.words << reader.readElementText().trimmed();
        }
    }
    return found;
}

} // namespace headscope::test
