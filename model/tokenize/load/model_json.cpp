// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/model_json.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <utility>

namespace headscope::tokenize
{
namespace
{

Status addVocabulary(const JsonPlace& json, Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const JsonPlace vocab, json.at("vocab"));
    if (!vocab.view().isObject())
    {
        return vocab.error(ErrorCode::BadFormat, fmt::format("expected an object of tokens and their ids, found {}",
                                                             jsonKindName(vocab.view().kind())));
    }
    vocabulary.reserve(vocab.view().size(), vocab.view().size() * 8);
    for (const auto& [text, value] : vocab.view().members())
    {
        const auto id = value.asInt();
        if (!id)
            return Error(id.error()).atPlace(fmt::format("{}[\"{}\"]", vocab.place(), text));
        if (auto added = vocabulary.add(text, *id); !added)
            return std::move(added).error().atPlace(vocab.place());
    }
    if (vocabulary.count() == 0)
        return vocab.error(ErrorCode::BadFormat, "expected at least one token, found none");
    return {};
}

/// "a b", or ["a", "b"] as newer files write it.
Result<std::pair<std::string_view, std::string_view>> mergeHalves(JsonView json)
{
    if (json.isString())
    {
        HEADSCOPE_TRY(const std::string_view text, json.asString());
        const std::size_t space = text.find(' ');
        if (space != std::string_view::npos && text.find(' ', space + 1) == std::string_view::npos)
            return std::pair(text.substr(0, space), text.substr(space + 1));
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected two tokens with a space between them, found \"{}\"", text),
                     {},
                     {}};
    }
    if (json.size() != 2 || !json.isArray())
        return Error{
            ErrorCode::BadFormat, fmt::format("expected two tokens, found {}", jsonKindName(json.kind())), {}, {}};
    auto element = json.elements().begin();
    HEADSCOPE_TRY(const std::string_view left, (*element).asString());
    ++element;
    HEADSCOPE_TRY(const std::string_view right, (*element).asString());
    return std::pair(left, right);
}

Result<MergeTable> mergesFromJson(const JsonPlace& json, const Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const JsonPlace list, json.at("merges"));
    if (!list.view().isArray())
        return list.error(ErrorCode::BadFormat,
                          fmt::format("expected an array, found {}", jsonKindName(list.view().kind())));
    MergeTable merges;
    merges.reserve(list.view().size());
    std::size_t rank = 0;
    for (const JsonView item : list.view().elements())
    {
        const auto halves = mergeHalves(item);
        Status added =
            halves ? addMerge(halves->first, halves->second, rank, vocabulary, merges) : Status(halves.error());
        if (!added)
            return std::move(added).error().atPlace(fmt::format("{}[{}]", list.place(), rank));
        ++rank;
    }
    return merges;
}

/// Options that no tokenizer of an embedding model uses and that would change the ids.
Status refuseOptions(const JsonPlace& json)
{
    if (const auto dropout = json.find("dropout"))
    {
        const auto value = dropout->view().asDouble();
        if (!value || *value != 0)
            return dropout->error(ErrorCode::Unsupported, "expected no dropout: the tokens of a text would be random");
    }
    for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"})
    {
        const auto option = json.find(key);
        if (!option)
            continue;
        HEADSCOPE_TRY(const std::string_view text, option->string());
        if (!text.empty())
            return option->error(ErrorCode::Unsupported,
                                 fmt::format("expected a BPE model without {}, found \"{}\"", key, text));
    }
    return {};
}

Result<TokenId> unknownToken(const JsonPlace& json, const Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const std::string_view text, json.string("unk_token"));
    if (const auto id = vocabulary.find(text))
        return *id;
    return json.error(ErrorCode::BadFormat, fmt::format("the unknown token \"{}\" is not in the vocabulary", text));
}

Status addBpe(const JsonPlace& json, TokenizerParts& parts)
{
    HEADSCOPE_CHECK(refuseOptions(json));
    HEADSCOPE_TRY(MergeTable merges, mergesFromJson(json, parts.vocabulary));
    BpeOptions options;
    if (json.find("unk_token"))
    {
        HEADSCOPE_TRY(options.unknown, unknownToken(json, parts.vocabulary));
    }
    HEADSCOPE_TRY(options.fuseUnknown, json.boolean("fuse_unk", false));
    HEADSCOPE_TRY(options.ignoreMerges, json.boolean("ignore_merges", false));
    HEADSCOPE_TRY(const bool byteFallback, json.boolean("byte_fallback", false));
    if (byteFallback)
        options.bytes = byteTokens(parts.vocabulary);
    parts.model.emplace<Bpe>(parts.vocabulary, std::move(merges), options);
    parts.kind = byteFallback ? "SentencePiece-style BPE, byte fallback" : "BPE";
    return {};
}

Status addWordPiece(const JsonPlace& json, TokenizerParts& parts)
{
    WordPieceOptions options;
    HEADSCOPE_TRY(options.unknown, unknownToken(json, parts.vocabulary));
    if (json.find("continuing_subword_prefix"))
    {
        HEADSCOPE_TRY(options.prefix, json.string("continuing_subword_prefix"));
    }
    if (json.find("max_input_chars_per_word"))
    {
        HEADSCOPE_TRY(const std::int64_t most, json.integer("max_input_chars_per_word"));
        if (most < 0)
            return json.error(ErrorCode::BadFormat,
                              fmt::format("expected max_input_chars_per_word >= 0, found {}", most));
        options.maxCharacters = static_cast<std::size_t>(most);
    }
    parts.model.emplace<WordPiece>(parts.vocabulary, std::move(options));
    parts.kind = "WordPiece";
    return {};
}

/// A piece of a Unigram vocabulary: `["the", -3.19]`.
struct ScoredPiece
{
    std::string_view text;
    double score = 0;
};

Result<ScoredPiece> scoredPiece(JsonView json)
{
    if (!json.isArray() || json.size() != 2)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected a token and its score, found {}", jsonKindName(json.kind())),
                     {},
                     {}};
    auto element = json.elements().begin();
    ScoredPiece piece;
    HEADSCOPE_TRY(piece.text, (*element).asString());
    ++element;
    HEADSCOPE_TRY(piece.score, (*element).asDouble());
    if (!std::isfinite(piece.score))
        return Error{ErrorCode::BadFormat, fmt::format("expected a finite score, found {}", piece.score), {}, {}};
    if (piece.text.size() > kMaxPieceBytes)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected a token of at most {} bytes, found {} bytes", kMaxPieceBytes, piece.text.size()),
            {},
            {}};
    return piece;
}

/// Fills the vocabulary; of tokens with one text the last can be found, as in the reference.
/// @return the scores, [V]
Result<std::vector<double>> addScoredVocabulary(const JsonPlace& json, Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const JsonPlace list, json.at("vocab"));
    if (!list.view().isArray() || list.view().size() == 0)
    {
        return list.error(ErrorCode::BadFormat,
                          fmt::format("expected an array of tokens and their scores, at least one, found {}",
                                      list.view().isArray() ? "none" : jsonKindName(list.view().kind())));
    }
    std::vector<ScoredPiece> pieces;
    pieces.reserve(list.view().size());
    std::unordered_map<std::string_view, std::size_t> lastOf;
    for (const JsonView item : list.view().elements())
    {
        const auto piece = scoredPiece(item);
        if (!piece)
            return Error(piece.error()).atPlace(fmt::format("{}[{}]", list.place(), pieces.size()));
        lastOf[piece->text] = pieces.size();
        pieces.push_back(*piece);
    }
    vocabulary.reserve(pieces.size(), pieces.size() * 8);
    std::vector<double> scores;
    scores.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i)
    {
        const auto id = static_cast<std::int64_t>(i);
        const bool isLast = lastOf[pieces[i].text] == i;
        auto added = isLast ? vocabulary.add(pieces[i].text, id) : vocabulary.addHidden(pieces[i].text, id);
        if (!added)
            return std::move(added).error().atPlace(list.place());
        scores.push_back(pieces[i].score);
    }
    return scores;
}

Status addUnigram(const JsonPlace& json, TokenizerParts& parts)
{
    HEADSCOPE_TRY(std::vector<double> scores, addScoredVocabulary(json, parts.vocabulary));
    HEADSCOPE_TRY(const std::int64_t unknown, json.integer("unk_id"));
    if (unknown < 0 || unknown >= parts.vocabulary.size())
        return json.error(ErrorCode::BadFormat, fmt::format("expected the unk_id of a token, below {}, found {}",
                                                            parts.vocabulary.size(), unknown));
    UnigramOptions options;
    options.unknown = static_cast<TokenId>(unknown);
    HEADSCOPE_TRY(const bool byteFallback, json.boolean("byte_fallback", false));
    if (byteFallback)
        options.bytes = byteTokens(parts.vocabulary);
    parts.model.emplace<Unigram>(parts.vocabulary, std::move(scores), options);
    parts.kind = byteFallback ? "Unigram, byte fallback" : "Unigram";
    return {};
}

/// The type that a model entry says or, in old files, shows.
Result<std::string_view> modelType(const JsonPlace& json)
{
    if (json.find("type"))
        return json.string("type");
    const auto vocabulary = json.find("vocab");
    const bool isScored = vocabulary && vocabulary->view().isArray();
    return std::string_view(json.find("merges") ? "BPE" : isScored ? "Unigram" : "");
}

} // namespace

std::array<TokenId, 256> byteTokens(const Vocabulary& vocabulary)
{
    std::array<TokenId, 256> tokens{};
    for (std::size_t byte = 0; byte < tokens.size(); ++byte)
        tokens[byte] = vocabulary.find(fmt::format("<0x{:02X}>", byte)).value_or(kNoToken);
    return tokens;
}

Status addMerge(std::string_view left, std::string_view right, std::size_t rank, const Vocabulary& vocabulary,
                MergeTable& merges)
{
    const auto missing = [&](std::string_view text) {
        return Error{
            ErrorCode::BadFormat,
            fmt::format(
                "expected a merge of tokens of the vocabulary, found \"{}\" + \"{}\", where \"{}\" is not in it", left,
                right, text),
            {},
            {}};
    };
    const auto leftToken = vocabulary.find(left);
    if (!leftToken)
        return missing(left);
    const auto rightToken = vocabulary.find(right);
    if (!rightToken)
        return missing(right);
    std::string joined(left);
    joined.append(right);
    const auto result = vocabulary.find(joined);
    if (!result)
        return missing(joined);
    merges.add(*leftToken, *rightToken, {static_cast<std::uint32_t>(rank), *result});
    return {};
}

Status addModel(const JsonPlace& json, TokenizerParts& parts)
{
    HEADSCOPE_TRY(const std::string_view type, modelType(json));
    if (type != "BPE" && type != "WordPiece" && type != "Unigram")
    {
        return json.error(
            ErrorCode::Unsupported,
            fmt::format("expected a tokenizer model of type BPE, WordPiece or Unigram, found \"{}\"", type));
    }
    if (type == "Unigram")
        return addUnigram(json, parts);
    HEADSCOPE_CHECK(addVocabulary(json, parts.vocabulary));
    return type == "BPE" ? addBpe(json, parts) : addWordPiece(json, parts);
}

} // namespace headscope::tokenize
