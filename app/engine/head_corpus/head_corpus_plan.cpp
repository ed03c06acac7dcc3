// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/head_corpus/head_corpus_plan.h"

#include "app/engine/encode_options.h"
#include "model/data/ablation_spec.h"
#include "model/data/model_digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace headscope::engine
{
namespace
{

using commands::AttentionCommand;

Status wrong(const char* message, const char* place)
{
    return Error{ErrorCode::WrongUse, message, {}, place};
}

/// How documents of a cache became tokens; what was typed and is none of it is refused.
Result<HeadCorpusSource> settingsOf(const CacheHeader& header, const AttentionCommand& command, HeadCorpusSource source)
{
    const EncodeChoices usual;
    const auto differs = [](const char* option, const std::string& there, const std::string& here) {
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected {}, with which the documents of the cache were tokenized, found {}", there, here),
            {},
            option};
    };
    const std::string eos = header.eos.empty() ? source.eos : header.eos;
    if (source.eos != usual.eos && source.eos != eos)
        return differs("--eos", eos, source.eos);
    const std::string special = header.specialTokens.empty() ? usual.specialTokens : header.specialTokens;
    if (source.specialTokens != usual.specialTokens && source.specialTokens != special)
        return differs("--special-tokens", special, source.specialTokens);
    if (command.maxTokens != "auto" && header.maxTokens > 0 && source.maxTokens != header.maxTokens)
        return differs("--max-tokens", std::to_string(header.maxTokens), command.maxTokens);
    const bool prompted = !command.prompt.empty() || command.promptName == "none";
    if (prompted && command.prompt != header.prompt)
        return differs("--prompt", header.prompt.empty() ? "none" : header.prompt,
                       command.prompt.empty() ? "none" : command.prompt);
    source.eos = eos;
    source.specialTokens = special;
    source.prompt = header.prompt;
    if (header.maxTokens > 0)
        source.maxTokens = header.maxTokens;
    return source;
}

/// The one head that is named.
Status takeHead(const AttentionCommand& command, const ModelInfo& model, HeadCorpusSource& source)
{
    auto named = parseAblation(command.activations, model.layers, model.heads, model.kvHeads);
    if (!named)
        return Error{named.error().code, named.error().message, {}, "--activations"};
    if (named->size() != 1 || named->begin()->second.size() != 1)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected one head, such as 29:3 (layer 29, head 3), found {}", command.activations),
                     {},
                     "--activations"};
    source.layer = LayerIndex(named->begin()->first);
    source.head = named->begin()->second.front();
    return {};
}

} // namespace

Status checkTogetherOfHead(const AttentionCommand& command)
{
    if (command.corpus.empty())
        return wrong("this option needs --corpus with the documents", "--activations");
    if (!command.text.empty() || !command.ids.empty())
        return wrong("expected either a text or --corpus, found both", "--corpus");
    if (command.output.empty())
        return wrong("this option needs -o with a file", "--activations");
    if (command.statistics || command.paths || command.qkv || command.noWeights || !command.query.empty() ||
        !command.span.empty())
        return wrong("this option cannot be used with --statistics, --paths, --qkv, --no-weights, --query or --span",
                     "--activations");
    if (command.layers != AttentionCommand().layers)
        return wrong("this option cannot be used with --activations, which names the layer", "--layers");
    return {};
}

Result<HeadCorpusPlan> planHeadCorpus(const AttentionCommand& command, const shell::CommonOptions& common,
                                      const OpenedModel& model, const CacheInfo* cache)
{
    HeadCorpusPlan plan;
    HeadCorpusSource& source = plan.source;
    source.model = model.card.info;
    HEADSCOPE_CHECK(takeHead(command, source.model, source));
    source.tokenizerSha256 = model.tokenizer.sha256();
    source.causal = model.files.config.causal;
    source.corpus = command.corpus;
    source.eos = command.encode.eos;
    source.specialTokens = command.encode.specialTokens;
    source.prompt = command.prompt;
    HEADSCOPE_TRY(source.maxTokens, model.maxTokens(command.maxTokens));
    source.sampleTokens = command.sampleTokens;
    source.seed = common.seed;
    if (cache != nullptr)
    {
        HEADSCOPE_CHECK(checkUnchangedModel(cache->header.model, command.corpus));
        source.cacheIdentity = cache->identity;
        HEADSCOPE_TRY(source, settingsOf(cache->header, command, source));
    }
    HEADSCOPE_TRY(plan.texts.encode, encodeOptions({source.eos, source.specialTokens}));
    plan.texts.encode.maxTokens = static_cast<std::size_t>(source.maxTokens);
    plan.texts.prompt = source.prompt;
    plan.options.stages = {Stage::HeadOutput};
    plan.options.layers = {source.layer.value()};
    plan.options.threads = common.numThreads();
    HEADSCOPE_TRY(plan.options.backend, chooseBackend("auto", command.device));
    source.device = plan.options.backend.onCpu() ? "cpu" : "gpu";
    return plan;
}

Status checkModelOf(const CacheInfo& cache, const ModelInfo& model, const std::string& path)
{
    const auto& there = cache.header.model.sha256;
    const std::map<std::string, std::string> here(model.sha256.begin(), model.sha256.end());
    const auto different = std::ranges::find_if(there, [&](const auto& file) {
        const auto found = here.find(file.first);
        return found == here.end() || found->second != file.second;
    });
    if (different == there.end())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected the model that the cache was made with, found a model with a different {}",
                             different->first),
                 path,
                 {}};
}

} // namespace headscope::engine
