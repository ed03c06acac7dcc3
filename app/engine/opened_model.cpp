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
    if (choice == "auto")
        return card.defaultPooling();
    for (const auto pooling : {Pooling::Last, Pooling::First, Pooling::Mean})
        if (poolingName(pooling) == choice)
            return pooling;
    return Error{
        ErrorCode::WrongUse, fmt::format("expected auto, last, mean or first, found \"{}\"", choice), {}, "--pooling"};
}

Result<std::int64_t> OpenedModel::maxTokens(std::string_view choice) const
{
    if (choice == "auto")
        return card.defaultMaxTokens();
    HEADSCOPE_TRY(const auto count, parseCount(choice, "--max-tokens"));
    if (card.maxPositions > 0 && count > card.maxPositions)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at most {}, the positions of the model, found {}", card.maxPositions, count),
                     {},
                     "--max-tokens"};
    return count;
}

Result<OpenedModel> openModelAndTokenizer(const std::filesystem::path& path, const CardOptions& options,
                                          JobContext& job)
{
    HEADSCOPE_CHECK(checkModelPath(path));
    auto files = openModel(path);
    std::vector<Error> problems;
    if (!files)
        problems.push_back(files.error());
    const auto tokenizerPath = !files ? path : files->isGguf() ? files->path : files->folder;
    auto tokenizer = Tokenizer::open(tokenizerPath);
    // Of a GGUF file whose header is broken, both say the same.
    if (!tokenizer &&
        (problems.empty() || problems.front().sentence().find(tokenizer.error().sentence()) == std::string::npos))
        problems.push_back(tokenizer.error());
    if (files && tokenizer && tokenizer->vocabularySize() > files->config.vocabulary)
        problems.push_back(
            {ErrorCode::ShapeMismatch,
             fmt::format("expected a tokenizer of at most {} tokens, the rows of the embedding, found {}",
                         files->config.vocabulary, tokenizer->vocabularySize()),
             tokenizerPath.string(), "tokenizer"});
    if (!problems.empty())
        return combinedError(problems, path.string());
    HEADSCOPE_TRY(auto card, makeModelCard(*files, options, job));
    card.warnings.insert(card.warnings.end(), tokenizer->warnings().begin(), tokenizer->warnings().end());
    return OpenedModel{std::move(*files), std::move(*tokenizer), std::move(card)};
}

} // namespace headscope::engine
