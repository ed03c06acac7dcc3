// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/head_corpus/head_corpus_verb.h"

#include "app/engine/extraction_steps.h"
#include "app/engine/head_corpus/head_corpus_answer.h"
#include "app/engine/head_corpus/head_corpus_run.h"
#include "app/engine/memory_check.h"
#include "app/engine/model_source.h"
#include "model/base/clock.h"
#include "model/base/output/output_lock.h"
#include "model/base/output/output_path.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace headscope::engine
{
namespace
{

namespace fs = std::filesystem;
using commands::AttentionCommand;

/// Whether the texts are those that they were when they began to be read.
Status checkSameTexts(const AttentionCommand& command, const std::string& digest, JobContext& job)
{
    HEADSCOPE_TRY(const std::string now, CorpusTexts::digestOfFile(command, job));
    return now == digest ? Status()
                         : Error{ErrorCode::Resource,
                                 "the file changed while it was read; try again when no other program writes to it",
                                 command.corpus,
                                 {}};
}

} // namespace

Status runHeadCorpus(AttentionCommand command, const fs::path& place, VerbContext& context)
{
    const auto start = Clock::now();
    HEADSCOPE_TRY(const auto lock, OutputLock::take(place));
    HEADSCOPE_CHECK(checkOutputPath(place, context.common.overwrite)); // who held it may have made it
    HEADSCOPE_TRY(const OpenedModel* opened, openModelOf(context, command.model));
    const OpenedModel& model = *opened;
    HEADSCOPE_TRY(const std::string digest, CorpusTexts::digestOfFile(command, context.job));
    HEADSCOPE_TRY(auto texts, CorpusTexts::open(command, context.job));
    sayNotices(context, texts.notices());
    if (const bool asCache = texts.cache() != nullptr && command.prompt.empty() && command.promptName == "auto";
        !asCache)
    {
        HEADSCOPE_TRY(const auto prompted, choosePrompt(command, model));
        sayNotices(context, prompted);
    }
    HEADSCOPE_TRY(auto plan, planHeadCorpus(command, context.common, model, texts.cache()));
    HEADSCOPE_CHECK(checkMemoryOfRun(model.files, plan.options, plan.source.layer.value(), plan.source.maxTokens));
    HEADSCOPE_CHECK(context.models.hash(context.job));
    plan.source.model = model.card.info;
    plan.source.corpusDigest = digest;
    if (texts.cache() != nullptr)
        HEADSCOPE_CHECK(checkModelOf(*texts.cache(), plan.source.model, command.model));

    const fs::path runFile = runFileOf(place);
    std::error_code ignored;
    if (command.noResume)
        fs::remove(runFile, ignored);
    std::vector<std::string> notices;
    HEADSCOPE_TRY(auto begun, readBegun(runFile, plan.source, notices, context.job));
    if (const std::int64_t done = begun.corpus.documentCount(); done > 0)
        notices.push_back(fmt::format("continuing after {} documents of an earlier run", done));
    sayNotices(context, notices);
    HeadCorpusTiming timing{begun.corpus.documentCount(), 0, 0};
    HEADSCOPE_TRY(const HeadExtractor* extractor,
                  context.models.extractor(plan.options, plan.source.maxTokens, Hashes::Needed, context.job));
    const HeadCorpusRun run{plan, model, *extractor, runFile, context.command};
    HEADSCOPE_TRY(HeadCorpus corpus, run.run(std::move(begun), texts, context.job));
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    HEADSCOPE_CHECK(checkSameTexts(command, digest, context.job));
    const HeadCorpusFile file{std::move(corpus)};
    HEADSCOPE_CHECK(writeHeadCorpus(place, file));
    fs::remove(runFile, ignored);
    timing.seconds = secondsSince(start);
    timing.peakBytes = peakBytes();
    answer(
        context,
        [&] {
            return headCorpusJson(file.corpus, timing, command.output)
                .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        },
        [&] { return headCorpusText(file.corpus, command.output); });
    return {};
}

} // namespace headscope::engine
