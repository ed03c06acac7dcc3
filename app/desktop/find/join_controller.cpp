// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/join_controller.h"

#include "app/desktop/find/join_labels.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/join_dialog.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{

JoinController::JoinController(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    m_study.window().actions().add(
        {.id = QStringLiteral("actionJoinLabels"),
         .text = tr("Join labels…"),
         .tip = tr("Take labels and numbers of the documents out of a CSV or JSONL file, by their ids"),
         .place = {ui::MenuId::Analyse, 10},
         .act = [this] { askFile(); },
         .enabled = [this] { return m_study.cache().has_value(); }});
}

void JoinController::askFile()
{
    ui::Settings& settings = m_study.window().settings();
    m_study.window().dialogs().openFile(&m_study.window(), tr("Join labels"), settings.text(ui::SettingKey::LastFolder),
                                        tr("Tables (*.csv *.tsv *.jsonl *.ndjson *.json *.gz *.zst);;All files (*)"),
                                        [this, &settings](const QString& path) {
                                            settings.setText(ui::SettingKey::LastFolder,
                                                             QFileInfo(path).absolutePath());
                                            ask(path);
                                        });
}

void JoinController::leave()
{
    m_table.reset();
    if (m_dialog != nullptr)
        m_dialog->reject();
}

void JoinController::ask(const QString& path)
{
    if (!m_study.cache())
        return m_study.window().showNotice(tr("Open a cache first: labels are joined to its documents."));
    m_study.beginJob(QStringLiteral("join"), tr("Reading %1").arg(QFileInfo(path).fileName()), m_runner);
    m_study.run<std::shared_ptr<const LabelTable>>(
        m_runner,
        [file = std::filesystem::path(ui::toStdString(path))](JobContext& job) { return readLabelTable(file, job); },
        [this](Result<std::shared_ptr<const LabelTable>> table) {
            if (!table)
                return m_study.report(table.error());
            m_table = std::move(*table);
            show({});
        });
}

ui::JoinDialog* JoinController::dialog() const
{
    return m_dialog;
}

void JoinController::show(const std::optional<std::string>& idColumn)
{
    m_study.run<std::shared_ptr<const LabelJoin>>(
        m_runner,
        [documents = m_study.cache()->overview->documents, table = m_table,
         idColumn](JobContext&) -> Result<std::shared_ptr<const LabelJoin>> {
            return std::make_shared<const LabelJoin>(joinLabels(*documents, *table, idColumn));
        },
        [this](Result<std::shared_ptr<const LabelJoin>> join) {
            if (!join)
                return m_study.report(join.error());
            if (m_dialog == nullptr)
            {
                m_dialog = new ui::JoinDialog(&m_study.window());
                m_dialog->setAttribute(Qt::WA_DeleteOnClose);
                connect(m_dialog, &ui::JoinDialog::idColumnChosen, this,
                        [this](const QString& column) { show(ui::toStdString(column)); });
                connect(m_dialog, &ui::JoinDialog::applyRequested, this, &JoinController::apply);
            }
            m_dialog->setJoin(std::move(*join));
            m_dialog->open();
        });
}

void JoinController::apply(const std::vector<std::string>& columns)
{
    const std::shared_ptr<const LabelJoin> join = m_dialog->join();
    m_study.run<std::shared_ptr<const ui::CacheOverview>>(
        m_runner,
        [overview = m_study.cache()->overview, join, columns](JobContext&)
            -> Result<std::shared_ptr<const ui::CacheOverview>> { return joinedOverview(*overview, *join, columns); },
        [this, join, columns](Result<std::shared_ptr<const ui::CacheOverview>> overview) {
            if (!overview)
                return m_study.report(overview.error());
            // The first joined label is what the user came for; numbers leave the choice as it is.
            std::string chosen = m_study.labelColumn();
            for (const JoinedColumn& column : join->columns)
            {
                if (column.isNumber || std::ranges::find(columns, column.name) == columns.end())
                    continue;
                chosen = column.name;
                break;
            }
            m_study.setOverview(std::move(*overview), chosen);
            m_study.window().showNotice(
                tr("Joined %1.").arg(ui::countText(std::ssize(columns), tr("column"), tr("columns"))));
            m_table.reset();
            Q_EMIT joined();
        });
}

} // namespace headscope::desktop
