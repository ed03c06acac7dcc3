// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/post_processor_json.h"

#include <fmt/format.h>

namespace headscope::tokenize
{
namespace
{

Result<TokenId> tokenFromJson(const JsonPlace& json, const Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const std::int64_t id, json.integer());
    if (id < 0 || id >= vocabulary.size() || !vocabulary.has(static_cast<TokenId>(id)))
    {
        return json.error(ErrorCode::BadFormat,
                          fmt::format("expected the id of a token, below {}, found {}", vocabulary.size(), id));
    }
    return static_cast<TokenId>(id);
}

void surround(std::vector<TokenId> prefix, const std::vector<TokenId>& suffix, Frame& frame)
{
    prefix.insert(prefix.end(), frame.prefix.begin(), frame.prefix.end());
    frame.prefix = std::move(prefix);
    frame.suffix.insert(frame.suffix.end(), suffix.begin(), suffix.end());
}

Status addTemplate(const JsonPlace& json, const Vocabulary& vocabulary, Frame& frame)
{
    HEADSCOPE_TRY(const JsonPlace single, json.at("single"));
    HEADSCOPE_TRY(const auto items, single.list());
    std::vector<TokenId> before;
    std::vector<TokenId> after;
    int texts = 0;
    for (const JsonPlace& item : items)
    {
        if (item.find("Sequence"))
        {
            ++texts;
            continue;
        }
        HEADSCOPE_TRY(const JsonPlace special, item.at("SpecialToken"));
        HEADSCOPE_TRY(const std::string_view name, special.string("id"));
        HEADSCOPE_TRY(const JsonPlace table, json.at("special_tokens"));
        HEADSCOPE_TRY(const JsonPlace entry, table.at(name));
        HEADSCOPE_TRY(const JsonPlace idList, entry.at("ids"));
        HEADSCOPE_TRY(const auto ids, idList.list());
        for (const JsonPlace& id : ids)
        {
            HEADSCOPE_TRY(const TokenId token, tokenFromJson(id, vocabulary));
            (texts == 0 ? before : after).push_back(token);
        }
    }
    if (texts != 1)
        return single.error(ErrorCode::BadFormat,
                            fmt::format("expected the text once in the template, found it {} times", texts));
    surround(std::move(before), after, frame);
    return {};
}

/// `["</s>", 2]`
Result<TokenId> pairToken(const JsonPlace& json, std::string_view key, const Vocabulary& vocabulary)
{
    HEADSCOPE_TRY(const JsonPlace pair, json.at(key));
    HEADSCOPE_TRY(const auto items, pair.list());
    if (items.size() != 2)
        return pair.error(ErrorCode::BadFormat,
                          fmt::format("expected a token and its id, found {} items", items.size()));
    return tokenFromJson(items[1], vocabulary);
}

} // namespace

Status addPostProcessor(const JsonPlace& json, const Vocabulary& vocabulary, Frame& frame)
{
    HEADSCOPE_TRY(const std::string_view type, json.string("type"));
    if (type == "ByteLevel") // tells where tokens begin and end, adds none
        return {};
    if (type == "Sequence")
    {
        HEADSCOPE_TRY(const auto steps, json.list("processors"));
        for (const JsonPlace& step : steps)
            HEADSCOPE_CHECK(addPostProcessor(step, vocabulary, frame));
        return {};
    }
    if (type == "TemplateProcessing")
        return addTemplate(json, vocabulary, frame);
    if (type == "BertProcessing" || type == "RobertaProcessing")
    {
        HEADSCOPE_TRY(const TokenId first, pairToken(json, "cls", vocabulary));
        HEADSCOPE_TRY(const TokenId last, pairToken(json, "sep", vocabulary));
        surround({first}, {last}, frame);
        return {};
    }
    return json.error(ErrorCode::Unsupported,
                      fmt::format("expected a post-processor that Headscope knows (TemplateProcessing, ByteLevel, "
                                  "BertProcessing, RobertaProcessing, Sequence), found \"{}\"",
                                  type));
}

} // namespace headscope::tokenize
