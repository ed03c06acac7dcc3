// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/model_memory.h"

#include "ui/settings/settings.h"
#include "ui/wording.h"

#include <QFileInfo>
#include <QStringList>

namespace headscope::desktop
{
namespace
{

constexpr qsizetype kMostModels = 30;

} // namespace

void rememberModel(ui::Settings& settings, const QString& name, const QString& path)
{
    QStringList models = settings.list(ui::SettingKey::KnownModels);
    models.removeIf([&name](const QString& entry) { return entry.section(u'\t', 0, 0) == name; });
    models.prepend(name + u'\t' + QFileInfo(path).absoluteFilePath());
    settings.setList(ui::SettingKey::KnownModels, models.mid(0, kMostModels));
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

} // namespace headscope::desktop
