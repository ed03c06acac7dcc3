// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/data/attention/head_corpus.h"
#include "model/data/attention/token_map.h"
#include "tests/ui/window_test.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace headscope::test
{

/// Head 6 of layer 31 of the sample model over its documents, made up: it acts most at "planet" and "sugar", and reads
/// the token before and the first one.
inline HeadCorpus madeHead(std::int64_t documents = 40, const Origin& origin = {})
{
    const std::vector<std::string> words = {"<s>",  " The", " planet", " moves", " slowly", " around", " the",
                                            " sun", ",",    " and",    " sugar", " melts",  " in",     " a",
                                            " pan", ".",    "\n",      " Néw",   " wörds",  " 世界",   " end"};
    HeadCorpus corpus;
    corpus.origin = origin;
    corpus.source.model = sampleModel();
    corpus.source.layer = LayerIndex(31);
    corpus.source.head = HeadIndex(5);
    corpus.source.corpus = "/somewhere/sample.h5";
    corpus.source.cacheIdentity = "identity";
    corpus.source.sampleTokens = 400;
    const CounterRandom random(11);
    std::uint64_t at = 0;
    corpus.offsets = {0};
    for (std::int64_t document = 0; document < documents; ++document)
    {
        corpus.documents.push_back("doc-" + std::to_string(document));
        const auto tokens = static_cast<std::int64_t>(5 + random.below(at++, 40));
        for (std::int64_t t = 0; t < tokens; ++t)
        {
            const auto id = t == 0 ? 0 : static_cast<std::int32_t>(1 + random.below(at++, words.size() - 1));
            const bool acts = id == 2 || id == 10;
            corpus.ids.push_back(id);
            corpus.activations.push_back(static_cast<float>((acts ? 3.0 : 0.6) + 0.25 * std::abs(random.normal(at++))));
            corpus.strongest.push_back(static_cast<std::int32_t>(t > 0 ? t - 1 : 0));
            corpus.strongestWeights.push_back(t > 1 ? 0.6F : 1.0F);
            corpus.firstWeights.push_back(t > 1 ? 0.3F : 1.0F);
        }
        corpus.offsets.push_back(corpus.tokenCount());
    }
    for (std::size_t id = 0; id < words.size(); ++id)
    {
        corpus.vocabulary.push_back(static_cast<std::int32_t>(id));
        corpus.spellings.push_back(words[id]);
    }
    for (std::int64_t token = 0; token < corpus.tokenCount(); token += 3)
        corpus.sampled.push_back(token);
    const auto sampled = std::ssize(corpus.sampled);
    corpus.q = corpus.k = corpus.z = MatrixF(sampled, corpus.source.model.headDim);
    for (std::int64_t row = 0; row < sampled; ++row)
        for (std::int64_t i = 0; i < corpus.q.cols(); ++i)
        {
            const auto sampledAt = static_cast<std::size_t>(corpus.sampled[static_cast<std::size_t>(row)]);
            const double id = corpus.ids[sampledAt];
            const auto d = static_cast<double>(i);
            corpus.q(row, i) = static_cast<float>(std::sin(id * (d + 1.0)) + 0.2 * random.normal(at++));
            corpus.k(row, i) = static_cast<float>(3 * std::cos(id * (d + 2.0)) + 0.4 * random.normal(at++));
            corpus.z(row, i) = static_cast<float>(std::sin(id * 0.7 * (d + 3.0)) + 0.2 * random.normal(at++));
        }
    const auto exampleOf = [&corpus](std::int64_t token) {
        const TokenPlace place = corpus.placeOf(token);
        HeadExample example{token, std::vector<float>(static_cast<std::size_t>(corpus.tokensOf(place.document)), 0)};
        const std::int64_t t = place.token.value();
        for (std::int64_t s = 0; s <= t; ++s)
            example.weights[static_cast<std::size_t>(s)] = t == 0       ? 1.0F
                                                           : s == t - 1 ? 0.6F
                                                           : s == 0     ? 0.3F
                                                                        : 0.1F / static_cast<float>(t);
        if (t == 1)
            example.weights[0] = 0.9F;
        return example;
    };
    std::vector<std::int64_t> order;
    for (std::int64_t token = 0; token < corpus.tokenCount(); ++token)
        order.push_back(token);
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        return corpus.activations[static_cast<std::size_t>(a)] > corpus.activations[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < 24; ++i)
        corpus.top.push_back(exampleOf(order[i]));
    const auto deciles = decilesOf(corpus.activations);
    for (std::int64_t token = 0; token < corpus.tokenCount(); token += 2)
        if (auto& examples = corpus.deciles[deciles[static_cast<std::size_t>(token)]]; examples.size() < 5)
            examples.push_back(exampleOf(token));
    return corpus;
}

/// Points on rings by their token: a map as a run could have made it.
inline TokenMapPtr madeTokenMap(const HeadCorpusPtr& corpus, TokenMapKind kind)
{
    auto map = std::make_shared<TokenMap>();
    map->corpus = corpus;
    map->kind = kind;
    map->scale = kind == TokenMapKind::Outputs ? 1.0 : 1.73;
    map->iteration = map->iterations = 750;
    for (std::int64_t row = 0; row < std::ssize(corpus->sampled); ++row)
        map->rows.push_back(row);
    const std::int64_t points = (kind == TokenMapKind::Outputs ? 1 : 2) * std::ssize(map->rows);
    map->xy = MatrixF(points, 2);
    const CounterRandom random(5);
    for (std::int64_t point = 0; point < points; ++point)
    {
        const auto id = corpus->ids[static_cast<std::size_t>(map->tokenOf(point))];
        const double angle = 0.3 * id, radius = map->isKey(point) ? 18 : 10;
        map->xy(point, 0) =
            static_cast<float>(radius * std::cos(angle) + random.normal(static_cast<std::uint64_t>(2 * point)));
        map->xy(point, 1) =
            static_cast<float>(radius * std::sin(angle) + random.normal(static_cast<std::uint64_t>(2 * point + 1)));
    }
    return map;
}

} // namespace headscope::test
