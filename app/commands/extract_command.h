// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/encode_choices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope-engine extract`, as typed.
struct ExtractCommand
{
    static constexpr std::string_view kVerb = "extract";

    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string textColumn = "text";
    std::optional<std::string> idColumn;     ///< "": documents are numbered
    std::optional<std::string> labelColumns; ///< with commas between them; "": no labels
    std::string labelMap;
    bool lines = false;
    std::int64_t limit = 0;
    std::int64_t sample = 0;
    std::string topics;
    std::string label;
    std::string stages = "1,2,3";
    std::string layers = "last";
    std::string maxTokens = "auto";
    std::string pooling = "auto";
    EncodeChoices encode;
    std::string prompt;
    std::string device = "auto";
    std::string dtype = "auto";
    std::string memory;
    std::string store = "f32";
    std::int64_t shardMb = 64;
    bool resume = false; ///< this and range: reserved, refused by this version
    std::optional<std::string> range;

    void declare(shell::OptionTable& table);

private:
    void declareDocuments(shell::OptionTable& table);
    void declareModel(shell::OptionTable& table);

    friend bool operator==(const ExtractCommand&, const ExtractCommand&) = default;
};

} // namespace headscope::commands
