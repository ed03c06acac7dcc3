// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pooling.h"

#include "app/cli/verb.h"
#include "model/analysis/heads/head_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope::cli
{
namespace
{

/// Which part of the pooled vector a head goes into, and with what weight.
struct Share
{
    HeadIndex head;
    std::int64_t part = 0;
    double weight = 1;
};

std::shared_ptr<const HeadVectors> pooled(const HeadVectors& all, const std::vector<Share>& shares)
{
    const std::int64_t parts = shares.back().part + 1;
    const auto dims = static_cast<std::size_t>(all.dims());
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(all.documents() * parts) * dims);
    std::vector<double> sums(static_cast<std::size_t>(parts) * dims);
    for (std::int64_t row = 0; row < all.documents(); ++row)
    {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (const Share& share : shares)
        {
            const auto vector = all.vector(DocumentIndex(row), share.head);
            for (std::size_t d = 0; d < dims; ++d)
                sums[static_cast<std::size_t>(share.part) * dims + d] += share.weight * vector[d];
        }
        std::transform(sums.begin(), sums.end(), std::back_inserter(values),
                       [](double sum) { return static_cast<float>(sum); });
    }
    return std::make_shared<const HeadVectors>(all.stage(), all.layer(), all.documents(), 1, parts * all.dims(),
                                               std::move(values));
}

/// The heads with the most hits at the first k, ascending.
std::vector<std::int64_t> bestHeads(const std::vector<std::int64_t>& heads, const MatchResult& match,
                                    std::int64_t count)
{
    std::vector<std::int64_t> best = heads;
    std::stable_sort(best.begin(), best.end(),
                     [&match](std::int64_t a, std::int64_t b) { return match.hits(1 + a, 0) > match.hits(1 + b, 0); });
    best.resize(static_cast<std::size_t>(count));
    std::sort(best.begin(), best.end());
    return best;
}

/// Every head into a part of its own.
std::vector<Share> oneAfterAnother(const std::vector<std::int64_t>& heads)
{
    std::vector<Share> shares;
    for (const std::int64_t head : heads)
        shares.push_back({HeadIndex(head), static_cast<std::int64_t>(shares.size()), 1});
    return shares;
}

/// The heads of a group into one part; groups without a chosen head have none.
std::vector<Share> byGroup(const std::vector<std::int64_t>& heads, const ModelInfo& model)
{
    std::vector<Share> shares;
    for (const std::int64_t head : heads)
    {
        const bool isNew = shares.empty() || model.groupOf(shares.back().head) != model.groupOf(HeadIndex(head));
        shares.push_back({HeadIndex(head), shares.empty() ? 0 : shares.back().part + (isNew ? 1 : 0), 1});
    }
    for (Share& share : shares)
    {
        const auto members = std::count_if(shares.begin(), shares.end(),
                                           [&share](const Share& other) { return other.part == share.part; });
        share.weight = 1.0 / static_cast<double>(members);
    }
    return shares;
}

} // namespace

Result<HeadPooling> poolingFromText(const std::string& text)
{
    struct Named
    {
        std::string_view name;
        PoolingKind kind;
    };
    constexpr std::array kNames = {Named{"concat", PoolingKind::Concat}, Named{"mean", PoolingKind::Mean},
                                   Named{"score", PoolingKind::Score}, Named{"groups", PoolingKind::Groups}};
    for (const Named& named : kNames)
        if (text == named.name)
            return HeadPooling{named.kind, 0};
    HeadPooling best{PoolingKind::Best, 0};
    const std::string_view number = std::string_view(text).substr(text.starts_with("best:") ? 5 : text.size());
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), best.best);
    if (failed != std::errc{} || end != number.data() + number.size() || best.best < 1)
        return wrongUse("--pool", fmt::format("expected concat, mean, score, best:K or groups, found \"{}\"", text));
    return best;
}

Result<PooledPair> poolHeads(const HeadPooling& pooling, const TopicData& data, const ModelInfo& model,
                             const std::vector<std::int64_t>& heads, const MatchResult& match,
                             const std::vector<std::int64_t>& rows, int numThreads, JobContext& job)
{
    const auto count = static_cast<std::int64_t>(heads.size());
    PooledPair pair;
    pair.heads = heads;
    std::vector<Share> shares;
    switch (pooling.kind)
    {
    case PoolingKind::Concat:
        shares = oneAfterAnother(heads);
        break;
    case PoolingKind::Mean:
        for (const std::int64_t head : heads)
            shares.push_back({HeadIndex(head), 0, 1.0 / static_cast<double>(count)});
        break;
    case PoolingKind::Score:
    {
        std::vector<std::int32_t> part(static_cast<std::size_t>(data.documents->documents()), -1);
        for (const std::int64_t row : rows)
            part[static_cast<std::size_t>(row)] = 0;
        HEADSCOPE_TRY(const HeadSums sums, HeadSums::collect(*data.documents, part, 1, numThreads, job));
        const auto statistics = sums.statistics(std::array<std::int64_t, 1>{0});
        double total = 0;
        for (const std::int64_t head : heads)
            total += statistics[static_cast<std::size_t>(head)].score;
        for (const std::int64_t head : heads)
            shares.push_back({HeadIndex(head), 0, statistics[static_cast<std::size_t>(head)].score / total});
        break;
    }
    case PoolingKind::Best:
        if (pooling.best > count)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected best:1 to best:{} for {} heads, found best:{}", count, count, pooling.best),
                {},
                "--pool"};
        pair.heads = bestHeads(heads, match, pooling.best);
        shares = oneAfterAnother(pair.heads);
        break;
    case PoolingKind::Groups:
        if (data.documents->heads() != model.heads)
            return Error{ErrorCode::InvalidArgument,
                         "expected a stage with heads for groups, found a full vector",
                         {},
                         "--pool"};
        shares = byGroup(heads, model);
        break;
    }
    pair.documents = pooled(*data.documents, shares);
    pair.topics = pooled(*data.topics.vectors, shares);
    return pair;
}

} // namespace headscope::cli
