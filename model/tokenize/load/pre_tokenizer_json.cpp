// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/pre_tokenizer_json.h"

#include "model/unicode/unicode.h"

#include <fmt/format.h>

#include <array>

namespace headscope::tokenize
{
namespace
{

constexpr std::string_view kWordMark = "\xE2\x96\x81"; // U+2581

Result<SplitBehavior> behaviorFromJson(const JsonPlace& json, std::string_view otherwise)
{
    std::string_view name = otherwise;
    if (json.find("behavior"))
    {
        HEADSCOPE_TRY(name, json.string("behavior"));
    }
    constexpr std::array names{"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (name == names[i])
            return static_cast<SplitBehavior>(i);
    }
    return json.error(ErrorCode::Unsupported,
                      fmt::format("expected a split behavior (Removed, Isolated, MergedWithPrevious, MergedWithNext, "
                                  "Contiguous), found \"{}\"",
                                  name));
}

Status addSplit(const JsonPlace& json, PreTokenizer& preTokenizer, PreTokenizerTraits& traits)
{
    HEADSCOPE_TRY(const JsonPlace pattern, json.at("pattern"));
    HEADSCOPE_TRY(const SplitBehavior behavior, behaviorFromJson(json, ""));
    HEADSCOPE_TRY(const bool invert, json.boolean("invert", false));
    if (pattern.find("String"))
    {
        HEADSCOPE_TRY(const std::string_view text, pattern.string("String"));
        preTokenizer.add(cut::Text{std::string(text), behavior, invert});
        return {};
    }
    HEADSCOPE_TRY(const std::string_view text, pattern.string("Regex"));
    auto added = addPattern(text, behavior, invert, preTokenizer, traits);
    return added ? Status() : Status(std::move(added).error().atPlace(pattern.place()));
}

Status addByteLevel(const JsonPlace& json, PreTokenizer& preTokenizer, PreTokenizerTraits& traits)
{
    HEADSCOPE_TRY(const bool prefixSpace, json.boolean("add_prefix_space", true));
    HEADSCOPE_TRY(const bool usesPattern, json.boolean("use_regex", true));
    if (prefixSpace)
        preTokenizer.add(cut::PrefixSpace{});
    if (usesPattern)
    {
        HEADSCOPE_CHECK(
            addPattern(wordPatternText(WordPattern::Gpt2), SplitBehavior::Isolated, false, preTokenizer, traits));
    }
    preTokenizer.add(cut::ByteLevel{});
    traits.isByteLevel = true;
    return {};
}

Status addMetaspace(const JsonPlace& json, PreTokenizer& preTokenizer)
{
    cut::Metaspace step;
    step.replacement = kWordMark;
    if (json.find("replacement"))
    {
        HEADSCOPE_TRY(step.replacement, json.string("replacement"));
    }
    // Older files say add_prefix_space instead of prepend_scheme.
    HEADSCOPE_TRY(const bool prefixSpace, json.boolean("add_prefix_space", true));
    std::string_view scheme = prefixSpace ? "always" : "never";
    if (json.find("prepend_scheme"))
    {
        HEADSCOPE_TRY(scheme, json.string("prepend_scheme"));
    }
    if (scheme == "first")
        step.prefix = cut::Metaspace::Prefix::First;
    else if (scheme == "never")
        step.prefix = cut::Metaspace::Prefix::Never;
    else if (scheme != "always")
    {
        return json.error(ErrorCode::Unsupported,
                          fmt::format("expected the prepend_scheme first, never or always, found \"{}\"", scheme));
    }
    HEADSCOPE_TRY(const bool split, json.boolean("split", true));
    std::string replacement = step.replacement;
    preTokenizer.add(std::move(step));
    if (split)
        preTokenizer.add(cut::Text{std::move(replacement), SplitBehavior::MergedWithNext, false});
    return {};
}

/// The types that need no more than their name and a behaviour. @return whether it was one
Result<bool> addSimple(std::string_view type, const JsonPlace& json, PreTokenizer& preTokenizer,
                       PreTokenizerTraits& traits)
{
    if (type == "Digits")
    {
        HEADSCOPE_TRY(const bool individual, json.boolean("individual_digits", false));
        preTokenizer.add(cut::Characters{isNumber, individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous});
        traits.individualDigits = individual;
    }
    else if (type == "Whitespace")
    {
        preTokenizer.add(cut::WordRuns{});
    }
    else if (type == "WhitespaceSplit")
    {
        preTokenizer.add(cut::Characters{isWhitespace, SplitBehavior::Removed});
    }
    else if (type == "BertPreTokenizer")
    {
        preTokenizer.add(cut::Characters{isWhitespace, SplitBehavior::Removed});
        preTokenizer.add(cut::Characters{isBertPunctuation, SplitBehavior::Isolated});
    }
    else if (type == "Punctuation")
    {
        HEADSCOPE_TRY(const SplitBehavior behavior, behaviorFromJson(json, "Isolated"));
        preTokenizer.add(cut::Characters{isBertPunctuation, behavior});
    }
    else if (type == "CharDelimiterSplit")
    {
        HEADSCOPE_TRY(const std::string_view delimiter, json.string("delimiter"));
        preTokenizer.add(cut::Text{std::string(delimiter), SplitBehavior::Removed, false});
    }
    else
    {
        return false;
    }
    return true;
}

} // namespace

Status addPattern(std::string_view pattern, SplitBehavior behavior, bool invert, PreTokenizer& preTokenizer,
                  PreTokenizerTraits& traits)
{
    // The well-known patterns leave nothing between their matches, so what becomes of that is one.
    const bool keepsMatches =
        behavior == SplitBehavior::Isolated ? !invert : behavior == SplitBehavior::Removed && invert;
    const auto known = wordPatternFromText(pattern);
    if (known && keepsMatches)
    {
        constexpr std::array names{"GPT-2 pattern", "Llama 3 pattern", "Qwen2 pattern"};
        traits.pattern = names[static_cast<std::size_t>(*known)];
        preTokenizer.add(cut::Words{*known});
        return {};
    }
    HEADSCOPE_TRY(Regex regex, Regex::compile(pattern));
    traits.pattern = "its own pattern";
    preTokenizer.add(cut::Matches{std::move(regex), behavior, invert});
    return {};
}

Status addPreTokenizer(const JsonPlace& json, PreTokenizer& preTokenizer, PreTokenizerTraits& traits)
{
    HEADSCOPE_TRY(const std::string_view type, json.string("type"));
    if (type == "Sequence")
    {
        HEADSCOPE_TRY(const auto steps, json.list("pretokenizers"));
        for (const JsonPlace& step : steps)
            HEADSCOPE_CHECK(addPreTokenizer(step, preTokenizer, traits));
        return {};
    }
    if (type == "Split")
        return addSplit(json, preTokenizer, traits);
    if (type == "ByteLevel")
        return addByteLevel(json, preTokenizer, traits);
    if (type == "Metaspace")
        return addMetaspace(json, preTokenizer);
    HEADSCOPE_TRY(const bool isSimple, addSimple(type, json, preTokenizer, traits));
    if (isSimple)
        return {};
    return json.error(ErrorCode::Unsupported,
                      fmt::format("expected a pre-tokenizer that Headscope knows (ByteLevel, Split, Digits, Metaspace, "
                                  "Whitespace, WhitespaceSplit, Punctuation, BertPreTokenizer, CharDelimiterSplit, "
                                  "Sequence), found \"{}\"",
                                  type));
}

} // namespace headscope::tokenize
