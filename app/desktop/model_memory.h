// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <QString>

namespace headscope::ui
{
class Settings;
}

namespace headscope::desktop
{

/// Keeps where a model stands, so that texts can be embedded for the caches it made.
/// @param name  as caches name it; a model's own name is its file's without the ending, or its folder's
void rememberModel(ui::Settings& settings, const QString& name, const QString& path);
/// The same by its own name.
void rememberModel(ui::Settings& settings, const QString& path);

/// The file or folder of the model that made a cache: where it stood then, or where it was opened or chosen
/// since. "" where neither is there any more.
[[nodiscard]] QString knownModel(const ui::Settings& settings, const ModelInfo& model);

} // namespace headscope::desktop
