// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_corpus_checks.h"

#include "model/base/numbers/all_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace headscope
{
namespace
{

class Checker
{
public:
    Checker(const HeadCorpusFile& file, const std::filesystem::path& path)
        : m_file(file), m_corpus(file.corpus), m_path(path)
    {}

    [[nodiscard]] Status run() const
    {
        HEADSCOPE_CHECK(checkModel());
        HEADSCOPE_CHECK(checkTokens());
        HEADSCOPE_CHECK(checkVocabulary());
        HEADSCOPE_CHECK(checkSample());
        HEADSCOPE_CHECK(checkExamples(m_corpus.top, "top-activating tokens"));
        HEADSCOPE_CHECK(checkExamples(m_file.drawn, "sampled tokens"));
        for (const auto& decile : m_corpus.deciles)
            HEADSCOPE_CHECK(checkExamples(decile, "tokens of deciles"));
        return {};
    }

private:
    [[nodiscard]] Status bad(const char* place, std::string message) const
    {
        return Error{ErrorCode::BadFormat, std::move(message), m_path.string(), place};
    }

    [[nodiscard]] Status checkModel() const
    {
        const ModelInfo& model = m_corpus.source.model;
        if (model.layers < 1 || model.heads < 1 || model.kvHeads < 1 || model.heads % model.kvHeads != 0 ||
            model.headDim < 1)
            return bad("/model", "expected valid sizes of a model, found sizes that no model has");
        const std::int64_t layer = m_corpus.source.layer.value();
        const std::int64_t head = m_corpus.source.head.value();
        if (layer < 0 || layer >= model.layers || head < 0 || head >= model.heads)
            return bad("/", fmt::format("expected one of {} layers and one of {} heads, found layer {}, head {}",
                                        model.layers, model.heads, layer, head + 1));
        return {};
    }

    [[nodiscard]] Status checkTokens() const
    {
        const auto tokens = m_corpus.ids.size();
        const auto& offsets = m_corpus.offsets;
        if (tokens == 0)
            return bad("/tokens/id", "expected at least one token, found none");
        if (offsets.size() != m_corpus.documents.size() + 1 || offsets.front() != 0 ||
            offsets.back() != std::ssize(m_corpus.ids) || !std::ranges::is_sorted(offsets))
            return bad(
                "/documents/offsets",
                "expected ascending positions of all documents in the tokens, found positions that do not ascend");
        for (const std::size_t size : {m_corpus.activations.size(), m_corpus.strongest.size(),
                                       m_corpus.strongestWeights.size(), m_corpus.firstWeights.size()})
            if (size != tokens)
                return bad("/tokens", fmt::format("expected {} numbers of every kind, found {}", tokens, size));
        const auto isWeight = [](float x) { return x >= 0 && x <= 1.0001F; };
        if (!std::ranges::all_of(m_corpus.activations, [](float x) { return std::isfinite(x) && x >= 0; }))
            return bad("/tokens/activation", "expected norms of vectors, found negative values or no numbers");
        if (!std::ranges::all_of(m_corpus.strongestWeights, isWeight) ||
            !std::ranges::all_of(m_corpus.firstWeights, isWeight))
            return bad("/tokens", "expected weights from 0 to 1, found weights outside this range");
        for (std::size_t document = 0; document + 1 < offsets.size(); ++document)
            for (auto token = offsets[document]; token < offsets[document + 1]; ++token)
                if (const std::int32_t place = m_corpus.strongest[static_cast<std::size_t>(token)];
                    place < 0 || place >= offsets[document + 1] - offsets[document])
                    return bad("/tokens/strongest",
                               "expected positions within the document, found positions outside it");
        return {};
    }

    [[nodiscard]] Status checkVocabulary() const
    {
        const auto& ids = m_corpus.vocabulary;
        if (ids.size() != m_corpus.spellings.size() ||
            std::ranges::adjacent_find(ids, std::greater_equal<>()) != ids.end())
            return bad("/vocabulary",
                       "expected ascending ids, each with a text, found ids that do not ascend or have no text");
        // Of a run that goes on it is made up at the end.
        if (m_file.complete &&
            !std::ranges::all_of(m_corpus.ids, [&](std::int32_t id) { return std::ranges::binary_search(ids, id); }))
            return bad("/vocabulary/id", "expected the ids of all tokens, found tokens without an id");
        return {};
    }

    [[nodiscard]] Status checkSample() const
    {
        const auto& sampled = m_corpus.sampled;
        if (sampled.empty() || std::ranges::adjacent_find(sampled, std::greater_equal<>()) != sampled.end() ||
            sampled.front() < 0 || sampled.back() >= m_corpus.tokenCount())
            return bad("/sample/token",
                       "expected ascending tokens of the corpus, found tokens that do not ascend or are not in it");
        for (const auto* matrix : {&m_corpus.q, &m_corpus.k, &m_corpus.z})
            if (matrix->rows() != std::ssize(sampled) || matrix->cols() != m_corpus.source.model.headDim)
                return bad("/sample", fmt::format("expected [{}, {}] numbers, found [{}, {}]", sampled.size(),
                                                  m_corpus.source.model.headDim, matrix->rows(), matrix->cols()));
        for (const auto* matrix : {&m_corpus.q, &m_corpus.k, &m_corpus.z})
            if (!allFinite(matrix->values()))
                return bad("/sample", "expected finite numbers, found NaN or infinity");
        return {};
    }

    [[nodiscard]] Status checkExamples(const std::vector<HeadExample>& examples, const char* what) const
    {
        for (const HeadExample& each : examples)
        {
            if (each.token < 0 || each.token >= m_corpus.tokenCount())
                return bad("/examples/token", fmt::format("expected {} of the corpus, found {}", what, each.token));
            const std::int64_t tokens = m_corpus.tokensOf(m_corpus.placeOf(each.token).document);
            if (std::ssize(each.weights) != tokens)
                return bad("/examples/weights",
                           fmt::format("expected {} weights, one per token of the document, found {}", tokens,
                                       each.weights.size()));
            if (!std::ranges::all_of(each.weights, [](float x) { return x >= 0 && x <= 1.0001F; }))
                return bad("/examples/weights", "expected weights from 0 to 1, found weights outside this range");
        }
        return {};
    }

    const HeadCorpusFile& m_file;
    const HeadCorpus& m_corpus;
    const std::filesystem::path& m_path;
};

} // namespace

Status checkHeadCorpus(const HeadCorpusFile& file, const std::filesystem::path& path)
{
    return Checker(file, path).run();
}

} // namespace headscope
