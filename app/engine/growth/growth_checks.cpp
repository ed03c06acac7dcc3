// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/growth/growth_checks.h"

#include "app/commands/extract_command.h"
#include "app/shell/common_options.h"
#include "app/shell/parse_words.h"
#include "app/shell/quoted_command.h"
#include "model/base/fields/fields.h"
#include "model/data/last_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{
namespace
{

constexpr std::size_t kShownDigits = 12;

/// Gathers what differs, a sentence's part each.
class Differences
{
public:
    void add(std::string_view what, const std::string& there, const std::string& here)
    {
        if (there != here)
            m_all.push_back(fmt::format("{} is {} in the cache and {} here", what, words(there), words(here)));
    }

    /// @param expected  what all of them are
    [[nodiscard]] Status status(const AppendTarget& cache, std::string_view expected) const
    {
        if (m_all.empty())
            return {};
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected the {} that the cache was made with, found other values: {}", expected,
                                 fmt::join(m_all, "; ")),
                     cache.path.string(),
                     {}};
    }

private:
    static std::string words(const std::string& value)
    {
        constexpr std::size_t kMost = 60;
        if (value.empty())
            return "nothing";
        return value.size() > kMost ? value.substr(0, kMost) + "..." : value;
    }

    std::vector<std::string> m_all;
};

/// The options that a cache was made with, as far as only its command line tells them: older versions wrote no prompt
/// down.
commands::ExtractCommand madeBy(const AppendTarget& cache)
{
    commands::ExtractCommand command;
    auto words = shell::unquotedWords(cache.info.header.command);
    if (!words || words->size() < 2)
        return command;
    words->erase(std::find(words->begin(), words->end(), "&&"), words->end()); // what was added later is like it
    Fields table;
    shell::CommonOptions common;
    command.declare(table);
    common.declare(table);
    commands::ExtractCommand none;
    return shell::parseWords(table, std::span(*words).subspan(2)) ? command : none;
}

std::string withoutNumber(const std::string& device)
{
    return device.substr(0, device.find(':'));
}

/// The KV groups that a model was brought to; empty where they are its own.
std::string groupsText(const ModelInfo& model)
{
    return model.changes.regroupedFrom == 0 ? std::string() : std::to_string(model.kvHeads);
}

/// Whether stage 3 of the last layer is there, of which alone --last-layer speaks.
bool holdsLastOutput(const CacheInfo& info)
{
    return std::any_of(info.embeddings.begin(), info.embeddings.end(), [&info](const VectorsInfo& each) {
        return each.stage == Stage::OutputSegment && each.layer.value() + 1 == info.header.model.layers;
    });
}

} // namespace

Status checkSameSettings(const AppendTarget& cache, const ExtractionRequest& request, const OpenedModel& model,
                         const ExtractionOptions& options, std::int64_t maxTokens, const Ablation& ablation)
{
    const CacheHeader& header = cache.info.header;
    ModelInfo here = model.card.info;
    ablation.describe(here);
    const ModelChanges& changes = header.model.changes;
    Differences models;
    models.add("the model's family", header.model.family, here.family);
    const auto number = [&models](std::string_view what, std::int64_t there, std::int64_t found) {
        models.add(what, std::to_string(there), std::to_string(found));
    };
    number("the number of layers", header.model.layers, here.layers);
    number("the number of heads", header.model.heads, here.heads);
    number("the number of KV heads", changes.regroupedFrom != 0 ? changes.regroupedFrom : header.model.kvHeads,
           model.card.info.kvHeads);
    number("the head dimension", header.model.headDim, here.headDim);
    number("the hidden size", header.model.modelDim, here.modelDim);
    number("the vocabulary size", header.model.vocabulary, here.vocabulary);
    HEADSCOPE_CHECK(models.status(cache, "model"));
    Differences tokenizers;
    tokenizers.add("the SHA-256 of the tokenizer", header.tokenizerSha256.substr(0, kShownDigits),
                   model.tokenizer.sha256().substr(0, kShownDigits));
    HEADSCOPE_CHECK(tokenizers.status(cache, "tokenizer"));

    const auto typed = madeBy(cache);
    Differences settings;
    settings.add("--pooling", header.pooling, std::string(poolingName(options.pooling)));
    settings.add("--prompt", header.prompt.empty() ? typed.prompt : header.prompt, request.run.prompt);
    settings.add("--max-tokens", std::to_string(header.maxTokens), std::to_string(maxTokens));
    settings.add("--eos", header.eos, request.run.encode.eos);
    settings.add("--special-tokens", header.specialTokens.empty() ? typed.encode.specialTokens : header.specialTokens,
                 request.run.encode.specialTokens);
    settings.add("--store", std::string(numberTypeName(cache.info.embeddings.front().type)),
                 std::string(numberTypeName(request.store)));
    if (!cache.info.topics.empty())
        settings.add("--topic-template", header.topicTemplate, request.topicTemplate);
    if (hasFinalNorm(here) && holdsLastOutput(cache.info))
        settings.add("--last-layer", header.model.lastLayerRaw ? "raw" : "normed",
                     options.finalNorm ? "normed" : "raw");
    if (!header.embedding.modules.empty())
    {
        const auto& modules = options.embedding;
        settings.add("the list of the model's modules", header.embedding.modules,
                     modules == nullptr ? "" : modules->words());
        settings.add("the digest of the modules' weights", header.embedding.xxh3.substr(0, kShownDigits),
                     modules == nullptr ? "" : modules->digest().substr(0, kShownDigits));
    }
    settings.add("--ablate", changes.ablated, here.changes.ablated);
    settings.add("--ablation", changes.ablation, here.changes.ablation);
    settings.add("--regroup", groupsText(header.model), groupsText(here));
    settings.add("--device", withoutNumber(header.device), withoutNumber(options.backend.device));
    settings.add("--dtype", header.computeDtype, std::string(precisionName(options.backend.precision)));
    return settings.status(cache, "settings");
}

Status checkSameReference(const AppendTarget& cache, const Ablation& ablation)
{
    Differences references;
    references.add("the reference of --ablation mean", cache.info.header.model.changes.reference,
                   ablation.changes.reference);
    return references.status(cache, "settings");
}

Status checkSameFiles(const AppendTarget& cache, const OpenedModel& model)
{
    std::map<std::string, std::string> there;
    std::map<std::string, std::string> here;
    std::multiset<std::string> oldDigests;
    std::multiset<std::string> newDigests;
    for (const auto& [name, digest] : cache.info.header.model.sha256)
    {
        there[name] = digest;
        oldDigests.insert(digest);
    }
    for (const auto& [name, digest] : model.card.info.sha256)
    {
        here[name] = digest;
        newDigests.insert(digest);
    }
    if (oldDigests == newDigests) // also where a file has another name
        return {};
    Differences files;
    for (const auto& [name, digest] : there)
        files.add("the SHA-256 of " + name, digest.substr(0, kShownDigits), here[name].substr(0, kShownDigits));
    for (const auto& [name, digest] : here)
        if (!there.contains(name))
            files.add("the SHA-256 of " + name, {}, digest.substr(0, kShownDigits));
    return files.status(cache, "model");
}

} // namespace headscope::engine
