// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/normalizer.h"

#include "model/base/utf8.h"
#include "model/tokenize/byte_level.h"

#include <fmt/format.h>

#include <cstddef>

namespace headscope::tokenize
{
namespace
{

/// Bytes that a text of `bytes` may grow to. No normalizer in use comes near: a compatibility form makes at most 33
/// bytes of 3, writing bytes as characters doubles, a replaced space triples. Entries that double what the one
/// before has doubled would fill any memory.
std::size_t mostAfter(std::size_t bytes)
{
    constexpr std::size_t kGrowth = 64;
    constexpr std::size_t kAdded = std::size_t{1} << 16; // of a text in front
    return bytes * kGrowth + kAdded;
}

Error tooLong(std::size_t most)
{
    return {ErrorCode::BadFormat,
            fmt::format("the tokenizer's normalizer makes a text longer than {} bytes, which is more than 64 times its "
                        "length",
                        most),
            {},
            {}};
}

/// Keeps the characters for which `keep` holds.
template <class Keep>
std::string filtered(std::string_view text, const Keep& keep)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        if (keep(c.codePoint))
            result.append(text.substr(i, c.size));
        i += c.size;
    }
    return result;
}

Status applyStep(const normalize::Prepend& step, std::string& text, std::size_t /*most*/)
{
    if (!text.empty())
        text.insert(0, step.content);
    return {};
}

Status applyStep(const normalize::ReplaceText& step, std::string& text, std::size_t most)
{
    std::size_t found = step.pattern.empty() ? std::string::npos : text.find(step.pattern);
    if (found == std::string::npos)
        return {};
    std::string result;
    result.reserve(text.size() + text.size() / 4);
    std::size_t done = 0;
    while (found != std::string::npos)
    {
        result.append(text, done, found - done).append(step.content);
        if (result.size() > most)
            return tooLong(most);
        done = found + step.pattern.size();
        found = text.find(step.pattern, done);
    }
    result.append(text, done);
    text = std::move(result);
    return {};
}

Status applyStep(const normalize::ReplaceMatches& step, std::string& text, std::size_t most)
{
    std::string result;
    std::size_t done = 0;
    Regex::Matches matches = step.pattern.matches(text);
    while (true)
    {
        HEADSCOPE_TRY(const auto match, matches.next());
        if (!match)
            break;
        result.append(text, done, match->begin - done).append(step.content);
        if (result.size() > most)
            return tooLong(most);
        done = match->end;
    }
    result.append(text, done);
    text = std::move(result);
    return {};
}

Status applyStep(const normalize::Strip& step, std::string& text, std::size_t /*most*/)
{
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (step.left && begin < end)
    {
        const Utf8Character c = utf8At(text, begin);
        if (!isWhitespace(c.codePoint))
            break;
        begin += c.size;
    }
    while (step.right && end > begin)
    {
        std::size_t at = end - 1;
        while ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
            --at;
        if (!isWhitespace(utf8At(text, at).codePoint))
            break;
        end = at;
    }
    text = text.substr(begin, end - begin);
    return {};
}

Status applyStep(const normalize::Lowercase& /*step*/, std::string& text, std::size_t /*most*/)
{
    text = lowerCase(text);
    return {};
}

Status applyStep(const normalize::Form& step, std::string& text, std::size_t /*most*/)
{
    text = normalized(text, step.form);
    return {};
}

Status applyStep(const normalize::StripAccents& /*step*/, std::string& text, std::size_t /*most*/)
{
    text = filtered(text, [](char32_t c) { return !isReferenceMark(c); });
    return {};
}

Status applyStep(const normalize::ByteLevel& /*step*/, std::string& text, std::size_t /*most*/)
{
    std::string result;
    appendByteLevel(result, text);
    text = std::move(result);
    return {};
}

/// The first two of BERT's steps, in one pass.
std::string cleaned(const normalize::Bert& step, std::string_view text)
{
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        const std::string_view bytes = text.substr(i, c.size);
        i += c.size;
        const char32_t point = c.codePoint;
        if (step.cleanText && (point == 0 || point == 0xFFFD || isBertControl(point)))
            continue;
        if (step.cleanText && isWhitespace(point))
            result.push_back(' ');
        else if (step.spaceIdeographs && isBertIdeograph(point))
            result.append(" ").append(bytes).append(" ");
        else
            result.append(bytes);
    }
    return result;
}

Status applyStep(const normalize::Bert& step, std::string& text, std::size_t /*most*/)
{
    text = cleaned(step, text);
    if (step.stripAccents)
    {
        text = normalized(text, NormalForm::Nfd);
        text = filtered(text, [](char32_t c) { return !isReferenceNonspacingMark(c); });
    }
    if (step.lowercase)
        text = lowerCase(text);
    return {};
}

Status applyStep(const normalize::Precompiled& step, std::string& text, std::size_t most)
{
    constexpr std::size_t kLookedUpWhole = 6; // bytes; as long ones are not
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    const auto replaced = [&](std::string_view piece) {
        const auto found = step.charsmap.find(piece);
        if (found)
            result.append(*found);
        return found.has_value();
    };
    for (std::size_t at = 0; at < text.size() && result.size() <= most;)
    {
        const std::size_t end = clusterEnd(text, at);
        const std::string_view cluster = std::string_view(text).substr(at, end - at);
        at = end;
        if (cluster.size() < kLookedUpWhole && replaced(cluster))
            continue;
        for (std::size_t i = 0; i < cluster.size() && result.size() <= most;)
        {
            const std::string_view character = cluster.substr(i, utf8SizeFromLead(cluster[i]));
            if (!replaced(character))
                result.append(character);
            i += character.size();
        }
    }
    text = std::move(result);
    return {};
}

} // namespace

void Normalizer::add(normalize::Step step)
{
    m_steps.push_back(std::move(step));
}

Status Normalizer::apply(std::string& text, bool& keepsStart) const
{
    const std::size_t most = mostAfter(text.size());
    for (const normalize::Step& step : m_steps)
    {
        const auto* strip = std::get_if<normalize::Strip>(&step);
        if (strip != nullptr && strip->left && !text.empty() && isWhitespace(utf8At(text, 0).codePoint))
            keepsStart = false;
        HEADSCOPE_CHECK(std::visit([&](const auto& s) { return applyStep(s, text, most); }, step));
        if (text.size() > most)
            return tooLong(most);
    }
    return {};
}

} // namespace headscope::tokenize
