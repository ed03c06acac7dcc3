// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/topic_merge.h"

#include "model/base/fields/fields.h"

#include <algorithm>
#include <cstddef>

namespace headscope
{

TopicMerge mergeAt(const TopicMergePath& path, double threshold)
{
    const std::vector<std::string>& topics = path.similarity.names;
    std::vector<std::vector<std::int32_t>> members;
    for (std::size_t topic = 0; topic < topics.size(); ++topic)
        members.push_back({static_cast<std::int32_t>(topic)});
    for (const TopicJoin& join : path.joins)
    {
        if (!(join.similarity >= threshold))
            break;
        auto& into = members[static_cast<std::size_t>(join.kept)];
        auto& from = members[static_cast<std::size_t>(join.joined)];
        into.insert(into.end(), from.begin(), from.end());
        from.clear();
    }
    TopicMerge merge;
    for (std::vector<std::int32_t>& group : members)
    {
        if (group.empty())
            continue;
        std::sort(group.begin(), group.end());
        std::string name;
        for (const std::int32_t topic : group)
            name += (name.empty() ? "" : "/") + topics[static_cast<std::size_t>(topic)];
        for (const std::int32_t topic : group)
            merge.labelMap[topics[static_cast<std::size_t>(topic)]] = name;
        merge.names.push_back(std::move(name));
        merge.groups.push_back(std::move(group));
    }
    return merge;
}

Field& mergeField(Fields& f, std::optional<double>& merge)
{
    return f("merge", merge, "--merge",
             "merge topics whose mean cosine is at least this value; writes a label map to -o X.json")
        .within(-1, 2)
        .offers(-1, 1)
        .label("Merge topics with a mean cosine of at least",
               "Topics are merged while their mean cosine is at least this value. Review the proposal: in a decoder, "
               "all one-token names are similar.")
        .only(kCommandUse | kFormUse);
}

} // namespace headscope
