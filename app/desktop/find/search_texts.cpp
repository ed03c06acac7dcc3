// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/search_texts.h"

#include "model/base/parallel.h"
#include "ui/words/wording.h"

#include <string_view>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

struct BlockFound
{
    std::vector<ui::TextHit> hits;
    std::int64_t gaveUp = 0;
};

void searchDocument(const DocumentSet& documents, const ui::TextQuery& query, DocumentIndex document, BlockFound& found)
{
    const auto index = document.index();
    if (query.rulesOut(documents.texts.empty() ? std::string_view() : documents.texts[index], documents.ids[index]))
        return;
    const QString text = documents.texts.empty() ? QString() : ui::toQString(documents.texts[index]);
    const QString id = ui::toQString(documents.ids[index]);
    const ui::TextQuery::Match match = query.match(text, id);
    found.gaveUp += match.gaveUp ? 1 : 0;
    if (!match.found)
        return;
    ui::TextHit hit;
    hit.document = document;
    hit.count = std::ssize(match.inText) + std::ssize(match.inId);
    hit.inId = match.inText.empty();
    hit.line = hit.inId ? ui::lineAround(id, match.inId) : ui::lineAround(text, match.inText);
    found.hits.push_back(std::move(hit));
}

} // namespace

Result<std::shared_ptr<const ui::SearchResult>> searchTexts(const DocumentSet& documents, const ui::TextQuery& query,
                                                            const std::vector<std::int64_t>* among, int numThreads,
                                                            JobContext& job)
{
    constexpr std::int64_t kBlock = 64;
    const std::int64_t count = among == nullptr ? documents.count() : std::ssize(*among);
    auto result = std::make_shared<ui::SearchResult>();
    result->query = query;
    result->searched = documents.count();
    if (query.isEmpty())
        return std::shared_ptr<const ui::SearchResult>(std::move(result));
    job.report("searching", 0, static_cast<std::uint64_t>(count), "documents");
    std::vector<BlockFound> blocks(static_cast<std::size_t>(blockCount(count, kBlock)));
    parallelForBlocks(numThreads, count, kBlock, [&](const Block& block, int) {
        BlockFound& found = blocks[static_cast<std::size_t>(block.index)];
        for (std::int64_t i = block.begin; i < block.end && !job.stopRequested(); ++i)
            searchDocument(documents, query,
                           DocumentIndex(among == nullptr ? i : (*among)[static_cast<std::size_t>(i)]), found);
    });
    HEADSCOPE_CHECK(job.checkStop());
    for (BlockFound& found : blocks)
    {
        for (ui::TextHit& hit : found.hits)
        {
            result->occurrences += hit.count;
            result->hits.push_back(std::move(hit));
        }
        result->gaveUp += found.gaveUp;
    }
    return std::shared_ptr<const ui::SearchResult>(std::move(result));
}

} // namespace headscope::desktop
