// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/opened_model.h"

#include "app/engine/options.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace headscope::engine
{

Result<Pooling> OpenedModel::pooling(std::string_view choice) const
{
    if (choice == "auto" && !card.sentence.otherPooling.empty())
        return Error{ErrorCode::Unsupported,
                     fmt::format("the model's files set pooling by {}, which is not supported; with --pooling last, "
                                 "mean or first, vectors differ from what the model's authors intended",
                                 card.sentence.otherPooling),
                     files.path.string(), "pooling"};
    if (choice == "auto")
        return card.defaultPooling();
    for (const auto pooling : {Pooling::Last, Pooling::First, Pooling::Mean})
        if (poolingName(pooling) == choice)
            return pooling;
    return Error{
        ErrorCode::WrongUse, fmt::format("expected auto, last, mean or first, found \"{}\"", choice), {}, "--pooling"};
}

Result<std::shared_ptr<const EmbeddingModules>> OpenedModel::embedding(Pooling pooling) const
{
    if (!card.sentence.embedding.any() || pooling != card.defaultPooling())
        return std::shared_ptr<const EmbeddingModules>();
    return EmbeddingModules::load(card.sentence.embedding, card.info.modelDim);
}

Result<std::string> OpenedModel::prompt(const std::string& typed, const std::string& name) const
{
    if (!typed.empty() && name != "auto" && name != "none")
        return Error{ErrorCode::WrongUse, "expected --prompt or --prompt-name, found both", {}, "--prompt-name"};
    if (!typed.empty())
        return typed;
    const std::string& asked = name == "auto" ? card.sentence.defaultPrompt : name;
    if (const NamedPrompt* found = card.sentence.prompt(asked))
        return found->text;
    if (asked.empty() || asked == "none")
        return std::string();
    std::string known;
    for (const NamedPrompt& each : card.sentence.prompts)
        known += each.name + ", ";
    return Error{
        ErrorCode::WrongUse, fmt::format("expected {}none or auto, found \"{}\"", known, name), {}, "--prompt-name"};
}

Result<std::int64_t> OpenedModel::maxTokens(std::string_view choice) const
{
    if (choice == "auto")
        return card.defaultMaxTokens();
    HEADSCOPE_TRY(const auto count, parseCount(choice, "--max-tokens"));
    if (card.maxPositions > 0 && count > card.maxPositions && !card.stretches)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected at most {} (the model's number of positions), found {}", card.maxPositions, count),
            {},
            "--max-tokens"};
    return count;
}

std::vector<std::pair<std::string, std::string>> hashesOf(const ModelCard& card)
{
    std::vector<std::pair<std::string, std::string>> hashes;
    for (const CardFile& file : card.files)
        hashes.emplace_back(file.name, file.sha256);
    return hashes;
}

Result<OpenedModel> openModelAndTokenizer(const std::filesystem::path& path, const ModelCardOptions& options,
                                          JobContext& job)
{
    HEADSCOPE_CHECK(checkModelPath(path));
    auto files = openModel(path);
    std::vector<Error> problems;
    if (!files)
        problems.push_back(files.error());
    const auto tokenizerPath = !files ? networkFolder(path) : files->isGguf() ? files->path : files->folder;
    auto tokenizer = Tokenizer::open(tokenizerPath);
    // Of a GGUF file whose header is broken, both say the same.
    if (!tokenizer &&
        (problems.empty() || problems.front().sentence().find(tokenizer.error().sentence()) == std::string::npos))
        problems.push_back(tokenizer.error());
    if (files && tokenizer && tokenizer->vocabularySize() > files->config.vocabulary)
        problems.push_back({ErrorCode::ShapeMismatch,
                            fmt::format("expected a tokenizer with at most {} tokens (the number of rows of the token "
                                        "embedding matrix), found {}",
                                        files->config.vocabulary, tokenizer->vocabularySize()),
                            tokenizerPath.string(), "tokenizer"});
    if (!problems.empty())
        return combinedError(problems, path.string());
    HEADSCOPE_TRY(auto card, makeModelCard(*files, options, job));
    HEADSCOPE_TRY(const auto endTokens, tokenizer->suffix(EosPolicy::Config));
    card.warnings.insert(card.warnings.end(), tokenizer->warnings().begin(), tokenizer->warnings().end());
    if (files->config.embedding.endToken && endTokens.empty())
        card.warnings.emplace_back("config.json requests an end token (add_eos), but the tokenizer's files do not "
                                   "append one; use --eos always to append it");
    if (card.sentence.pooling == Pooling::Last && endTokens.empty())
        card.warnings.emplace_back("the model's files set pooling by the last token, but append no end token; models "
                                   "with this pooling usually append one (use --eos always)");
    return OpenedModel{std::move(*files), std::move(*tokenizer), std::move(card)};
}

} // namespace headscope::engine
