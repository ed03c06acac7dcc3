// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine is asked, and what comes of it.
#include "app/cli/retrieval_input.h"
#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/model_choice.h"
#include "app/results/as_cache.h"
#include "app/views/attention/attention_change.h"
#include "app/views/attention/attention_controller.h"
#include "app/views/attention/attention_view.h"
#include "model/data/head_ranges.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

/// An answer to a question.
struct AttentionController::Asked
{
    AttentionRunPtr run;
    std::optional<AttentionChange> change; ///< against the run without heads off
};

/// What was fetched beside a run.
struct AttentionController::Found
{
    std::vector<HeadWeights> weights;
    std::shared_ptr<const LayerVectors> vectors;
};

namespace
{

std::vector<std::int64_t> indicesOf(const std::vector<HeadIndex>& heads)
{
    std::vector<std::int64_t> indices;
    for (const HeadIndex head : heads)
        indices.push_back(head.value());
    std::ranges::sort(indices);
    return indices;
}

} // namespace

void AttentionController::chooseModel()
{
    askModelOfCache(m_study, [this](const QString&) {
        refreshAsking();
        showEmpty();
        // Whoever has written a text waits for this alone.
        if (const QString text = m_view->text().trimmed(); !text.isEmpty())
            askText(text);
    });
}

AttentionQuestion AttentionController::questionOf(const QString& text) const
{
    AttentionQuestion question;
    question.line.command.model = ui::toStdString(modelOfCache(m_study));
    question.line.command.text = ui::toStdString(text);
    const CacheHeader& header = m_study.cache()->reader->info().header;
    encodeAsCache(header, question.line.command);
    question.line.command.prompt = header.prompt; // as the vectors of the cache were made
    question.line.command.ablation = changesAsCache(header.model);
    question.line.common.threads = m_study.threads();
    return question;
}

void AttentionController::askText(const QString& text)
{
    if (!m_study.cache() || text.trimmed().isEmpty())
        return;
    m_kept.reset();
    if (modelOfCache(m_study).isEmpty())
    {
        m_view->setText(text);
        return refreshAsking();
    }
    if (const QString why = whyNoModel(); !why.isEmpty())
        return m_view->setProblem(why);
    keepOff();
    ask(questionOf(text));
}

void AttentionController::keepOff()
{
    m_offAgain = m_off ? std::optional(std::pair(m_off->layer, m_off->heads)) : std::nullopt;
}

QString AttentionController::whyNoModel() const
{
    const ModelInfo& model = m_study.cache()->overview->model;
    if (model.changes.ablation != "mean")
        return {};
    return tr("The model of this cache was changed: %1. The cache does not store the means, so its attention cannot be "
              "computed. Open a cache that was extracted without --ablation mean.")
        .arg(ui::toQString(model.changes.words(model.kvHeads)));
}

QString AttentionController::whyNoDocument() const
{
    if (!m_study.cache())
        return tr("No cache is open");
    return m_study.cache()->overview->documents->texts.empty() ? tr("This cache was made without texts") : QString();
}

void AttentionController::askDocument(DocumentIndex document)
{
    bringForward();
    if (const QString why = whyNoDocument(); !why.isEmpty())
        return m_view->setProblem(why + u'.');
    m_kept.reset();
    const DocumentSet& documents = *m_study.cache()->overview->documents;
    const QString text = ui::toQString(documents.texts[document.index()]);
    if (text.isEmpty())
    {
        forget(); // what is shown is of another text
        m_view->setText({});
        showEmpty();
        return m_view->setProblem(tr("This document is empty: there is no attention."));
    }
    m_view->setText(text);
    if (modelOfCache(m_study).isEmpty())
    {
        refreshAsking();
        const QString& name = ui::toQString(m_study.cache()->overview->model.name);
        return m_view->setProblem(
            tr("To compute the attention of this document, open the model of this cache (%1).").arg(name));
    }
    if (const QString why = whyNoModel(); !why.isEmpty())
        return m_view->setProblem(why);
    AttentionQuestion question = questionOf(text);
    question.document = document;
    question.documentOrigin = m_study.origin();
    keepOff();
    ask(std::move(question));
}

void AttentionController::ask(AttentionQuestion question, const std::optional<Off>& off)
{
    m_moreRunner.cancel();
    m_wants.clear();
    m_view->setProblem({});
    const QString doing = tr("Attention of “%1” in %2")
                              .arg(ui::firstLine(question.line.command.text, 40),
                                   QFileInfo(ui::toQString(question.line.command.model)).fileName());
    if (const std::string& prompt = question.line.command.prompt; !prompt.empty())
        m_study.window().showNotice(
            tr("The prompt “%1” precedes the text, as in the documents of this cache.").arg(ui::firstLine(prompt, 40)));
    m_study.beginJob(QStringLiteral("attention"), doing, m_runner);
    m_view->setBusy(tr("%1…").arg(doing));
    m_study.run<Asked>(
        m_runner,
        [engine = m_engines.of(ui::toQString(question.line.command.model)), question,
         off](JobContext& job) -> Result<Asked> {
            Asked asked;
            HEADSCOPE_TRY(asked.run, fetchAttention(*engine, question, job));
            if (off)
                asked.change = largestChange(*off->before, *asked.run);
            return asked;
        },
        [this, question, off](Result<Asked> asked) { takeAsked(std::move(asked), question, off); });
}

void AttentionController::takeAsked(Result<Asked> asked, const AttentionQuestion& question,
                                    const std::optional<Off>& off)
{
    m_view->setBusy({});
    if (!asked)
    {
        const Error& error = asked.error();
        m_offAgain.reset();
        showOff();
        if (error.code == ErrorCode::Cancelled)
            return m_view->setProblem(tr("Stopped. Nothing was computed."));
        m_study.report(error);
        m_view->setProblem(ui::errorText(error));
        if (m_view->run() == nullptr)
            m_view->setError(error);
        return;
    }
    m_before = off ? off->before : nullptr;
    m_question = question;
    show(asked->run);
    m_off = off;
    m_offText = off ? switchedOffText(*off, asked->change) : QString();
    showOff();
    const std::string notice = cli::otherModelNotice(m_study.cache()->overview->model, asked->run->model);
    if (!notice.empty() && !off)
    {
        m_study.window().jobStrip().addLog(ui::toQString(notice));
        window().showNotice(ui::toQString(notice));
    }
    // What was off stays off in another text, now that there is a run to compare with.
    if (const auto again = std::exchange(m_offAgain, std::nullopt); again && !off)
        switchOff(again->first, again->second);
}

void AttentionController::switchOff(LayerIndex layer, const std::vector<HeadIndex>& heads)
{
    if (!m_question)
        return;
    AttentionQuestion question = *m_question;
    const AttentionRunPtr before = m_before != nullptr ? m_before : m_view->run();
    if (heads.empty())
    {
        if (m_before == nullptr)
            return;
        question.line.command.ablation.ablate = m_study.cache()->overview->model.changes.ablated;
        m_runner.cancel();
        m_question = question;
        show(std::exchange(m_before, nullptr));
        m_off.reset();
        return showOff();
    }
    const std::string& always = m_study.cache()->overview->model.changes.ablated; // in every vector of the cache
    question.line.command.ablation.ablate =
        fmt::format("{}{}{}:{}", always, always.empty() ? "" : ";", layer.value(), formatHeadRanges(indicesOf(heads)));
    ask(std::move(question), Off{layer, heads, before});
}

void AttentionController::showOff()
{
    if (m_off)
        m_view->setSwitchedOff(m_offText, m_off->layer, m_off->heads);
    else
        m_view->setSwitchedOff({});
}

QString AttentionController::switchedOffText(const Off& off, const std::optional<AttentionChange>& change) const
{
    const LayerIndex layer = off.layer;
    const QString which = off.heads.size() == 1
                              ? tr("Head %1 of layer %2 is ablated: its output is zero at every token.")
                              : tr("Heads %1 of layer %2 are ablated: their outputs are zero at every token.");
    QString text = which.arg(ui::toQString(formatHeadRanges(indicesOf(off.heads)))).arg(layer.value());
    const AttentionRunPtr& run = m_view->run();
    if (layer.value() + 1 >= run->model.layers)
        return text + tr(" This is the last layer, so only the embedding of the text changes. All attention weights "
                         "stay the same.");
    if (change && change->share > 0)
        return text + tr(" Among the heads of later layers, head %1 of layer %2 changes most: it moves %3 of its "
                         "weight to other tokens (mean over %4).")
                          .arg(shownNumber(change->head))
                          .arg(change->layer.value())
                          .arg(ui::percentText(change->share),
                               ui::countText(run->tokenCount(), tr("query token"), tr("query tokens")));
    return text + tr(" Weights change in layer %1 and later.").arg(layer.value() + 1);
}

void AttentionController::want(Want want)
{
    if (!m_question) // a stored run has what it has
        return;
    m_wants.push_back(std::move(want));
    fetchNext();
}

void AttentionController::fetchNext()
{
    const AttentionRunPtr run = m_view->run();
    if (m_wants.empty() || m_moreRunner.running() || run == nullptr || !m_question)
        return;
    const Want want = std::move(m_wants.back());
    m_wants.pop_back();
    m_study.run<Found>(
        m_moreRunner,
        [engine = m_engines.of(ui::toQString(m_question->line.command.model)), question = *m_question, run,
         want](JobContext& job) -> Result<Found> {
            Found found;
            if (want.heads.empty())
            {
                HEADSCOPE_TRY(found.vectors, fetchVectors(*engine, question, *run, want.layer, job));
            }
            else
            {
                HEADSCOPE_TRY(found.weights, fetchWeights(*engine, question, *run, want.layer, want.heads, job));
            }
            return found;
        },
        [this, of = run->origin](Result<Found> found) {
            if (m_view->run() != nullptr && m_view->run()->origin == of)
                takeFound(std::move(found));
            fetchNext();
        });
}

void AttentionController::takeFound(Result<Found> found)
{
    if (!found)
    {
        if (found.error().code == ErrorCode::Cancelled)
            return;
        m_study.report(found.error());
        m_wants.clear(); // the same would be said of each
        return m_view->setProblem(ui::errorText(found.error()));
    }
    const AttentionRunPtr& run = m_view->run();
    if (found->vectors != nullptr)
        m_view->setRun(withVectors(*run, found->vectors));
    else if (!found->weights.empty())
        m_view->setRun(withWeights(*run, found->weights));
    settle();
}

void AttentionController::readStored()
{
    if (m_storedRunner.running())
        return;
    struct Read
    {
        std::vector<StoredAttention> runs;
        std::vector<std::string> problems;
    };
    m_study.run<Read>(
        m_storedRunner,
        [folder = storedAttentionFolder()](JobContext& job) -> Result<Read> {
            Read read;
            HEADSCOPE_TRY(read.runs, readStoredAttention(folder, read.problems, job));
            return read;
        },
        [this](Result<Read> read) {
            m_storedRead = true;
            if (!read)
                m_study.report(read.error());
            else
            {
                for (const std::string& problem : read->problems)
                    window().jobStrip().addLog(ui::toQString(problem));
                m_stored = std::move(read->runs);
                if (m_stored.empty() && !read->problems.empty())
                    m_view->setProblem(
                        tr("Stored runs could not be read: %1").arg(ui::toQString(read->problems.front())));
            }
            std::vector<ui::StoredRunEntry> entries;
            for (const StoredAttention& each : m_stored)
                entries.push_back(
                    {ui::toQString(each.name),
                     tr("“%1” · %2").arg(ui::firstLine(each.run->text, 60), ui::toQString(each.run->model.name)),
                     tr("%1, %2: a run included with Headscope")
                         .arg(ui::countText(each.run->tokenCount(), tr("token"), tr("tokens")),
                              ui::headsAndGroupsText(each.run->model))});
            m_view->setStoredRuns(entries);
            look();
        });
}

void AttentionController::showStored(const QString& name)
{
    const auto found =
        std::ranges::find_if(m_stored, [&](const StoredAttention& each) { return each.name == ui::toStdString(name); });
    if (found == m_stored.end())
        return;
    m_runner.cancel();
    m_moreRunner.cancel();
    m_wants.clear();
    m_kept.reset();
    m_question.reset();
    m_before.reset();
    m_off.reset();
    showOff();
    m_view->setText(ui::toQString(found->run->text));
    show(found->run);
}

void AttentionController::askKept()
{
    const AttentionState kept = *std::exchange(m_kept, std::nullopt);
    m_marks = kept;
    const auto& ids = m_study.cache()->overview->documents->ids;
    const auto document = std::ranges::find(ids, kept.document);
    if (!kept.stored.empty())
        showStored(ui::toQString(kept.stored));
    else if (!kept.document.empty() && document != ids.end())
        askDocument(DocumentIndex(document - ids.begin()));
    else if (!kept.text.empty())
        askText(ui::toQString(kept.text));
    if (m_view->run() == nullptr && !m_runner.running())
        showDefault();
}

} // namespace headscope::desktop
