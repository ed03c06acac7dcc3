// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/source/fetch_attention.h"

#include "app/commands/inspect_command.h"
#include "app/commands/tokenize_command.h"
#include "app/desktop/engine/engine_server.h"
#include "app/shell/request_params.h"
#include "app/views/attention/source/attention_reply.h"
#include "model/data/head_ranges.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

using Line = commands::CommandLine<commands::AttentionCommand>;

Result<AttentionAnswer> ask(EngineServer& engine, const Line& line, JobContext& job)
{
    HEADSCOPE_TRY(Json answer, engine.ask("attention", shell::requestParams(line), job));
    return AttentionAnswer::read(std::move(answer));
}

/// The heads of a block, which lie layer by layer.
/// @param values  [layers, heads, T, T]
std::vector<HeadWeights> weightsIn(const std::vector<float>& values, const std::vector<LayerIndex>& layers,
                                   const std::vector<HeadIndex>& heads, std::int64_t tokens)
{
    std::vector<HeadWeights> found;
    auto from = values.begin();
    for (const LayerIndex layer : layers)
        for (const HeadIndex head : heads)
        {
            auto rows =
                std::make_shared<const MatrixF>(tokens, tokens, std::vector<float>(from, from + tokens * tokens));
            found.push_back({layer, head, std::move(rows)});
            from += tokens * tokens;
        }
    return found;
}

std::vector<HeadIndex> allHeads(std::int64_t heads)
{
    std::vector<HeadIndex> all;
    for (HeadIndex head; head.value() < heads; ++head)
        all.push_back(head);
    return all;
}

/// Whether the weights of all heads are fetched with the run. Those of the shortest texts are their pictures.
Result<bool> wantsWeights(EngineServer& engine, const AttentionQuestion& question, JobContext& job)
{
    constexpr std::uint64_t kSmallest = 4; // a model has at least one layer with one head
    const commands::AttentionCommand& asked = question.line.command;
    commands::CommandLine<commands::TokenizeCommand> counting;
    counting.command.model = asked.model;
    counting.command.text = asked.prompt + asked.text;
    counting.command.encode = asked.encode;
    if (asked.maxTokens != commands::AttentionCommand().maxTokens)
        counting.command.maxTokens = asked.maxTokens;
    HEADSCOPE_TRY(const Json tokens, engine.ask("tokenize", shell::requestParams(counting), job));
    const auto ids = tokens.is_object() ? tokens.find("ids") : tokens.end();
    const std::uint64_t count = tokens.is_object() && ids != tokens.end() ? ids->size() : 0;
    if (count <= static_cast<std::uint64_t>(kThumbnailSide) || count * count * kSmallest > kMaxWeightBytes)
        return false;
    commands::CommandLine<commands::InspectCommand> looking;
    looking.command.path = asked.model;
    HEADSCOPE_TRY(const Json model, engine.ask("inspect", shell::requestParams(looking), job));
    const auto size = [&model](const char* name) {
        const auto found = model.is_object() ? model.find(name) : model.end();
        return model.is_object() && found != model.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                                                        : kMaxWeightBytes;
    };
    const std::uint64_t each = count * count * sizeof(float);
    return size("layers") <= kMaxWeightBytes / each && size("heads") * size("layers") <= kMaxWeightBytes / each;
}

/// Whether an answer is about the same text and model as the run.
Status checkSame(const AttentionRun& run, const AttentionRun& answered)
{
    if (answered.origin == run.origin)
        return {};
    return Error{ErrorCode::BadFormat,
                 "the answer does not match the model and tokens of the text on screen: the model files have changed; "
                 "run the text again",
                 run.model.name,
                 {}};
}

/// [count, T, Dh] as [T, count Dh].
Result<MatrixF> sideBySide(const AttentionAnswer& answer, const char* name, std::int64_t count, const AttentionRun& run)
{
    const std::int64_t tokens = run.tokenCount();
    const std::int64_t dims = run.model.headDim;
    HEADSCOPE_TRY(const auto values, answer.block(name, {count, tokens, dims}));
    MatrixF rows(tokens, count * dims);
    auto from = values.begin();
    for (std::int64_t head = 0; head < count; ++head)
        for (std::int64_t token = 0; token < tokens; ++token, from += dims)
            std::copy(from, from + dims, rows.row(token).begin() + head * dims);
    return rows;
}

} // namespace

Result<AttentionRunPtr> fetchAttention(EngineServer& engine, const AttentionQuestion& question, JobContext& job)
{
    HEADSCOPE_TRY(const bool weights, wantsWeights(engine, question, job));
    Line line = question.line;
    line.command.statistics = true;
    line.command.thumbnails = kThumbnailSide;
    line.command.noWeights = !weights;
    HEADSCOPE_TRY(const auto answer, ask(engine, line, job));
    HEADSCOPE_TRY(AttentionRun run, answer.header());
    const std::int64_t layers = std::ssize(run.layers), heads = run.model.heads, tokens = run.tokenCount();
    const std::int64_t side = std::min(kThumbnailSide, tokens);
    HEADSCOPE_TRY(auto pictures, answer.block("thumbnails", {layers, heads, side, side}));
    run.thumbnailSide = side;
    if (weights)
    {
        HEADSCOPE_TRY(const auto values, answer.block("weights", {layers, heads, tokens, tokens}));
        run.weights = weightsIn(values, run.layers, allHeads(heads), tokens);
    }
    else if (side == tokens)
        run.weights = weightsIn(pictures, run.layers, allHeads(heads), tokens);
    run.thumbnails = MatrixF(layers * heads, side * side, std::move(pictures));
    run.text = question.line.command.prompt + question.line.command.text;
    run.document = question.document;
    run.documentOrigin = question.documentOrigin;
    return std::make_shared<const AttentionRun>(std::move(run));
}

Result<std::vector<HeadWeights>> fetchWeights(EngineServer& engine, const AttentionQuestion& question,
                                              const AttentionRun& run, LayerIndex layer,
                                              const std::vector<HeadIndex>& heads, JobContext& job)
{
    std::vector<std::int64_t> missing;
    for (const HeadIndex head : heads)
        if (run.weightsOf(layer, head) == nullptr)
            missing.push_back(head.value());
    if (missing.empty())
        return std::vector<HeadWeights>();
    std::ranges::sort(missing);
    Line line = question.line;
    line.command.layers = std::to_string(layer.value());
    line.command.heads = formatHeadRanges(missing);
    HEADSCOPE_TRY(const auto answer, ask(engine, line, job));
    HEADSCOPE_TRY(const AttentionRun answered, answer.header());
    HEADSCOPE_CHECK(checkSame(run, answered));
    HEADSCOPE_TRY(const auto found, answer.weightHeads(run.model.heads));
    const std::int64_t tokens = run.tokenCount();
    HEADSCOPE_TRY(const auto values, answer.block("weights", {1, std::ssize(found), tokens, tokens}));
    return weightsIn(values, {layer}, found, tokens);
}

Result<std::shared_ptr<const LayerVectors>> fetchVectors(EngineServer& engine, const AttentionQuestion& question,
                                                         const AttentionRun& run, LayerIndex layer, JobContext& job)
{
    Line line = question.line;
    line.command.qkv = layer.value();
    line.command.noWeights = true;
    HEADSCOPE_TRY(const auto answer, ask(engine, line, job));
    HEADSCOPE_TRY(const AttentionRun answered, answer.header());
    HEADSCOPE_CHECK(checkSame(run, answered));
    auto vectors = std::make_shared<LayerVectors>();
    vectors->layer = layer;
    HEADSCOPE_TRY(vectors->q, sideBySide(answer, "q", answered.model.heads, answered));
    HEADSCOPE_TRY(vectors->k, sideBySide(answer, "k", answered.model.kvHeads, answered));
    HEADSCOPE_TRY(vectors->v, sideBySide(answer, "v", answered.model.kvHeads, answered));
    HEADSCOPE_TRY(vectors->z, sideBySide(answer, "z", answered.model.heads, answered));
    if (const std::int64_t distances = answer.widthOf("bias"); distances > 0)
    {
        HEADSCOPE_TRY(auto bias, answer.block("bias", {answered.model.heads, distances}));
        vectors->bias = MatrixF(answered.model.heads, distances, std::move(bias));
    }
    return std::shared_ptr<const LayerVectors>(std::move(vectors));
}

AttentionRunPtr withWeights(const AttentionRun& run, const std::vector<HeadWeights>& weights)
{
    constexpr std::uint64_t kHeld = 4 * kMaxWeightBytes; // four heads of 4,096 tokens: a chosen and two pinned ones
    auto more = std::make_shared<AttentionRun>(run);
    more->weights.insert(more->weights.end(), weights.begin(), weights.end());
    const auto each = static_cast<std::uint64_t>(run.tokenCount() * run.tokenCount()) * sizeof(float);
    while (more->weights.size() * each > kHeld && more->weights.size() > weights.size())
        more->weights.erase(more->weights.begin());
    return more;
}

AttentionRunPtr withVectors(const AttentionRun& run, std::shared_ptr<const LayerVectors> vectors)
{
    constexpr std::size_t kHeld = 4; // layers
    auto more = std::make_shared<AttentionRun>(run);
    more->vectors.push_back(std::move(vectors));
    if (more->vectors.size() > kHeld)
        more->vectors.erase(more->vectors.begin());
    return more;
}

} // namespace headscope::desktop
