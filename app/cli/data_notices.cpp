// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"

#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace headscope::cli
{
namespace
{

enum class Kind
{
    Usable,
    Zero,
    NotFinite,
};

Kind kindOf(std::span<const float> vector)
{
    bool zero = true;
    for (const float value : vector)
    {
        if (!std::isfinite(value))
            return Kind::NotFinite;
        zero = zero && value == 0;
    }
    return zero ? Kind::Zero : Kind::Usable;
}

std::string documentsText(std::int64_t count)
{
    return withCommas(count) + (count == 1 ? " document" : " documents");
}

/// "heads 1-4: 3, head 7: 1": runs of neighbours with equal counts.
std::string byHead(const std::vector<std::int64_t>& counts, Stage stage)
{
    std::string text;
    for (std::size_t head = 0; head < counts.size();)
    {
        std::size_t end = head + 1;
        while (end < counts.size() && counts[end] == counts[head])
            ++end;
        if (counts[head] > 0)
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                                end - head == 1 ? fmt::format("{} {}", unitName(stage), head + 1)
                                                : fmt::format("{}s {}-{}", unitName(stage), head + 1, end),
                                counts[head]);
        head = end;
    }
    return text;
}

} // namespace

std::vector<std::string> vectorNotices(const HeadVectors& vectors, const std::vector<std::int64_t>& rows)
{
    std::vector<std::int64_t> broken(static_cast<std::size_t>(vectors.heads()));
    std::vector<std::int64_t> zero(broken.size());
    std::int64_t anyBroken = 0;
    std::int64_t anyZero = 0;
    for (const std::int64_t row : rows)
    {
        bool isBroken = false;
        bool isZero = false;
        for (std::size_t head = 0; head < broken.size(); ++head)
        {
            const Kind kind = kindOf(vectors.vector(DocumentIndex(row), HeadIndex(static_cast<std::int64_t>(head))));
            broken[head] += kind == Kind::NotFinite ? 1 : 0;
            zero[head] += kind == Kind::Zero ? 1 : 0;
            isBroken = isBroken || kind == Kind::NotFinite;
            isZero = isZero || kind == Kind::Zero;
        }
        anyBroken += isBroken ? 1 : 0;
        anyZero += isZero ? 1 : 0;
    }
    std::vector<std::string> notices;
    if (anyBroken > 0)
        notices.push_back(fmt::format("excluded {} with vectors that contain NaN or infinity ({})",
                                      documentsText(anyBroken), byHead(broken, vectors.stage())));
    if (anyZero > 0)
        notices.push_back(
            fmt::format("{} with zero vectors, which have no direction: these documents are counted, but never match "
                        "({})",
                        documentsText(anyZero), byHead(zero, vectors.stage())));
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
            usable += kindOf(topics.vector(DocumentIndex(topic), HeadIndex(head))) == Kind::Usable ? 1 : 0;
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
