// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/model_memory.h"

#include "ui/settings/settings.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/wording.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>

namespace headscope::desktop
{
namespace
{

constexpr qsizetype kMaxModels = 30;
constexpr qsizetype kMaxRecent = 8;

} // namespace

void rememberModel(ui::Settings& settings, const QString& name, const QString& path)
{
    QStringList models = settings.list(ui::SettingKey::KnownModels);
    models.removeIf([&name](const QString& entry) { return entry.section(u'\t', 0, 0) == name; });
    models.prepend(name + u'\t' + QFileInfo(path).absoluteFilePath());
    settings.setList(ui::SettingKey::KnownModels, models.mid(0, kMaxModels));
}

void rememberModel(ui::Settings& settings, const QString& path)
{
    const QFileInfo file(path);
    rememberModel(settings, file.isDir() ? file.fileName() : file.completeBaseName(), path);
}

QString knownModel(const ui::Settings& settings, const ModelInfo& model)
{
    const QString name = ui::toQString(model.name);
    const QStringList models = settings.list(ui::SettingKey::KnownModels);
    for (const QString& entry : models)
        if (const QString path = entry.section(u'\t', 1); entry.section(u'\t', 0, 0) == name && QFileInfo::exists(path))
            return path;
    const QString recorded = ui::toQString(model.path);
    return !recorded.isEmpty() && QFileInfo(recorded).isAbsolute() && QFileInfo::exists(recorded) ? recorded
                                                                                                  : QString();
}

QList<ModelPlace> recentModels(const ui::Settings& settings)
{
    QList<ModelPlace> models;
    const QStringList entries = settings.list(ui::SettingKey::KnownModels);
    for (const QString& entry : entries)
        if (const QString path = entry.section(u'\t', 1); models.size() < kMaxRecent && QFileInfo::exists(path))
            models.append({entry.section(u'\t', 0, 0), path});
    return models;
}

QString downloadFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/headscope/models");
}

QList<ModelPlace> modelsIn(const QString& folder)
{
    QList<ModelPlace> models;
    const QFileInfoList entries =
        QDir(folder).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QFileInfo& entry : entries)
        if (ui::fileKind(entry.absoluteFilePath()) == ui::FileKind::Model)
            models.append({entry.isDir() ? entry.fileName() : entry.completeBaseName(), entry.absoluteFilePath()});
    return models;
}

} // namespace headscope::desktop
