// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/labels_controller.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <filesystem>
#include <iterator>

namespace headscope::desktop
{

LabelsController::LabelsController(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    m_study.window().actions().add(
        {.id = QStringLiteral("actionLabelMap"),
         .text = tr("Merge labels…"),
         .tip = tr("Several labels become one, as a label map says (headscope similarity --merge)"),
         .place = {ui::MenuId::Analyse, 0},
         .act = [this] { askLabelMap(); },
         .enabled = [this] { return m_study.cache().has_value() && !m_study.labelColumn().empty(); }});
}

void LabelsController::askLabelMap()
{
    ui::MainWindow& window = m_study.window();
    window.dialogs().openFile(
        &window, tr("Merge labels by a label map"), window.settings().text(ui::SettingKey::LastFolder),
        tr("Label maps (*.json);;All files (*)"), [this](const QString& path) {
            m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
            applyLabelMap(path);
        });
}

void LabelsController::applyLabelMap(const QString& path)
{
    if (!m_study.cache() || m_study.opening())
        return;
    m_study.beginJob(QStringLiteral("labels"), tr("Merging labels"), m_runner);
    m_study.run<MergedOverview>(
        m_runner,
        [cache = *m_study.cache(), column = m_study.labelColumn(),
         file = std::filesystem::path(ui::toStdString(path))](JobContext&) { return mergeColumn(cache, column, file); },
        [this](Result<MergedOverview> made) {
            if (!made)
                return m_study.report(made.error());
            m_study.setLabels(*made);
            const auto count = std::ssize(made->overview->documents->label(made->name)->categories);
            m_study.window().showNotice(
                tr("Labels merged into %1.").arg(ui::countText(count, tr("topic"), tr("topics"))));
            Q_EMIT merged();
        });
}

} // namespace headscope::desktop
