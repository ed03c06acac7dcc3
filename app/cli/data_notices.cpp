// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"

#include "app/results/first_names.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace headscope::cli
{
namespace
{

std::string documentsText(std::int64_t count)
{
    return withCommas(count) + (count == 1 ? " document" : " documents");
}

} // namespace

VectorGaps gapsOf(const HeadVectors& vectors, std::span<const std::int64_t> rows, std::span<const std::int64_t> heads)
{
    VectorGaps gaps;
    gaps.zero.resize(static_cast<std::size_t>(vectors.heads()));
    gaps.notFinite.resize(gaps.zero.size());
    for (const std::int64_t row : rows)
    {
        std::int64_t zero = 0;
        std::int64_t notFinite = 0;
        for (const std::int64_t head : heads)
        {
            const Pointing direction = directionOf(vectors.vector(DocumentIndex(row), HeadIndex(head)));
            const bool isZero = direction == Pointing::Zero;
            const bool isNotFinite = direction == Pointing::NotFinite;
            gaps.zero[static_cast<std::size_t>(head)] += isZero ? 1 : 0;
            gaps.notFinite[static_cast<std::size_t>(head)] += isNotFinite ? 1 : 0;
            zero += isZero ? 1 : 0;
            notFinite += isNotFinite ? 1 : 0;
        }
        gaps.anyZero += zero > 0 ? 1 : 0;
        gaps.anyNotFinite += notFinite > 0 ? 1 : 0;
        gaps.rows.push_back(heads.empty() || zero + notFinite < std::ssize(heads) ? Pointing::Points
                            : notFinite > 0                                       ? Pointing::NotFinite
                                                                                  : Pointing::Zero);
    }
    return gaps;
}

std::string byHead(const std::vector<std::int64_t>& counts, std::string_view unit)
{
    std::string text;
    for (std::size_t head = 0; head < counts.size();)
    {
        std::size_t end = head + 1;
        while (end < counts.size() && counts[end] == counts[head])
            ++end;
        if (counts[head] > 0)
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                                end - head == 1 ? fmt::format("{} {}", unit, head + 1)
                                                : fmt::format("{}s {}-{}", unit, head + 1, end),
                                counts[head]);
        head = end;
    }
    return text;
}

void LeftOut::add(Pointing direction, const std::string& id)
{
    if (direction != Pointing::Points)
        (direction == Pointing::Zero ? zero : notFinite).push_back(id);
}

Members LeftOut::members() const
{
    NodeList ids;
    for (const auto* part : {&zero, &notFinite})
        for (const std::string& id : *part)
            if (ids.size() < kMostNamed)
                ids.emplace_back(id);
    return {
        {"count", count()}, {"zero", std::ssize(zero)}, {"not_finite", std::ssize(notFinite)}, {"ids", std::move(ids)}};
}

std::string LeftOut::notice(std::string_view one, std::string_view several) const
{
    if (count() == 0)
        return {};
    return fmt::format("excluded {} {} without a direction ({}{}{})", withCommas(count()), count() == 1 ? one : several,
                       zero.empty() ? std::string() : "zero vectors: " + firstNames(zero, zero.size()),
                       zero.empty() || notFinite.empty() ? "" : "; ",
                       notFinite.empty() ? std::string()
                                         : "NaN or infinity: " + firstNames(notFinite, notFinite.size()));
}

std::vector<std::string> vectorNotices(const HeadVectors& vectors, const std::vector<std::int64_t>& rows)
{
    const VectorGaps gaps = gapsOf(vectors, rows, allIndices(vectors.heads()));
    const std::string_view unit = unitName(vectors.stage());
    std::vector<std::string> notices;
    if (gaps.anyNotFinite > 0)
        notices.push_back(fmt::format("excluded {} with vectors that contain NaN or infinity ({})",
                                      documentsText(gaps.anyNotFinite), byHead(gaps.notFinite, unit)));
    if (gaps.anyZero > 0)
        notices.push_back(
            fmt::format("{} with zero vectors, which have no direction: these documents are counted, but never match "
                        "({})",
                        documentsText(gaps.anyZero), byHead(gaps.zero, unit)));
    return notices;
}

std::vector<std::string> labelNotices(const LabelColumn& labels)
{
    const auto counts = labels.counts();
    const auto used = std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
    const auto documents = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    constexpr std::int64_t kFewDocuments = 2;
    if (used < 2 || documents >= kFewDocuments * used)
        return {};
    return {fmt::format("label \"{}\" has {} values for {}: it may be an id instead of a topic", labels.name,
                        withCommas(used), documentsText(documents))};
}

std::vector<std::string> topicNotices(const TopicData& data)
{
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < data.labels.codes.size(); ++row)
        if (data.labels.codes[row] >= 0)
            rows.push_back(static_cast<std::int64_t>(row));
    std::vector<std::string> notices = vectorNotices(*data.documents, rows);
    const auto counts = data.labels.counts();
    const HeadVectors& topics = *data.topics.vectors;
    for (std::int64_t topic = 0; topic < topics.documents(); ++topic)
    {
        const auto at = static_cast<std::size_t>(topic);
        if (at >= counts.size() || counts[at] == 0)
            continue;
        std::int64_t usable = 0;
        for (std::int64_t head = 0; head < topics.heads(); ++head)
            usable += directionOf(topics.vector(DocumentIndex(topic), HeadIndex(head))) == Pointing::Points ? 1 : 0;
        if (usable < topics.heads())
            notices.push_back(fmt::format(
                "topic \"{}\" has no usable vector in {} of {} {}s (zero or not finite), so its {} cannot match there",
                data.labels.categories[at], topics.heads() - usable, topics.heads(), unitName(topics.stage()),
                documentsText(counts[at])));
    }
    const auto used = std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
    if (used == 1)
        notices.push_back(fmt::format("all labelled documents have the same \"{}\": topics cannot be distinguished",
                                      data.labels.name));
    for (std::string& notice : labelNotices(data.labels))
        notices.push_back(std::move(notice));
    return notices;
}

std::vector<std::string> idNotices(const DocumentSet& documents)
{
    std::unordered_map<std::string, std::int64_t> counts;
    for (const std::string& id : documents.ids)
        ++counts[id];
    const auto repeated = std::count_if(counts.begin(), counts.end(), [](const auto& each) { return each.second > 1; });
    if (repeated == 0)
        return {};
    const auto first = std::find_if(documents.ids.begin(), documents.ids.end(),
                                    [&](const std::string& id) { return counts.at(id) > 1; });
    return {fmt::format(
        "{} {} more than one document, for example \"{}\" ({} documents): a search by id uses the first of them",
        withCommas(repeated), repeated == 1 ? "id names" : "ids name", *first, counts.at(*first))};
}

} // namespace headscope::cli
