// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/normalizer_json.h"

#include <fmt/format.h>

namespace headscope::tokenize
{
namespace
{

Status addReplace(const JsonPlace& json, Normalizer& normalizer)
{
    HEADSCOPE_TRY(const JsonPlace pattern, json.at("pattern"));
    HEADSCOPE_TRY(const std::string_view content, json.string("content"));
    if (pattern.find("String"))
    {
        HEADSCOPE_TRY(const std::string_view text, pattern.string("String"));
        normalizer.add(normalize::ReplaceText{std::string(text), std::string(content)});
        return {};
    }
    HEADSCOPE_TRY(const std::string_view text, pattern.string("Regex"));
    auto regex = Regex::compile(text);
    if (!regex)
        return std::move(regex).error().atPlace(pattern.place());
    normalizer.add(normalize::ReplaceMatches{std::move(*regex), std::string(content)});
    return {};
}

Status addBert(const JsonPlace& json, const BertOverrides& overrides, Normalizer& normalizer)
{
    normalize::Bert bert;
    HEADSCOPE_TRY(bert.cleanText, json.boolean("clean_text", true));
    HEADSCOPE_TRY(bert.spaceIdeographs, json.boolean("handle_chinese_chars", true));
    HEADSCOPE_TRY(bert.lowercase, json.boolean("lowercase", true));
    bert.lowercase = overrides.lowercase.value_or(bert.lowercase);
    bert.spaceIdeographs = overrides.spaceIdeographs.value_or(bert.spaceIdeographs);
    // Without a word on accents, they go where upper case goes.
    HEADSCOPE_TRY(bert.stripAccents, json.boolean("strip_accents", bert.lowercase));
    bert.stripAccents = overrides.stripAccents.value_or(bert.stripAccents);
    normalizer.add(bert);
    return {};
}

Status addPrecompiled(const JsonPlace& json, Normalizer& normalizer)
{
    HEADSCOPE_TRY(const JsonPlace table, json.at("precompiled_charsmap"));
    HEADSCOPE_TRY(const std::string_view text, table.string());
    auto charsmap = Charsmap::fromBase64(text);
    if (!charsmap)
        return std::move(charsmap).error().atPlace(table.place());
    normalizer.add(normalize::Precompiled{std::move(*charsmap)});
    return {};
}

std::optional<NormalForm> normalFormFromName(std::string_view name)
{
    if (name == "NFC")
        return NormalForm::Nfc;
    if (name == "NFD")
        return NormalForm::Nfd;
    if (name == "NFKC")
        return NormalForm::Nfkc;
    if (name == "NFKD")
        return NormalForm::Nfkd;
    return std::nullopt;
}

} // namespace

Status addNormalizer(const JsonPlace& json, const BertOverrides& overrides, Normalizer& normalizer)
{
    HEADSCOPE_TRY(const std::string_view type, json.string("type"));
    if (type == "Sequence")
    {
        HEADSCOPE_TRY(const auto steps, json.list("normalizers"));
        for (const JsonPlace& step : steps)
            HEADSCOPE_CHECK(addNormalizer(step, overrides, normalizer));
        return {};
    }
    if (const auto form = normalFormFromName(type))
    {
        normalizer.add(normalize::Form{*form});
        return {};
    }
    if (type == "Replace")
        return addReplace(json, normalizer);
    if (type == "BertNormalizer")
        return addBert(json, overrides, normalizer);
    if (type == "Precompiled")
        return addPrecompiled(json, normalizer);
    if (type == "Prepend")
    {
        HEADSCOPE_TRY(const std::string_view content, json.string("prepend"));
        normalizer.add(normalize::Prepend{std::string(content)});
        return {};
    }
    if (type == "Strip")
    {
        normalize::Strip strip;
        HEADSCOPE_TRY(strip.left, json.boolean("strip_left", true));
        HEADSCOPE_TRY(strip.right, json.boolean("strip_right", true));
        normalizer.add(strip);
        return {};
    }
    if (type == "Lowercase")
        normalizer.add(normalize::Lowercase{});
    else if (type == "StripAccents")
        normalizer.add(normalize::StripAccents{});
    else if (type == "ByteLevel")
        normalizer.add(normalize::ByteLevel{});
    else
    {
        return json.error(ErrorCode::Unsupported,
                          fmt::format("expected a normalizer that Headscope knows (NFC, NFD, NFKC, NFKD, Prepend, "
                                      "Replace, Strip, StripAccents, Lowercase, ByteLevel, BertNormalizer, "
                                      "Precompiled, Sequence), found \"{}\"",
                                      type));
    }
    return {};
}

} // namespace headscope::tokenize
