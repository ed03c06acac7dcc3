// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/text_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope-engine importance`, as typed.
struct ImportanceCommand : TextRun
{
    static constexpr std::string_view kVerb = "importance";

    std::string model;
    std::vector<std::string> inputs; ///< files of documents, or one cache
    std::string rows;                ///< of the cache; empty: all
    std::string output;
    std::string layers = "last";
    std::string units = "heads"; ///< or "groups"
    std::string ablation = "zero";
    std::string reference;
    std::int64_t masks = 0;           ///< 0: ten for each player
    std::optional<std::string> label; ///< column of the match; "": none; nothing: the first
    std::string topics;               ///< file of topic names; empty: the labels of the documents
    std::string topicTemplate;
    std::string textColumn = "text";
    std::optional<std::string> idColumn;
    bool lines = false;
    std::string separator = "auto";
    std::int64_t limit = 0;
    std::int64_t sample = 0;

    /// The parameters of a request are the same.
    void declare(Fields& table);

    friend bool operator==(const ImportanceCommand&, const ImportanceCommand&) = default;

private:
    void declareDocuments(Fields& table);
};

} // namespace headscope::commands
