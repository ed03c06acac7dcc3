// SPDX-License-Identifier: GPL-3.0-or-later
// What the retrieval tab gives out: the table, the picture, the line of the shell.
#include "app/commands/command_line.h"
#include "app/commands/retrieve_command.h"
#include "app/desktop/retrieval/retrieval_controller.h"
#include "app/desktop/shell/command_line.h"
#include "app/desktop/shell/view_files.h"
#include "app/desktop/shell/view_parts.h"
#include "app/results/result_table.h"
#include "model/data/head_ranges.h"
#include "ui/views/retrieval/head_mixer.h"
#include "ui/views/retrieval/retrieval_view.h"
#include "ui/words/wording.h"

namespace headscope::desktop
{
namespace
{

/// Both rankings as a table: as `headscope retrieve -o` writes one.
results::ResultTable tableOf(const RetrievalComparison& comparison, const DocumentSet& documents)
{
    results::ResultTable table({"query", "strategy", "rank", "document", "id", "votes", "heads", "who"});
    for (const RankedDocuments* ranked : {&comparison.first, &comparison.second})
    {
        std::int64_t rank = 0;
        for (const RetrievedDocument& result : ranked->results)
        {
            std::vector<std::int64_t> voters;
            for (const HeadVote& vote : result.byHead)
                voters.push_back(vote.head);
            table.add({comparison.query, std::string(votingName(ranked->strategy)), rank++, result.document,
                       documents.ids[static_cast<std::size_t>(result.document)], result.votes,
                       static_cast<std::int64_t>(voters.size()), formatHeadRanges(voters)});
        }
    }
    return table;
}

} // namespace

QString RetrievalController::commandLine() const
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr || !m_study.cache())
        return {};
    commands::CommandLine<commands::RetrieveCommand> command;
    commands::RetrieveCommand& typed = command.command;
    typed.input.cache = m_study.cache()->overview->path;
    typed.input.layer = std::to_string(m_study.layer().value());
    typed.input.stage = stageName(m_study.stage());
    typed.input.heads = chosenHeads(m_study);
    if (comparison->document)
        typed.queryDocument = comparison->query;
    else
    {
        typed.query = comparison->query;
        typed.model =
            modelOfTexts().isEmpty() ? m_study.cache()->overview->model.name : ui::toStdString(modelOfTexts());
    }
    typed.strategy = votingName(comparison->first.strategy);
    typed.top = m_view->top();
    typed.relevant = ui::toStdString(m_study.relevantFile());
    QString line = ui::toQString(command.text());
    if (!m_view->mixer()->isPlain())
    {
        QStringList factors;
        for (const double factor : m_view->mixer()->factors())
            factors << QString::number(factor, 'g', 4);
        line += QStringLiteral(" --weights <(echo '[%1]')").arg(factors.join(u','));
    }
    return line;
}

void RetrievalController::save(const QString& path)
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr)
        return m_study.window().showNotice(tr("There are no results to save yet."));
    savePartsView(
        m_save, path, retrievalParts(*m_view, m_study.cache()->overview->model), figureOptions(m_study), commandLine(),
        [comparison, documents = m_study.cache()->overview->documents] { return tableOf(*comparison, *documents); });
}

void RetrievalController::copy()
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr)
        return m_study.window().showNotice(tr("There is nothing to copy yet."));
    copyView(m_study.window(), tableOf(*comparison, *m_study.cache()->overview->documents), m_view->grab().toImage());
}

} // namespace headscope::desktop
