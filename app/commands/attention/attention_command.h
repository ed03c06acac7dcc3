// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/ablation_choices.h"
#include "app/commands/encode_choices.h"
#include "app/commands/run/text_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope-engine attention`, as typed.
struct AttentionCommand : PromptChoices
{
    static constexpr std::string_view kVerb = "attention";

    std::string model;
    std::string text;   ///< "-": standard input
    std::string ids;    ///< "1,5,9", in place of a text
    std::string corpus; ///< documents, in place of a text
    std::string textColumn = "text";
    bool lines = false;
    std::string separator = "auto"; ///< of the columns of a corpus
    std::string layers = "all";
    std::string heads;                      ///< "1-4,9", whose weights are kept; empty: all
    std::optional<std::int64_t> qkv;        ///< a layer
    std::optional<std::int64_t> thumbnails; ///< pixels along a side
    bool statistics = false;
    bool noWeights = false;
    bool paths = false;
    std::string query;       ///< "A:B"
    std::string span;        ///< "C:D"
    std::string activations; ///< "29:3", a head over the corpus
    std::int64_t sampleTokens = 20'000;
    bool noResume = false;
    std::string output;
    std::string maxTokens = "auto";
    EncodeChoices encode;
    AblationChoices ablation;
    std::string device = "auto";

    /// As words of a command line: the text is behind the model.
    void declare(Fields& table);
    /// As parameters of a request: the text is an option, and may be any.
    void declareServed(Fields& table);

    friend bool operator==(const AttentionCommand&, const AttentionCommand&) = default;

private:
    void declareOptions(Fields& table);
    void declareCorpus(Fields& table);
};

} // namespace headscope::commands
