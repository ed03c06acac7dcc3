// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/ablation_choices.h"
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

/// `headscope-engine extract`, as typed.
struct ExtractCommand : VectorRun
{
    static constexpr std::string_view kVerb = "extract";

    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string into; ///< a cache to add to, in place of an output
    std::string textColumn = "text";
    std::optional<std::string> idColumn;      ///< "": documents are numbered
    std::optional<std::string> labelColumns;  ///< with commas between them; "": no labels
    std::optional<std::string> numberColumns; ///< the same
    std::string duplicateIds = "error";
    std::string labelLists = "first";
    std::string labelMap;
    std::string separator = "auto";
    bool lines = false;
    std::int64_t limit = 0;
    std::int64_t sample = 0;
    std::string topics;
    std::string topicTemplate;
    std::string label;
    std::optional<std::string> stages; ///< "1,2,3"; with `into` those of the cache
    std::optional<std::string> layers; ///< "last"; with `into` those of the cache
    std::string dtype = "auto";
    std::string memory;
    std::string store = "f32";
    std::int64_t shardMb = 64;
    bool resume = false; ///< the default; for scripts that say it
    bool noResume = false;
    std::string range; ///< "A:B"; empty: all
    AblationChoices ablation;

    void declare(Fields& table);

private:
    void declareDocuments(Fields& table);
    void declareChosen(Fields& table);
    void declareModel(Fields& table);
    void declareComputing(Fields& table);

    friend bool operator==(const ExtractCommand&, const ExtractCommand&) = default;
};

/// `headscope-engine merge`, as typed.
struct MergeCommand
{
    static constexpr std::string_view kVerb = "merge";

    std::vector<std::string> parts; ///< files and folders
    std::string output;

    void declare(Fields& table);

    friend bool operator==(const MergeCommand&, const MergeCommand&) = default;
};

/// `headscope-engine status`, as typed.
struct StatusCommand
{
    static constexpr std::string_view kVerb = "status";

    std::string path; ///< a folder or a cache

    void declare(Fields& table);

    friend bool operator==(const StatusCommand&, const StatusCommand&) = default;
};

} // namespace headscope::commands
