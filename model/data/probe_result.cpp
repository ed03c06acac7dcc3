// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/probe_result.h"

#include <algorithm>

namespace headscope
{

std::vector<std::int64_t> documentsOfCell(const ProbeResult& result, std::int64_t truth, std::int64_t predicted)
{
    std::vector<std::int64_t> documents;
    const std::size_t rows = std::min({result.testDocuments.size(), result.truths.size(), result.predictions.size()});
    for (std::size_t i = 0; i < rows; ++i)
    {
        if (result.truths[i] == truth && result.predictions[i] == predicted)
            documents.push_back(result.testDocuments[i]);
    }
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
}

} // namespace headscope
