// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/document_lines.h"

#include "model/base/output/output_file.h"
#include "model/formats/json_text.h"

#include <fmt/format.h>

#include <iterator>

namespace headscope
{

std::string documentLines(const DocumentSet& documents, std::span<const std::int64_t> rows, const WrittenLabels& labels)
{
    std::string lines;
    for (const std::int64_t row : rows)
    {
        const auto at = static_cast<std::size_t>(row);
        fmt::format_to(std::back_inserter(lines), R"({{"id":"{}")", row);
        if (labels.column != nullptr)
        {
            const std::int32_t code = labels.column->codes[at];
            lines += R"(,"label":)";
            lines += jsonQuoted(code < 0 ? std::string() : labels.names[static_cast<std::size_t>(code)]);
        }
        lines += R"(,"text":)";
        lines += jsonQuoted(documents.texts[at]);
        lines += "}\n";
    }
    return lines;
}

Status writeDocumentLines(const std::filesystem::path& path, const DocumentSet& documents,
                          std::span<const std::int64_t> rows, const WrittenLabels& labels)
{
    return writeFileAtomically(path, documentLines(documents, rows, labels));
}

} // namespace headscope
