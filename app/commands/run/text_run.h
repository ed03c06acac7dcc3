// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/encode_choices.h"

#include <string>

namespace headscope
{
class Fields;
struct Field;
} // namespace headscope

namespace headscope::commands
{

/// What a verb puts before texts, as typed.
struct PromptChoices
{
    std::string prompt;
    std::string promptName = "auto"; ///< of the model's own prompts; `prompt` wins

    /// Declares both.
    /// @param before  what they stand before: "every document and topic name"
    void promptFields(Fields& table, const std::string& before);

    friend bool operator==(const PromptChoices&, const PromptChoices&) = default;
};

/// How a verb runs texts through a model, as typed.
struct TextRun : PromptChoices
{
    std::string maxTokens = "auto";
    std::string pooling = "auto";
    EncodeChoices encode;
    std::string device = "auto";

    /// Declares all of them.
    /// @param what  is cut to the maximum length: "texts"
    void fields(Fields& table, const std::string& what);

    friend bool operator==(const TextRun&, const TextRun&) = default;

protected:
    /// Those of where in the text vectors are taken.
    void placeFields(Fields& table, const std::string& what);
    /// Those of how the text gets into the model.
    void inputFields(Fields& table);
};

/// The same for a verb that gives vectors of all stages.
struct VectorRun : TextRun
{
    std::string lastLayer = "normed"; ///< "raw": stage 3 of the last layer before the final norm
    std::string embedding = "auto";   ///< "none": without what the modules of the model make of the full vector

    void fields(Fields& table, const std::string& what);

    friend bool operator==(const VectorRun&, const VectorRun&) = default;
};

} // namespace headscope::commands
