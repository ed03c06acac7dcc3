// SPDX-License-Identifier: GPL-3.0-or-later
// The named sets as they are kept for next time.
#include "app/desktop/find/find_controller.h"

#include "model/data/kept_work.h"
#include "ui/words/wording.h"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The rows of these documents; the ids decide, which stay when rows do not.
std::vector<std::int64_t> rowsOf(const KeptSet& set, const DocumentSet& documents, std::int64_t& unknown)
{
    std::vector<std::int64_t> rows;
    std::unordered_map<std::string_view, std::int64_t> rowOf;
    for (std::size_t i = 0; i < set.documents.size(); ++i)
    {
        const auto row = static_cast<std::size_t>(set.documents[i]);
        if (row < documents.ids.size() && documents.ids[row] == set.ids[i])
        {
            rows.push_back(set.documents[i]);
            continue;
        }
        if (rowOf.empty())
            for (std::size_t each = 0; each < documents.ids.size(); ++each)
                rowOf.try_emplace(documents.ids[each], static_cast<std::int64_t>(each));
        if (const auto found = rowOf.find(set.ids[i]); found != rowOf.end())
            rows.push_back(found->second);
        else
            ++unknown;
    }
    return rows;
}

} // namespace

ui::NamedSets::FromJson FindController::setsOfLastTime() const
{
    const OpenedCache& cache = *m_study.cache();
    const DocumentSet& documents = *cache.overview->documents;
    if (!cache.work) // only of this sitting
        return ui::NamedSets::fromJson(m_setsOf.value(m_setsPath), documents);
    ui::NamedSets::FromJson kept;
    for (const KeptSet& set : cache.work->work.sets)
    {
        const auto index = kept.sets.keep(ui::toQString(set.name), rowsOf(set, documents, kept.unknownIds),
                                          QColor::fromRgb(QRgb(0xFF000000U | set.color)));
        kept.sets.setOnMap(index, set.onMap);
    }
    return kept;
}

void FindController::addWork(KeptWork& work) const
{
    constexpr std::uint32_t kColorBits = 0xFFFFFF;
    if (m_setsDocuments == nullptr)
        return;
    for (const ui::NamedSet& set : hub().sets().all())
    {
        KeptSet kept{ui::toStdString(set.name), set.color.rgb() & kColorBits, set.onMap, {}, {}};
        for (const std::int64_t document : set.documents)
        {
            if (document < 0 || document >= m_setsDocuments->count())
                continue;
            kept.documents.push_back(document);
            kept.ids.push_back(m_setsDocuments->ids[static_cast<std::size_t>(document)]);
        }
        work.sets.push_back(std::move(kept));
    }
}

void FindController::forgetWork()
{
    hub().setSets({});
}

} // namespace headscope::desktop
