// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/schema_controller.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/dialogs/schema_dialog.h"
#include "ui/panels/data/data_panel.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"
#include "viz/export/schema_figure.h"

#include <QDir>

namespace headscope::desktop
{

SchemaController::SchemaController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    m_study.window().actions().add({.id = QStringLiteral("actionLayerSchema"),
                                    .text = tr("Show stages…"),
                                    .tip = tr("Show where stages 1, 2 and 3 are measured in a layer of the model"),
                                    .place = {ui::MenuId::Help, 5},
                                    .act = [this] { show(); }});
    connect(&m_study.window().dataPanel(), &ui::DataPanel::schemaAsked, this, &SchemaController::show);
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
}

void SchemaController::show()
{
    ui::MainWindow& window = m_study.window();
    if (!m_study.cache())
        return window.showNotice(tr("Open a cache first. The diagram shows the sizes of its model."));
    auto* dialog =
        new ui::SchemaDialog(viz::layerSchema(m_study.cache()->overview->model, m_study.layer().value()), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::SchemaDialog::saveRequested, this, &SchemaController::save);
    dialog->open();
}

void SchemaController::save()
{
    ui::MainWindow& window = m_study.window();
    const QString start = QDir(window.settings().text(ui::SettingKey::LastFolder)).filePath(tr("layer.pdf"));
    window.dialogs().saveFile(
        &window, tr("Save diagram"), start, pictureFilters().join(QStringLiteral(";;")), [this](const QString& path) {
            ui::withEnding(m_study.window().dialogs(), &m_study.window(), path, QStringLiteral("pdf"),
                           [this](const QString& file) {
                               if (!m_study.cache())
                                   return;
                               m_save.start(file,
                                            viz::figureOfSchema(viz::layerSchema(m_study.cache()->overview->model,
                                                                                 m_study.layer().value())),
                                            figureOptions(figureSize(m_study)));
                           });
        });
}

} // namespace headscope::desktop
