// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/regroup_model.h"

#include "app/commands/attention/attention_command.h"
#include "app/commands/command_line.h"
#include "app/desktop/engine/engine_server.h"
#include "app/shell/request_params.h"
#include "app/views/attention/source/attention_reply.h"
#include "model/analysis/lesson/group_view.h"
#include "model/analysis/lesson/regroup_measures.h"
#include "model/base/file.h"
#include "model/data/lesson/kv_cache.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

Error badAnswer(std::string what)
{
    return {ErrorCode::BadFormat, std::move(what), {}, {}};
}

/// 0: those of the model.
std::int64_t regroupOf(const RegroupQuestion& question, std::int64_t pairs)
{
    return pairs == question.model.kvHeads ? 0 : pairs;
}

/// The vector of the one block of an answer.
Result<std::vector<float>> vectorOf(const Json& answer)
{
    const Json blocks = answer.value("vectors", Json::array());
    if (!blocks.is_array() || blocks.size() != 1 || !blocks[0].is_object() || blocks[0].value("dtype", "") != "f32")
        return badAnswer("expected one block of vectors");
    const Json shape = blocks[0].value("shape", Json::array());
    const Json offset = blocks[0].value("offset", Json());
    if (shape.size() != 2 || !shape[0].is_number_unsigned() || !shape[1].is_number_unsigned() ||
        !offset.is_number_unsigned())
        return badAnswer("expected the shape of a block");
    HEADSCOPE_TRY(const std::string bytes, readTextFile(std::filesystem::path(answer.value("file", ""))));
    const auto at = offset.get<std::uint64_t>();
    const std::uint64_t room = at <= bytes.size() ? (bytes.size() - at) / sizeof(float) : 0;
    const auto rows = shape[0].get<std::uint64_t>();
    const auto columns = shape[1].get<std::uint64_t>();
    if (rows == 0 || columns == 0 || rows > room || columns > room / rows)
        return badAnswer("expected as many values as the block declares");
    std::vector<float> values(rows * columns);
    std::memcpy(values.data(), bytes.data() + at, values.size() * sizeof(float));
    return values;
}

/// The vectors of all texts with so many pairs, [N, Dm].
Result<MatrixF> embed(EngineServer& engine, const RegroupQuestion& question, std::int64_t pairs, std::uint64_t done,
                      std::uint64_t total, JobContext& job)
{
    MatrixF rows;
    for (std::size_t i = 0; i < question.texts.size(); ++i)
    {
        job.report("running the model with fewer KV heads", done + i, total, "texts");
        commands::CommandLine<commands::EmbedCommand> line{question.embed, {}};
        line.command.text = question.texts[i];
        line.command.stages = "3";
        line.command.embedding = "none"; // stage 3 is compared
        line.command.ablation.regroup = regroupOf(question, pairs);
        JobContext inner(job.stopToken()); // the run reports itself, not each of its texts
        HEADSCOPE_TRY(const Json answer, engine.ask("embed", shell::requestParams(line), inner));
        HEADSCOPE_TRY(const std::vector<float> vector, vectorOf(answer));
        if (i == 0)
            rows = MatrixF(static_cast<std::int64_t>(question.texts.size()), static_cast<std::int64_t>(vector.size()));
        if (static_cast<std::int64_t>(vector.size()) != rows.cols())
            return badAnswer("expected vectors of one length");
        std::copy(vector.begin(), vector.end(), rows.row(static_cast<std::int64_t>(i)).begin());
    }
    return rows;
}

/// Weights of the sentence, all layers and heads: [L H, T, T].
struct SentenceWeights
{
    std::int64_t blocks = 0;
    std::int64_t tokens = 0;
    std::vector<float> values;

    [[nodiscard]] ConstMatrixView block(std::int64_t index) const
    {
        return {values.data() + index * tokens * tokens, tokens, tokens};
    }
};

Result<SentenceWeights> weigh(EngineServer& engine, const RegroupQuestion& question, std::int64_t pairs,
                              JobContext& job)
{
    commands::CommandLine<commands::AttentionCommand> line;
    line.command.model = question.embed.model;
    line.command.text = question.sentence;
    line.command.encode = question.embed.encode;
    line.command.maxTokens = question.embed.maxTokens;
    line.command.ablation.regroup = regroupOf(question, pairs);
    JobContext inner(job.stopToken());
    HEADSCOPE_TRY(Json answer, engine.ask("attention", shell::requestParams(line), inner));
    HEADSCOPE_TRY(const AttentionAnswer read, AttentionAnswer::read(std::move(answer)));
    HEADSCOPE_TRY(const AttentionRun run, read.header());
    const auto layers = static_cast<std::int64_t>(run.layers.size());
    SentenceWeights weights{layers * run.model.heads, run.tokenCount(), {}};
    HEADSCOPE_TRY(weights.values, read.block("weights", {layers, run.model.heads, run.tokenCount(), run.tokenCount()}));
    return weights;
}

/// Mean of what moved over all layers and heads.
double movedOf(const SentenceWeights& before, const SentenceWeights& after)
{
    if (before.blocks != after.blocks || before.tokens != after.tokens || before.blocks == 0)
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::int64_t block = 0; block < before.blocks; ++block)
        sum += movedAttention(before.block(block), after.block(block));
    return sum / static_cast<double>(before.blocks);
}

} // namespace

std::vector<std::string> spreadTexts(const std::vector<std::string>& texts, std::size_t most)
{
    if (texts.size() <= most)
        return texts;
    std::vector<std::string> spread;
    for (std::size_t i = 0; i < most; ++i)
        spread.push_back(texts[i * texts.size() / most]);
    return spread;
}

Result<RegroupResult> measureRegrouping(EngineServer& engine, const RegroupQuestion& question, JobContext& job)
{
    const std::vector<std::int64_t> all = regroupings(question.model.kvHeads);
    if (question.texts.size() < 3 || all.size() < 2)
        return Error{ErrorCode::InvalidArgument,
                     "expected at least three texts, and a model with more than one KV head",
                     {},
                     {}};
    RegroupResult result;
    result.model = question.model;
    result.documents = static_cast<std::int64_t>(question.texts.size());
    result.ofDocuments = question.ofTexts;
    result.neighbors = std::min(kRegroupNeighbors, result.documents - 2);
    result.sentence = question.sentence;
    result.texts = question.from;
    result.origin = question.origin;
    const std::uint64_t total = all.size() * question.texts.size();
    HEADSCOPE_TRY(const MatrixF before, embed(engine, question, all.front(), 0, total, job));
    SentenceWeights weights;
    if (!question.sentence.empty())
    {
        HEADSCOPE_TRY(weights, weigh(engine, question, all.front(), job));
    }
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        RegroupRow row;
        if (i == 0)
        {
            row.cosine = row.kept = 1;
            row.attention = question.sentence.empty() ? row.attention : 0;
        }
        else
        {
            HEADSCOPE_TRY(const MatrixF after, embed(engine, question, all[i], i * question.texts.size(), total, job));
            HEADSCOPE_TRY(row, compareVectors(before, after, result.neighbors, question.threads, job));
            if (!question.sentence.empty())
            {
                HEADSCOPE_TRY(const SentenceWeights other, weigh(engine, question, all[i], job));
                row.attention = movedOf(weights, other);
            }
        }
        row.kvHeads = all[i];
        result.rows.push_back(row);
    }
    return result;
}

} // namespace headscope::desktop
