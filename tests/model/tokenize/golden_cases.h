// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/formats/json.h"
#include "model/tokenize/tokenizer.h"

#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace headscope::test
{

/// One line of a JSONL file of recorded tokens; absent and null fields are empty.
struct TokenCase
{
    std::string tokenizer;
    std::string text;
    std::vector<TokenId> ids;
    std::optional<std::int64_t> maxLength;
    std::optional<std::int64_t> numPrefix;
    std::optional<std::int64_t> numSuffix;
    std::optional<bool> truncated;
    std::optional<bool> addBos;
    std::optional<bool> addEos;
};

/// The text of a file, compressed by gzip or not; ends the program when it is broken, which is a broken checkout.
inline std::string unzippedText(const std::filesystem::path& path)
{
    const gzFile file = gzopen(path.c_str(), "rb");
    std::array<char, 65536> piece{};
    std::string text;
    int read = -1;
    while (file != nullptr && (read = gzread(file, piece.data(), piece.size())) > 0)
        text.append(piece.data(), static_cast<std::size_t>(read));
    if (read != 0 || gzclose(file) != Z_OK)
    {
        std::fprintf(stderr, "golden file %s: cannot be read\n", path.c_str());
        std::exit(1);
    }
    return text;
}

/// Reads all cases of a file; ends the program when it is broken, which is a broken checkout.
inline std::vector<TokenCase> readTokenCases(const std::filesystem::path& path)
{
    const auto integer = [](JsonView view, std::string_view key) -> std::optional<std::int64_t> {
        const auto found = view.find(key);
        if (!found || found->isNull())
            return std::nullopt;
        return found->asInt().value();
    };
    const auto boolean = [](JsonView view, std::string_view key) -> std::optional<bool> {
        const auto found = view.find(key);
        if (!found || found->isNull())
            return std::nullopt;
        return found->asBool().value();
    };
    std::vector<TokenCase> cases;
    JsonParser parser;
    std::istringstream file(unzippedText(path));
    for (std::string line; std::getline(file, line);)
    {
        const JsonView view = parser.parseLine(line).value();
        TokenCase c;
        c.tokenizer = view.find("tokenizer")->asString().value();
        c.text = view.find("text")->asString().value();
        for (const JsonView id : view.find("ids")->elements())
            c.ids.push_back(static_cast<TokenId>(id.asInt().value()));
        c.maxLength = integer(view, "max_length");
        c.numPrefix = integer(view, "n_prefix");
        c.numSuffix = integer(view, "n_suffix");
        c.truncated = boolean(view, "truncated");
        c.addBos = boolean(view, "add_bos_token");
        c.addEos = boolean(view, "add_eos_token");
        cases.push_back(std::move(c));
    }
    return cases;
}

/// Ids in a line, for messages.
inline std::string idsText(const std::vector<TokenId>& ids)
{
    std::string text;
    for (std::size_t i = 0; i < ids.size() && i < 60; ++i)
        text += std::to_string(ids[i]) + " ";
    return text;
}

} // namespace headscope::test
