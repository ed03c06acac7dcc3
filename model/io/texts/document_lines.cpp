// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/document_lines.h"

#include "model/base/output/output_file.h"
#include "model/formats/json_text.h"

namespace headscope
{

std::string textLine(std::string_view id, std::string_view text, std::optional<std::string_view> label)
{
    std::string line = R"({"id":)" + jsonQuoted(id);
    if (label)
        line += R"(,"label":)" + jsonQuoted(*label);
    return line + R"(,"text":)" + jsonQuoted(text) + "}\n";
}

std::string documentLines(const DocumentSet& documents, std::span<const std::int64_t> rows, const WrittenLabels& labels)
{
    std::string lines;
    for (const std::int64_t row : rows)
    {
        const auto at = static_cast<std::size_t>(row);
        std::optional<std::string_view> label;
        if (labels.column != nullptr)
        {
            const std::int32_t code = labels.column->codes[at];
            label = code < 0 ? std::string_view() : labels.names[static_cast<std::size_t>(code)];
        }
        lines += textLine(std::to_string(row), documents.texts[at], label);
    }
    return lines;
}

Status writeDocumentLines(const std::filesystem::path& path, const DocumentSet& documents,
                          std::span<const std::int64_t> rows, const WrittenLabels& labels)
{
    return writeFileAtomically(path, documentLines(documents, rows, labels));
}

} // namespace headscope
