// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/join_controller.h"

#include "app/desktop/find/join_labels.h"
#include "model/base/hash.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/join_dialog.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QFileInfo>
#include <QJsonArray>
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
         .text = tr("Add labels from file…"),
         .tip = tr("Add labels and numbers from a CSV or JSONL file to the documents, matched by id"),
         .place = {ui::MenuId::Analyse, 10},
         .act = [this] { askFile(); },
         .enabled = [this] { return m_study.cache().has_value(); }});
}

void JoinController::askFile()
{
    ui::Settings& settings = m_study.window().settings();
    m_study.window().dialogs().openFile(
        &m_study.window(), tr("Add labels from file"), settings.text(ui::SettingKey::LastFolder),
        tr("Tables (*.csv *.tsv *.jsonl *.ndjson *.json *.gz *.zst);;All files (*)"),
        [this, &settings](const QString& path) {
            settings.setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
            ask(path);
        });
}

void JoinController::leave()
{
    m_table.reset();
    m_joined.clear();
    m_again.clear();
    if (m_dialog != nullptr)
        m_dialog->reject();
}

void JoinController::ask(const QString& path)
{
    if (!m_study.cache())
        return m_study.window().showNotice(tr("Open a cache first. Labels are added to its documents."));
    m_study.beginJob(QStringLiteral("join"), tr("Reading %1").arg(QFileInfo(path).fileName()), m_runner);
    m_study.run<Read>(
        m_runner,
        [file = std::filesystem::path(ui::toStdString(path))](JobContext& job) { return readFile(file, job); },
        [this, path](Result<Read> read) {
            if (!read)
                return m_study.report(read.error());
            m_table = std::move(read->table);
            m_file = QFileInfo(path).absoluteFilePath();
            m_hash = read->hash;
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
            take(std::move(*overview), chosen, {m_file, m_hash, join->idColumn, columns});
            m_study.window().showNotice(
                tr("Added %1.").arg(ui::countText(std::ssize(columns), tr("column"), tr("columns"))));
            m_table.reset();
        });
}

void JoinController::take(std::shared_ptr<const ui::CacheOverview> overview, const std::string& chosen, Joined joined)
{
    m_study.setOverview(std::move(overview), chosen);
    m_joined.push_back(std::move(joined));
    Q_EMIT this->joined();
}

Result<JoinController::Read> JoinController::readFile(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(auto table, readLabelTable(path, job));
    HEADSCOPE_TRY(const std::string hash, sha256OfFile(path, job));
    return Read{std::move(table), ui::toQString(hash)};
}

void JoinController::saveState(QJsonObject& state) const
{
    QJsonArray all;
    for (const Joined& each : m_joined)
    {
        QJsonArray columns;
        for (const std::string& column : each.columns)
            columns.append(ui::toQString(column));
        all.append(QJsonObject{{QStringLiteral("file"), each.file},
                               {QStringLiteral("sha256"), each.hash},
                               {QStringLiteral("id"), ui::toQString(each.idColumn)},
                               {QStringLiteral("columns"), columns}});
    }
    if (!all.isEmpty())
        state[QStringLiteral("joined")] = all;
}

void JoinController::restoreState(const QJsonObject& state)
{
    constexpr std::size_t kMaxFiles = 100;
    m_again.clear();
    for (const QJsonValue& value : state.value(QStringLiteral("joined")).toArray())
    {
        const QJsonObject each = value.toObject();
        Joined wanted{each.value(QStringLiteral("file")).toString(),
                      each.value(QStringLiteral("sha256")).toString(),
                      ui::toStdString(each.value(QStringLiteral("id")).toString()),
                      {}};
        for (const QJsonValue& column : each.value(QStringLiteral("columns")).toArray())
            wanted.columns.push_back(ui::toStdString(column.toString()));
        if (!wanted.file.isEmpty() && !wanted.columns.empty() && m_again.size() < kMaxFiles)
            m_again.push_back(std::move(wanted));
    }
    const QJsonObject choice = state.value(QStringLiteral("choice")).toObject();
    m_labelWanted = ui::toStdString(choice.value(QStringLiteral("label")).toString());
    m_colorWanted = ui::toStdString(choice.value(QStringLiteral("color")).toString());
    joinNext();
}

void JoinController::joinNext()
{
    if (m_again.empty())
        return;
    const Joined wanted = m_again.front();
    m_again.pop_front();
    if (!QFileInfo(wanted.file).isFile())
        return askWhere(wanted, tr("%1 was not found.").arg(wanted.file), nullptr);
    m_study.run<Read>(
        m_runner,
        [file = std::filesystem::path(ui::toStdString(wanted.file))](JobContext& job) { return readFile(file, job); },
        [this, wanted](Result<Read> read) {
            if (!read)
                return askWhere(wanted, ui::errorText(read.error()), nullptr);
            if (!wanted.hash.isEmpty() && wanted.hash != read->hash)
                return askWhere({wanted.file, read->hash, wanted.idColumn, wanted.columns},
                                tr("%1 has changed since this project was saved.").arg(wanted.file), read->table);
            joinAgain({wanted.file, read->hash, wanted.idColumn, wanted.columns}, read->table);
        });
}

void JoinController::askWhere(const Joined& wanted, const QString& why, const std::shared_ptr<const LabelTable>& table)
{
    ui::MainWindow& window = m_study.window();
    QStringList answers = {tr("Skip these labels"), tr("Locate file…")};
    if (table != nullptr)
        answers << tr("Use the changed file");
    window.dialogs().ask(
        &window,
        {tr("Labels from a file"), tr("%1\n\nSome labels of this project come from this file.").arg(why), answers},
        [this, wanted, table, of = m_study.origin()](int answer) {
            if (of != m_study.origin())
                return;
            if (answer == 2)
                return joinAgain(wanted, table);
            if (answer != 1)
                return joinNext();
            m_study.window().dialogs().openFile(&m_study.window(), tr("Locate the file"),
                                                QFileInfo(wanted.file).absolutePath(),
                                                tr("Tables (*.csv *.tsv *.jsonl *.ndjson *.json *.gz *.zst);;"
                                                   "All files (*)"),
                                                [this, wanted](const QString& path) {
                                                    Joined there = wanted;
                                                    there.file = QFileInfo(path).absoluteFilePath();
                                                    m_again.push_front(std::move(there));
                                                    joinNext();
                                                });
        });
}

void JoinController::joinAgain(const Joined& wanted, const std::shared_ptr<const LabelTable>& table)
{
    using Overview = std::shared_ptr<const ui::CacheOverview>;
    m_study.run<Overview>(
        m_runner,
        [overview = m_study.cache()->overview, table, wanted](JobContext&) -> Result<Overview> {
            const LabelJoin join = joinLabels(*overview->documents, *table, wanted.idColumn);
            std::vector<std::string> there;
            for (const JoinedColumn& column : join.columns)
                if (std::ranges::find(wanted.columns, column.name) != wanted.columns.end())
                    there.push_back(column.name);
            return joinedOverview(*overview, join, there);
        },
        [this, wanted](Result<Overview> overview) {
            if (!overview)
                return m_study.report(overview.error());
            const bool isLabel = (*overview)->documents->label(m_labelWanted) != nullptr;
            take(std::move(*overview), isLabel ? m_labelWanted : m_study.labelColumn(), wanted);
            const auto program = m_study.choices().byProgram();
            m_study.choices().setColor(ui::ColorChoice::fromKey(m_colorWanted));
            joinNext();
        });
}

} // namespace headscope::desktop
