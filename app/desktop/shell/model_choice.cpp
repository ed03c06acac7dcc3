// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/model_choice.h"

#include "app/desktop/shell/model_memory.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <utility>

namespace headscope::desktop
{

QString modelOfCache(const Study& study)
{
    return study.cache() ? knownModel(study.window().settings(), study.cache()->overview->model) : QString();
}

void askModelOfCache(Study& study, std::function<void(const QString& path)> then)
{
    if (!study.cache())
        return;
    ui::MainWindow& window = study.window();
    const auto name = [&study] { return ui::toQString(study.cache()->overview->model.name); };
    window.dialogs().openFile(&window, Study::tr("The model %1").arg(name()),
                              window.settings().text(ui::SettingKey::LastFolder),
                              Study::tr("Models (*.gguf *.safetensors *.json);;All files (*)"),
                              [&study, name, then = std::move(then)](const QString& path) {
                                  if (!study.cache())
                                      return;
                                  rememberModel(study.window().settings(), name(), path);
                                  then(path);
                              });
}

} // namespace headscope::desktop
