// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/added_token_json.h"

#include "model/tokenize/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace headscope::tokenize
{
namespace
{

constexpr std::size_t kMaxAddedTokenBytes = 4096;

Result<TokenId> checkedId(std::int64_t id, const JsonPlace& json)
{
    if (id < 0 || id >= kMaxVocabulary)
        return json.error(ErrorCode::BadFormat,
                          fmt::format("expected the id of a token, below {}, found {}", kMaxVocabulary, id));
    return static_cast<TokenId>(id);
}

std::vector<AddedToken> inOrder(std::vector<AddedToken> tokens)
{
    std::ranges::stable_sort(tokens, {}, &AddedToken::id);
    return tokens;
}

} // namespace

Result<AddedToken> addedTokenFromJson(const JsonPlace& json)
{
    AddedToken token;
    HEADSCOPE_TRY(token.content, json.string("content"));
    HEADSCOPE_TRY(token.singleWord, json.boolean("single_word", false));
    HEADSCOPE_TRY(token.stripLeft, json.boolean("lstrip", false));
    HEADSCOPE_TRY(token.stripRight, json.boolean("rstrip", false));
    HEADSCOPE_TRY(token.special, json.boolean("special", false));
    HEADSCOPE_TRY(token.normalized, json.boolean("normalized", !token.special));
    if (token.content.size() > kMaxAddedTokenBytes)
    {
        return json.error(ErrorCode::Unsupported, fmt::format("expected an added token of at most {} bytes, found {}",
                                                              kMaxAddedTokenBytes, token.content.size()));
    }
    return token;
}

Result<std::vector<AddedToken>> addedTokensFromDecoder(const JsonPlace& json)
{
    std::vector<AddedToken> tokens;
    for (const auto& [name, value] : json.view().members())
    {
        const JsonPlace entry(value, json.place() + "." + std::string(name));
        std::int64_t id = -1;
        const auto read = std::from_chars(name.data(), name.data() + name.size(), id);
        if (read.ec != std::errc() || read.ptr != name.data() + name.size())
            return entry.error(ErrorCode::BadFormat, "expected the id of a token as the key, found something else");
        HEADSCOPE_TRY(AddedToken token, addedTokenFromJson(entry));
        HEADSCOPE_TRY(token.id, checkedId(id, entry));
        tokens.push_back(std::move(token));
    }
    return inOrder(std::move(tokens));
}

Result<std::vector<AddedToken>> addedTokensFromMap(const JsonPlace& json)
{
    std::vector<AddedToken> tokens;
    for (const auto& [name, value] : json.view().members())
    {
        const JsonPlace entry(value, std::string(name));
        HEADSCOPE_TRY(const std::int64_t id, entry.integer());
        AddedToken token;
        token.content = name;
        token.normalized = true;
        HEADSCOPE_TRY(token.id, checkedId(id, entry));
        tokens.push_back(std::move(token));
    }
    return inOrder(std::move(tokens));
}

} // namespace headscope::tokenize
