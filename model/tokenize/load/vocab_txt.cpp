// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/vocab_txt.h"

#include "model/formats/json_text.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace headscope::tokenize
{
namespace
{

constexpr std::array<std::string_view, 5> kSpecialTokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

} // namespace

Result<std::string> tokenizerJsonOfVocabulary(std::string_view text, std::string_view file)
{
    std::string vocabulary;
    std::map<std::string_view, std::size_t> special;
    for (std::size_t id = 0; !text.empty(); ++id)
    {
        const std::size_t end = text.find('\n');
        std::string_view token = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (token.ends_with('\r'))
            token.remove_suffix(1);
        for (const std::string_view name : kSpecialTokens)
            if (token == name)
                special[name] = id;
        vocabulary += fmt::format("{}{}:{}", id == 0 ? "" : ",", jsonQuoted(token), id);
    }
    std::string added;
    for (const std::string_view name : kSpecialTokens)
    {
        if (special.contains(name))
            added += fmt::format(R"({}{{"id":{},"content":"{}","special":true}})", added.empty() ? "" : ",",
                                 special[name], name);
        else if (name != "[PAD]" && name != "[MASK]")
            return Error{
                ErrorCode::BadFormat, fmt::format("expected a line with {}, found none", name), std::string(file), {}};
    }
    return fmt::format(R"({{"added_tokens":[{}],"normalizer":{{"type":"BertNormalizer","clean_text":true,)"
                       R"("handle_chinese_chars":true,"strip_accents":null,"lowercase":true}},)"
                       R"("pre_tokenizer":{{"type":"BertPreTokenizer"}},)"
                       R"("post_processor":{{"type":"BertProcessing","sep":["[SEP]",{}],"cls":["[CLS]",{}]}},)"
                       R"("model":{{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
                       R"("max_input_chars_per_word":100,"vocab":{{{}}}}}}})",
                       added, special["[SEP]"], special["[CLS]"], vocabulary);
}

} // namespace headscope::tokenize
