// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/labels_controller.h"

#include "ui/wording.h"

#include <filesystem>
#include <iterator>

namespace headscope::desktop
{

LabelsController::LabelsController(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    connect(&m_study.window(), &ui::MainWindow::labelMapRequested, this, &LabelsController::applyLabelMap);
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
