// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/opened_file_kind.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::array<std::pair<const char*, FileKind>, 17> kEndings{{
    {".h5", FileKind::Cache},
    {".hdf5", FileKind::Cache},
    {".headscope", FileKind::Work},
    {".pdf", FileKind::Figure},
    {".svg", FileKind::Figure},
    {".png", FileKind::Figure},
    {".gguf", FileKind::Model},
    {".safetensors", FileKind::Model},
    {".safetensors.index.json", FileKind::Model},
    {"/config.json", FileKind::Model},
    {".jsonl", FileKind::Texts},
    {".json", FileKind::Texts},
    {".csv", FileKind::Texts},
    {".tsv", FileKind::Texts},
    {".txt", FileKind::Texts},
    {".ndjson", FileKind::Texts},
    {".parquet", FileKind::Texts},
}};

} // namespace

FileKind fileKind(const QString& path)
{
    const QFileInfo info(path);
    if (info.isDir())
    {
        if (QFileInfo::exists(QDir(path).filePath(QStringLiteral("config.json"))))
            return FileKind::Model;
        return QDir(path).isEmpty() ? FileKind::Unknown : FileKind::Texts;
    }
    QString name = path.toLower();
    for (const auto& packing : {QStringLiteral(".gz"), QStringLiteral(".zst")})
        if (name.endsWith(packing))
            name.chop(packing.size());
    for (const auto& [ending, kind] : kEndings)
        if (name.endsWith(QLatin1StringView(ending)))
            return kind;
    return FileKind::Unknown;
}

QString unknownFileReason(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    const auto tr = [](const char* text) { return QCoreApplication::translate("file_kind", text); };
    if (QFileInfo(path).isDir())
        return tr("%1: the folder is empty").arg(name);
    return tr("%1: expected a cache (.h5), a project (.headscope), a figure (.pdf, .svg, .png), a model (.gguf, "
              ".safetensors or its folder) or texts (.jsonl, .csv, .txt …), found something else")
        .arg(name);
}

} // namespace headscope::ui
