// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <QList>
#include <QString>

namespace headscope::ui
{
class Settings;
}

namespace headscope::desktop
{

/// Remembers the path of a model, so that texts can be embedded for the caches it made.
/// @param name  as caches name it; a model's own name is its file's without the ending, or its folder's
void rememberModel(ui::Settings& settings, const QString& name, const QString& path);
/// The same by its own name.
void rememberModel(ui::Settings& settings, const QString& path);

/// The file or folder of the model that made a cache: where it was then, or where it was opened or chosen
/// since. "" where neither is there any more.
[[nodiscard]] QString knownModel(const ui::Settings& settings, const ModelInfo& model);

/// A model by its name, and where it is.
struct ModelPlace
{
    QString name;
    QString path;
};

/// The models that were used last and are still there, the newest first.
[[nodiscard]] QList<ModelPlace> recentModels(const ui::Settings& settings);

/// Where packaging/fetch_model.sh puts the models it fetches.
[[nodiscard]] QString downloadFolder();
/// The models that lie in a folder: model folders, and files of models.
[[nodiscard]] QList<ModelPlace> modelsIn(const QString& folder);

} // namespace headscope::desktop
