// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_set.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Labels to be written beside texts: a column, and what stands in it for each category; an empty name is no label.
struct WrittenLabels
{
    const LabelColumn* column = nullptr; ///< null: none are written
    std::vector<std::string> names;      ///< [categories]
};

/// A text as a line of JSONL that DocumentReader reads: "id", "label" where there is one, and "text".
[[nodiscard]] std::string textLine(std::string_view id, std::string_view text,
                                   std::optional<std::string_view> label = std::nullopt);

/// Documents of a cache as such lines, with the number of the row as the id, and with labels where they are written.
[[nodiscard]] std::string documentLines(const DocumentSet& documents, std::span<const std::int64_t> rows,
                                        const WrittenLabels& labels = {});

/// Writes documentLines().
/// @errors those of writeFileAtomically
[[nodiscard]] Status writeDocumentLines(const std::filesystem::path& path, const DocumentSet& documents,
                                        std::span<const std::int64_t> rows, const WrittenLabels& labels = {});

} // namespace headscope
