// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/place_tokens.h"

#include "model/analysis/attention/query_key_space.h"
#include "model/analysis/tsne/tsne_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kFewest = 5;
constexpr int kBetweenSnapshots = 10;

/// Rows of the sample.
MatrixF chosenRows(const MatrixF& all, const std::vector<std::int64_t>& rows)
{
    MatrixF chosen(std::ssize(rows), all.cols());
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::ranges::copy(all.row(rows[i]), chosen.row(static_cast<std::int64_t>(i)).begin());
    return chosen;
}

} // namespace

Result<TokenMapPtr> placeTokens(const TokenMapRequest& request,
                                const std::function<void(const TokenMapPtr&)>& onSnapshot, JobContext& job)
{
    const HeadCorpus& corpus = *request.corpus;
    const auto sampled = std::ssize(corpus.sampled);
    if (sampled < kFewest)
        return Error{ErrorCode::InvalidArgument, "a map needs at least 5 tokens", {}, {}};
    TokenMap frame;
    frame.corpus = request.corpus;
    frame.kind = request.kind;
    frame.rows = drawnRows(sampled, request.tokens, corpus.source.seed);
    MatrixF rows;
    if (request.kind == TokenMapKind::QueriesAndKeys)
    {
        auto space = queryKeySpace(corpus.q.view(), corpus.k.view(), frame.rows);
        frame.scale = space.scale;
        rows = std::move(space.rows);
    }
    else
        rows = chosenRows(corpus.z, frame.rows);
    TsneOptions options;
    options.perplexities = {
        std::min(options.perplexities.front(), std::floor(static_cast<double>(rows.rows() - 1) / 3))};
    frame.perplexity = options.perplexities.front();
    frame.iterations = options.iterations;
    HEADSCOPE_TRY(auto state, TsneState::create(rows.view(), options, request.numThreads, job));
    const auto snapshot = [&frame](const TsneState& at) {
        auto map = std::make_shared<TokenMap>(frame);
        map->xy = at.positions();
        map->iteration = at.iteration();
        map->kl = std::isfinite(at.kl()) ? at.kl() : 0.0;
        return TokenMapPtr(std::move(map));
    };
    HEADSCOPE_CHECK(state.run(options.iterations, job, [&](const TsneState& at) {
        job.report("placing the tokens", static_cast<std::uint64_t>(at.iteration()),
                   static_cast<std::uint64_t>(options.iterations), "iterations");
        if (at.iteration() % kBetweenSnapshots == 0)
            onSnapshot(snapshot(at));
    }));
    return snapshot(state);
}

} // namespace headscope::desktop
