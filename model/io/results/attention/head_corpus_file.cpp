// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_corpus_file.h"

#include "model/io/records/record_hdf5.h"
#include "model/io/results/attention/head_corpus_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{

namespace
{

constexpr FileFormat kFormat = {"headscope-head-corpus", 1, "a head over a corpus"};
constexpr std::uint64_t kMaxCorpusText = std::uint64_t{256} << 20; ///< of all ids, and of all spellings
constexpr std::int64_t kTop = -1;                                  ///< kind of an example: one of the strongest
constexpr std::int64_t kDrawn = -2;                                ///< drawn by a run that goes on

/// The examples of all kinds, one behind the other.
struct Examples
{
    std::vector<std::int64_t> tokens, kinds;
    std::vector<std::int64_t> offsets = {0}; ///< of their weights
    std::vector<float> weights;

    void add(const std::vector<HeadExample>& examples, std::int64_t kind)
    {
        for (const HeadExample& each : examples)
        {
            tokens.push_back(each.token);
            kinds.push_back(kind);
            weights.insert(weights.end(), each.weights.begin(), each.weights.end());
            offsets.push_back(std::ssize(weights));
        }
    }
    [[nodiscard]] bool isWhole() const
    {
        return kinds.size() == tokens.size() && offsets.size() == tokens.size() + 1 && offsets.front() == 0 &&
               offsets.back() == std::ssize(weights) && std::ranges::is_sorted(offsets);
    }
};

void fields(RecordFields& record, Examples& examples)
{
    record.numbers("token", examples.tokens);
    record.numbers("kind", examples.kinds);
    record.numbers("offsets", examples.offsets);
    record.numbers("weights", examples.weights);
}

Examples examplesOf(const HeadCorpusFile& file)
{
    Examples examples;
    examples.add(file.corpus.top, kTop);
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
        examples.add(file.corpus.deciles[decile], static_cast<std::int64_t>(decile));
    examples.add(file.drawn, kDrawn);
    return examples;
}

Status takeExamples(const Examples& examples, HeadCorpusFile& read)
{
    const auto bad = [](std::string place, std::string message) {
        return Error{ErrorCode::BadFormat, std::move(message), {}, std::move(place)};
    };
    if (!examples.isWhole())
        return bad("/examples", "expected a kind and weights for every token, found lengths that differ");
    for (std::size_t i = 0; i < examples.tokens.size(); ++i)
    {
        const auto weights = examples.weights.begin();
        HeadExample example{examples.tokens[i], {weights + examples.offsets[i], weights + examples.offsets[i + 1]}};
        const std::int64_t kind = examples.kinds[i];
        if (kind == kTop)
            read.corpus.top.push_back(std::move(example));
        else if (kind == kDrawn)
            read.drawn.push_back(std::move(example));
        else if (kind >= 0 && kind < static_cast<std::int64_t>(kDeciles))
            read.corpus.deciles[static_cast<std::size_t>(kind)].push_back(std::move(example));
        else
            return bad("/examples/kind", fmt::format("expected {} to {}, found {}", kDrawn, kDeciles - 1, kind));
    }
    return {};
}

} // namespace

void fields(RecordFields& record, HeadCorpusSource& source)
{
    record("tokenizer_sha256", source.tokenizerSha256);
    record("corpus", source.corpus);
    record("cache_identity", source.cacheIdentity);
    record("prompt", source.prompt);
    record("eos", source.eos);
    record("special_tokens", source.specialTokens);
    record("device", source.device);
    record("layer", source.layer);
    record("head", source.head);
    record("causal", source.causal);
    record("max_tokens", source.maxTokens);
    record("sample_tokens", source.sampleTokens);
    record("seed", source.seed);
    record.attributes().requireAll();
    record("corpus_digest", source.corpusDigest); // older files have none
    record.group("model", source.model);
}

void fields(RecordFields& record, HeadCorpus& corpus)
{
    record("command", corpus.command).required();
    record("truncated_count", corpus.truncated).required();
    fields(record, corpus.source);
    record.storedTexts("documents/id", corpus.documents, kMaxCorpusText);
    record.numbers("documents/offsets", corpus.offsets);
    record.numbers("tokens/id", corpus.ids);
    record.numbers("tokens/activation", corpus.activations);
    record.numbers("tokens/strongest", corpus.strongest);
    record.numbers("tokens/strongest_weight", corpus.strongestWeights);
    record.numbers("tokens/first_weight", corpus.firstWeights);
    record.numbers("vocabulary/id", corpus.vocabulary);
    record.storedTexts("vocabulary/text", corpus.spellings, kMaxCorpusText);
    record.numbers("sample/token", corpus.sampled);
    record.numbers("sample/q", corpus.q);
    record.numbers("sample/k", corpus.k);
    record.numbers("sample/z", corpus.z);
}

void fields(RecordFields& record, HeadCorpusFile& file)
{
    record("complete", file.complete).required();
    fields(record, file.corpus);
}

Status writeHeadCorpus(const std::filesystem::path& target, const HeadCorpusFile& file)
{
    HEADSCOPE_TRY(Hdf5Writer writer, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeFormat(writer, kFormat));
    HEADSCOPE_CHECK(writeRecord(writer, "/", recordOf(file)));
    HEADSCOPE_CHECK(writeRecord(writer, "/examples", recordOf(examplesOf(file))));
    return publishSealed(writer);
}

Result<HeadCorpusFile> readHeadCorpus(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkFormat(file, kFormat));
    HeadCorpusFile read;
    HEADSCOPE_CHECK(readRecord(file, "/", recordOf(read)));
    Examples examples;
    examples.offsets.clear();
    HEADSCOPE_CHECK(readRecord(file, "/examples", recordOf(examples)));
    HEADSCOPE_CHECK(job.checkStop());
    if (auto taken = takeExamples(examples, read); !taken)
        return std::move(taken).error().inFile(path.string());
    HEADSCOPE_CHECK(checkHeadCorpus(read, path));
    return read;
}

} // namespace headscope
