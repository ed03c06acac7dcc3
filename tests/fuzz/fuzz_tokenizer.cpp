// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer.json, then a byte 0xFF, then a text (or a text alone, for tokenizers that are well):
// every id must be one of the vocabulary.
#include "model/tokenize/tokenizer.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

using namespace headscope;

constexpr std::string_view kByteLevel = R"({"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "ByteLevel",
    "add_prefix_space": false, "use_regex": true}, "added_tokens": [{"id": 4, "content": "<s>", "special": true}],
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "aba": 3}, "merges": ["a b", "ab a"]}})";
constexpr std::string_view kWordPiece = R"({"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer":
    {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "##b": 2}}})";
constexpr std::string_view kUnigram = R"({"normalizer": {"type": "Replace", "pattern": {"Regex": " {2,}"},
    "content": " "}, "pre_tokenizer": {"type": "Metaspace"}, "added_tokens": [{"id": 0, "content": "<s>",
    "special": true}], "model": {"type": "Unigram", "unk_id": 1, "vocab": [["<s>", 0], ["<unk>", 0], ["\u2581", -2],
    ["a", -3], ["\u2581ab", -4.5], ["b", -2.5], ["\u00e9", -9]]}})";

void encode(const Tokenizer& tokenizer, std::string_view text)
{
    for (const std::size_t most : {std::size_t{1}, std::size_t{16}, SIZE_MAX})
    {
        EncodeOptions options;
        options.maxTokens = most;
        options.specialTokens = most == 16 ? SpecialTokens::Text : SpecialTokens::Parse;
        const auto encoding = tokenizer.encode(text, options);
        if (!encoding)
            continue;
        if (encoding->ids.size() > most)
            std::abort();
        for (const TokenId id : encoding->ids)
        {
            if (id < 0 || id >= tokenizer.vocabularySize() || (most == 16 && tokenizer.tokenText(id).size() > 1 << 20))
                std::abort();
        }
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto byteLevel = Tokenizer::fromJson(kByteLevel, "", "fuzz");
    static const auto wordPiece = Tokenizer::fromJson(kWordPiece, "", "fuzz");
    static const auto unigram = Tokenizer::fromJson(kUnigram, "", "fuzz");
    if (!byteLevel || !wordPiece || !unigram)
        std::abort();
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t border = input.find('\xFF');
    if (border != std::string_view::npos)
    {
        if (const auto tokenizer = Tokenizer::fromJson(input.substr(0, border), "", "fuzz"))
            encode(*tokenizer, input.substr(border + 1));
    }
    encode(*byteLevel, input);
    encode(*wordPiece, input);
    encode(*unigram, input);
    return 0;
}
