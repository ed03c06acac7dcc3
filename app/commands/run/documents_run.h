// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/text_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::commands
{

/// How a verb reads documents and runs them through a model, as typed.
struct DocumentsRun : TextRun
{
    std::vector<std::string> inputs; ///< files of documents
    std::string textColumn = "text";
    std::optional<std::string> idColumn;
    bool lines = false;
    std::string separator = "auto";
    std::int64_t limit = 0;
    std::int64_t sample = 0;

    friend bool operator==(const DocumentsRun&, const DocumentsRun&) = default;

protected:
    /// Declares the inputs, a positional that need not be there unless the caller says so.
    Field& inputsField(Fields& table);
    /// Declares the rest.
    void documentFields(Fields& table);
};

} // namespace headscope::commands
