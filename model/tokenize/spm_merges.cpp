// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/spm_merges.h"

#include "model/base/utf8.h"

#include <algorithm>
#include <unordered_map>

namespace headscope::tokenize
{
namespace
{

/// For each token the number of distinct scores above its own; NaN comes last.
std::vector<std::uint32_t> ranksFromScores(std::span<const float> scores)
{
    std::vector<float> distinct;
    std::copy_if(scores.begin(), scores.end(), std::back_inserter(distinct), [](float s) { return s == s; });
    std::sort(distinct.begin(), distinct.end(), std::greater<>());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> ranks(scores.size(), static_cast<std::uint32_t>(distinct.size()));
    for (std::size_t i = 0; i < scores.size(); ++i)
    {
        if (scores[i] == scores[i])
        {
            const auto place = std::lower_bound(distinct.begin(), distinct.end(), scores[i], std::greater<>());
            ranks[i] = static_cast<std::uint32_t>(place - distinct.begin());
        }
    }
    return ranks;
}

} // namespace

SpmMerges mergesFromScores(const Vocabulary& vocabulary, std::span<const float> scores)
{
    SpmMerges result;
    std::unordered_map<char32_t, TokenId> made;
    const auto partToken = [&](std::string_view part) -> TokenId {
        if (const auto token = vocabulary.find(part))
            return *token;
        const Utf8Character c = utf8At(part, 0);
        if (c.size != part.size())
            return kNoToken;
        const auto next = vocabulary.size() + static_cast<TokenId>(result.characters.size());
        const auto [place, isNew] = made.try_emplace(c.codePoint, next);
        if (isNew)
            result.characters.push_back(c.codePoint);
        return place->second;
    };
    const std::vector<std::uint32_t> ranks = ranksFromScores(scores);
    result.merges.reserve(static_cast<std::size_t>(vocabulary.size()) * 2);
    for (TokenId token = 0; token < vocabulary.size(); ++token)
    {
        const std::string_view text = vocabulary.text(token);
        if (text.empty() || vocabulary.find(text) != token)
            continue;
        for (std::size_t cut = utf8SizeFromLead(text.front()); cut < text.size(); cut += utf8SizeFromLead(text[cut]))
        {
            const TokenId left = partToken(text.substr(0, cut));
            const TokenId right = partToken(text.substr(cut));
            if (left != kNoToken && right != kNoToken)
                result.merges.add(left, right, {ranks[static_cast<std::size_t>(token)], token});
        }
    }
    return result;
}

} // namespace headscope::tokenize
