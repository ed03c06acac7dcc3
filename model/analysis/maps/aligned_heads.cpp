// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/aligned_heads.h"

#include "model/analysis/maps/aligned_maps.h"
#include "model/analysis/maps/measure_map.h"
#include "model/base/numbers/all_finite.h"
#include "model/data/application_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

/// Members with the rows of the documents that can be in every map.
struct Chosen
{
    std::vector<std::int64_t> documents;
    std::int64_t leftOut = 0;
    std::vector<std::shared_ptr<const HeadVectors>> vectors; ///< of each member
    std::vector<AlignedSet> sets;                            ///< of each member
};

bool isFinite(const AlignedMember& member, DocumentIndex document)
{
    const auto row =
        member.head < 0 ? member.vectors->full(document) : member.vectors->vector(document, HeadIndex(member.head));
    return allFinite(row);
}

/// Points each member at its rows of these documents.
void takeSets(std::span<const AlignedMember> members, Chosen& chosen)
{
    std::shared_ptr<const HeadVectors> from;
    std::shared_ptr<const HeadVectors> rows;
    for (const AlignedMember& member : members)
    {
        if (member.vectors != from)
        {
            from = member.vectors;
            rows = takeRows(from, chosen.documents);
        }
        chosen.vectors.push_back(rows);
        const ConstMatrixView full(rows->values().data(), rows->documents(), rows->heads() * rows->dims());
        chosen.sets.push_back({member.head < 0 ? full : rows->head(HeadIndex(member.head)), member.head >= 0});
    }
}

Result<Chosen> choose(std::span<const AlignedMember> members, std::span<const std::int64_t> documents,
                      const JobContext& job)
{
    constexpr std::size_t kPollEvery = 64;
    Chosen chosen;
    for (std::size_t i = 0; i < documents.size(); ++i)
    {
        if (i % kPollEvery == 0)
            HEADSCOPE_CHECK(job.checkStop());
        if (std::all_of(members.begin(), members.end(),
                        [&](const AlignedMember& member) { return isFinite(member, DocumentIndex(documents[i])); }))
            chosen.documents.push_back(documents[i]);
        else
            ++chosen.leftOut;
    }
    if (chosen.documents.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a document with only finite vectors, found none among {} documents",
                                 documents.size()),
                     {},
                     {}};
    takeSets(members, chosen);
    return chosen;
}

/// Everything of a set but where its points are.
HeadMapSet frameOf(std::span<const AlignedMember> members, const Chosen& chosen, const AlignedHeadsOptions& options)
{
    HeadMapSet frame;
    frame.fullSource = options.fullSource;
    frame.origin = options.origin;
    const std::vector<std::int32_t> documents(chosen.documents.begin(), chosen.documents.end());
    for (const AlignedMember& member : members)
    {
        HeadMap map;
        map.name = member.name;
        auto points = std::make_shared<PointIds>();
        points->document = documents;
        if (member.head >= 0)
            points->head.assign(documents.size(), static_cast<std::int32_t>(member.head));
        map.points = std::move(points);
        map.stage = member.vectors->stage();
        map.layer = member.vectors->layer();
        map.options = options.tsne;
        map.origin = options.origin;
        map.leftOut = chosen.leftOut;
        map.application = applicationName();
        frame.maps.push_back({std::move(map), 0});
    }
    return frame;
}

void fill(HeadMapSet& set, AlignedMaps made)
{
    set.start = std::move(made.start);
    set.hash = std::move(made.hash);
    for (std::size_t m = 0; m < made.maps.size(); ++m)
    {
        AlignedMap& from = made.maps[m];
        HeadMap& map = set.maps[m].map;
        set.maps[m].correlation = from.fit.correlation;
        map.xy = std::move(from.xy);
        map.iteration = from.iteration;
        map.kl = from.kl;
        map.hash = std::move(from.hash);
        map.inputHash = std::move(from.inputHash);
    }
}

} // namespace

std::string memberName(const HeadVectors& vectors, std::int64_t head, bool severalLayers)
{
    const std::string layer = severalLayers ? fmt::format("l{:03}_", vectors.layer().value()) : std::string();
    return fmt::format("{}s{}_h{:02}", layer, stageName(vectors.stage()), head);
}

Result<HeadMapSet> alignedHeadMaps(std::span<const AlignedMember> members, std::span<const std::int64_t> documents,
                                   const AlignedHeadsOptions& options, int numThreads, JobContext& job,
                                   const AlignedHeadsViewer* viewer)
{
    HEADSCOPE_TRY(const Chosen chosen, choose(members, documents, job));
    HeadMapSet set = frameOf(members, chosen, options);
    AlignedViewer looks;
    if (viewer != nullptr)
    {
        looks.wanted = viewer->wanted;
        looks.between = viewer->between;
        if (viewer->show)
            looks.show = [&set, viewer](AlignedMaps now) {
                auto look = std::make_shared<HeadMapSet>(set);
                fill(*look, std::move(now));
                viewer->show(std::move(look));
            };
    }
    HEADSCOPE_TRY(AlignedMaps made, alignedMaps(chosen.sets, options.tsne, numThreads, job, options.given,
                                                viewer != nullptr ? &looks : nullptr));
    fill(set, std::move(made));
    return set;
}

Status measureHeadMaps(std::span<const AlignedMember> members, HeadMapSet& set, int numThreads, JobContext& job)
{
    if (members.size() != set.maps.size())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected the members of {} maps, found {}", set.maps.size(), members.size()),
                     {},
                     {}};
    if (set.maps.empty())
        return {};
    const std::vector<std::int32_t>& documents = set.maps.front().map.points->document;
    Chosen chosen;
    chosen.documents.assign(documents.begin(), documents.end());
    takeSets(members, chosen);
    for (std::size_t m = 0; m < set.maps.size(); ++m)
    {
        job.report("measuring the maps", m, set.maps.size(), "maps");
        JobContext silent(job.stopToken());
        HeadMap& map = set.maps[m].map;
        HEADSCOPE_TRY(map.trust, measureMap(chosen.sets[m].rows, map.xy.view(), MapTrustOptions::of(map.options),
                                            numThreads, silent));
    }
    return {};
}

} // namespace headscope
