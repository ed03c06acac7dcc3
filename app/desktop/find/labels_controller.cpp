// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/labels_controller.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QJsonArray>

#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

namespace headscope::desktop
{

LabelsController::LabelsController(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    connect(&m_study, &Study::labelsChanged, this, &LabelsController::mergeNext);
    m_study.window().actions().add(
        {.id = QStringLiteral("actionLabelMap"),
         .text = tr("Merge labels…"),
         .tip = tr("Merge several labels into one, as defined by a label map (headscope similarity --merge)"),
         .place = {ui::MenuId::Analyse, 0},
         .act = [this] { askLabelMap(); },
         .enabled = [this] { return m_study.cache().has_value() && !m_study.labelColumn().empty(); }});
}

void LabelsController::askLabelMap()
{
    ui::MainWindow& window = m_study.window();
    window.dialogs().openFile(&window, tr("Open label map"), window.settings().text(ui::SettingKey::LastFolder),
                              tr("Label maps (*.json);;All files (*)"), [this](const QString& path) {
                                  m_study.window().settings().setText(ui::SettingKey::LastFolder,
                                                                      QFileInfo(path).absolutePath());
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

std::map<std::string, std::string> LabelsController::namesOf(const std::string& merged) const
{
    const OpenedCache& cache = *m_study.cache();
    const DocumentSet& documents = *cache.overview->documents;
    const LabelColumn* now = documents.label(merged);
    const LabelColumn* before = documents.label(cache.merged.at(merged).source);
    std::map<std::string, std::string> names;
    if (now == nullptr || before == nullptr)
        return names;
    std::vector<bool> seen(before->categories.size(), false);
    for (std::size_t i = 0; i < before->codes.size(); ++i)
    {
        const std::int32_t code = before->codes[i];
        if (code < 0 || seen[static_cast<std::size_t>(code)])
            continue;
        seen[static_cast<std::size_t>(code)] = true;
        const std::string& name = before->categories[static_cast<std::size_t>(code)];
        if (now->category(i) != name)
            names[name] = now->category(i);
    }
    return names;
}

void LabelsController::saveState(QJsonObject& state) const
{
    if (!m_study.cache())
        return;
    QJsonArray all;
    for (const auto& [name, column] : m_study.cache()->merged)
    {
        QJsonObject names;
        for (const auto& [before, after] : namesOf(name))
            names[ui::toQString(before)] = ui::toQString(after);
        all.append(QJsonObject{{QStringLiteral("column"), ui::toQString(column.source)},
                               {QStringLiteral("file"), ui::toQString(column.labelMap)},
                               {QStringLiteral("names"), names}});
    }
    if (!all.isEmpty())
        state[QStringLiteral("merged")] = all;
}

void LabelsController::restoreState(const QJsonObject& state)
{
    constexpr std::size_t kMost = 100;
    m_again.clear();
    for (const QJsonValue& value : state.value(QStringLiteral("merged")).toArray())
    {
        const QJsonObject each = value.toObject();
        Merged merged{ui::toStdString(each.value(QStringLiteral("column")).toString()),
                      each.value(QStringLiteral("file")).toString(),
                      {}};
        if (merged.column.empty())
            merged.column = m_study.labelColumn();
        const QJsonObject names = each.value(QStringLiteral("names")).toObject();
        for (auto name = names.begin(); name != names.end(); ++name)
            merged.names[ui::toStdString(name.key())] = ui::toStdString(name.value().toString());
        if (!merged.names.empty() && m_again.size() < kMost)
            m_again.push_back(std::move(merged));
    }
    const QJsonObject choice = state.value(QStringLiteral("choice")).toObject();
    m_labelWanted = ui::toStdString(choice.value(QStringLiteral("label")).toString());
    m_colorWanted = ui::toStdString(choice.value(QStringLiteral("color")).toString());
    mergeNext();
}

void LabelsController::mergeNext()
{
    // A column that is joined from a file is there later.
    if (m_again.empty() || m_runner.running() ||
        m_study.cache()->overview->documents->label(m_again.front().column) == nullptr)
        return;
    const Merged wanted = m_again.front();
    m_again.pop_front();
    m_study.run<MergedOverview>(
        m_runner,
        [cache = *m_study.cache(), wanted](JobContext&) { return mergeColumn(cache, wanted.column, wanted.names); },
        [this, wanted](Result<MergedOverview> made) {
            if (!made)
            {
                m_study.report(made.error());
                return mergeNext();
            }
            made->column.labelMap = ui::toStdString(wanted.file);
            m_study.setLabels(*made);
            const auto program = m_study.choices().byProgram();
            if (m_study.cache()->overview->documents->label(m_labelWanted) != nullptr)
                m_study.choices().setLabelColumn(m_labelWanted);
            m_study.choices().setColor(ui::ColorChoice::fromKey(m_colorWanted));
            Q_EMIT merged();
            mergeNext();
        });
}

} // namespace headscope::desktop
