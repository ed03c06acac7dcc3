// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_corpus_file.h"

#include "model/data/application_name.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/attention/head_corpus_checks.h"
#include "model/io/results/work_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope
{

namespace
{

constexpr const char* kFormat = "headscope-head-corpus";
constexpr std::int64_t kVersion = 1;
constexpr std::uint64_t kMaxCorpusText = std::uint64_t{256} << 20; ///< of all ids, and of all spellings
constexpr std::int64_t kTop = -1;                                  ///< kind of an example: one of the strongest
constexpr std::int64_t kDrawn = -2;                                ///< drawn by a run that goes on

Error bad(const std::filesystem::path& path, std::string place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), std::move(place)};
}

Status writeSource(Hdf5Writer& file, const HeadCorpusFile& written)
{
    const HeadCorpus& corpus = written.corpus;
    const HeadCorpusSource& source = corpus.source;
    const std::pair<const char*, std::string> texts[] = {{"format", kFormat},
                                                         {"application", "Headscope " HEADSCOPE_VERSION},
                                                         {"command", corpus.command},
                                                         {"tokenizer_sha256", source.tokenizerSha256},
                                                         {"corpus", source.corpus},
                                                         {"cache_identity", source.cacheIdentity},
                                                         {"corpus_digest", source.corpusDigest},
                                                         {"prompt", source.prompt},
                                                         {"eos", source.eos},
                                                         {"special_tokens", source.specialTokens},
                                                         {"device", source.device}};
    for (const auto& [name, value] : texts)
        HEADSCOPE_CHECK(file.setAttribute("/", name, value));
    const std::pair<const char*, std::int64_t> numbers[] = {{"version", kVersion},
                                                            {"complete", written.complete ? 1 : 0},
                                                            {"layer", source.layer.value()},
                                                            {"head", source.head.value()},
                                                            {"causal", source.causal ? 1 : 0},
                                                            {"max_tokens", source.maxTokens},
                                                            {"sample_tokens", source.sampleTokens},
                                                            {"seed", static_cast<std::int64_t>(source.seed)},
                                                            {"truncated_count", corpus.truncated}};
    for (const auto& [name, value] : numbers)
        HEADSCOPE_CHECK(file.setAttribute("/", name, value));
    return {};
}

Status writeModel(Hdf5Writer& file, const ModelInfo& model)
{
    HEADSCOPE_CHECK(file.makeGroup("/model/sha256"));
    const std::pair<const char*, std::string> texts[] = {
        {"name", model.name}, {"path", model.path}, {"family", model.family}};
    for (const auto& [name, value] : texts)
        HEADSCOPE_CHECK(file.setAttribute("/model", name, value));
    const std::pair<const char*, std::int64_t> numbers[] = {
        {"layers", model.layers},    {"heads", model.heads},        {"kv_heads", model.kvHeads},
        {"head_dim", model.headDim}, {"model_dim", model.modelDim}, {"vocabulary", model.vocabulary}};
    for (const auto& [name, value] : numbers)
        HEADSCOPE_CHECK(file.setAttribute("/model", name, value));
    for (const auto& [name, digest] : model.sha256)
        HEADSCOPE_CHECK(file.setAttribute("/model/sha256", name, digest));
    return {};
}

Status writeTokens(Hdf5Writer& file, const HeadCorpus& corpus)
{
    HEADSCOPE_CHECK(file.writeStrings("/documents/id", corpus.documents));
    HEADSCOPE_CHECK(work::writeList(file, "/documents/offsets", corpus.offsets));
    HEADSCOPE_CHECK(work::writeList(file, "/tokens/id", corpus.ids));
    HEADSCOPE_CHECK(work::writeList(file, "/tokens/activation", corpus.activations));
    HEADSCOPE_CHECK(work::writeList(file, "/tokens/strongest", corpus.strongest));
    HEADSCOPE_CHECK(work::writeList(file, "/tokens/strongest_weight", corpus.strongestWeights));
    HEADSCOPE_CHECK(work::writeList(file, "/tokens/first_weight", corpus.firstWeights));
    HEADSCOPE_CHECK(work::writeList(file, "/vocabulary/id", corpus.vocabulary));
    HEADSCOPE_CHECK(file.writeStrings("/vocabulary/text", corpus.spellings));
    HEADSCOPE_CHECK(work::writeList(file, "/sample/token", corpus.sampled));
    HEADSCOPE_CHECK(work::writeTable(file, "/sample/q", corpus.q));
    HEADSCOPE_CHECK(work::writeTable(file, "/sample/k", corpus.k));
    return work::writeTable(file, "/sample/z", corpus.z);
}

Status writeExamples(Hdf5Writer& file, const HeadCorpusFile& written)
{
    std::vector<std::int64_t> tokens, kinds, offsets = {0};
    std::vector<float> weights;
    const auto add = [&](const std::vector<HeadExample>& examples, std::int64_t kind) {
        for (const HeadExample& each : examples)
        {
            tokens.push_back(each.token);
            kinds.push_back(kind);
            weights.insert(weights.end(), each.weights.begin(), each.weights.end());
            offsets.push_back(std::ssize(weights));
        }
    };
    add(written.corpus.top, kTop);
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
        add(written.corpus.deciles[decile], static_cast<std::int64_t>(decile));
    add(written.drawn, kDrawn);
    HEADSCOPE_CHECK(work::writeList(file, "/examples/token", tokens));
    HEADSCOPE_CHECK(work::writeList(file, "/examples/kind", kinds));
    HEADSCOPE_CHECK(work::writeList(file, "/examples/offsets", offsets));
    return work::writeList(file, "/examples/weights", weights);
}

Status checkFormat(const Hdf5Reader& file)
{
    const std::string format = file.textAttribute("/", "format").value_or("");
    if (format != kFormat)
        return bad(file.path(), {},
                   fmt::format("expected a head over a corpus ({}), found {}", kFormat,
                               format.empty() ? "a file of another kind" : format));
    const std::int64_t version = file.integerAttribute("/", "version").value_or(0);
    if (version > kVersion)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected version {} or older, found {}: a newer Headscope wrote it", kVersion, version),
            file.path().string(),
            {}};
    if (file.seal() != SealState::Good)
        return bad(file.path(), {}, "expected a seal, found none: the file was changed or cut short");
    return {};
}

/// Attributes that have to be there.
class Attributes
{
public:
    Attributes(const Hdf5Reader& file, std::string object) : m_file(file), m_object(std::move(object)) {}

    std::string text(const char* name) { return needed(m_file.textAttribute(m_object, name), name); }
    std::int64_t number(const char* name) { return needed(m_file.integerAttribute(m_object, name), name); }
    [[nodiscard]] Status status() const
    {
        return m_missing.empty() ? Status()
                                 : Status(bad(m_file.path(), m_object,
                                              fmt::format("expected the attribute {}, found none", m_missing)));
    }

private:
    template <class T>
    T needed(std::optional<T> value, const char* name)
    {
        if (!value && m_missing.empty())
            m_missing = name;
        return value ? std::move(*value) : T();
    }

    const Hdf5Reader& m_file;
    std::string m_object;
    std::string m_missing;
};

Status readSource(const Hdf5Reader& file, HeadCorpusFile& read)
{
    Attributes root(file, "/");
    HeadCorpusSource& source = read.corpus.source;
    read.corpus.command = root.text("command");
    source.tokenizerSha256 = root.text("tokenizer_sha256");
    source.corpus = root.text("corpus");
    source.cacheIdentity = root.text("cache_identity");
    source.corpusDigest = file.textAttribute("/", "corpus_digest").value_or(""); // older files have none
    source.prompt = root.text("prompt");
    source.eos = root.text("eos");
    source.specialTokens = root.text("special_tokens");
    source.device = root.text("device");
    read.complete = root.number("complete") != 0;
    source.layer = LayerIndex(root.number("layer"));
    source.head = HeadIndex(root.number("head"));
    source.causal = root.number("causal") != 0;
    source.maxTokens = root.number("max_tokens");
    source.sampleTokens = root.number("sample_tokens");
    source.seed = static_cast<std::uint64_t>(root.number("seed"));
    read.corpus.truncated = root.number("truncated_count");
    HEADSCOPE_CHECK(root.status());
    Attributes group(file, "/model");
    ModelInfo& model = source.model;
    model.name = group.text("name");
    model.path = group.text("path");
    model.family = group.text("family");
    model.layers = group.number("layers");
    model.heads = group.number("heads");
    model.kvHeads = group.number("kv_heads");
    model.headDim = group.number("head_dim");
    model.modelDim = group.number("model_dim");
    model.vocabulary = group.number("vocabulary");
    HEADSCOPE_CHECK(group.status());
    for (const std::string& name : file.attributeNames("/model/sha256"))
        model.sha256.emplace_back(name, file.textAttribute("/model/sha256", name).value_or(""));
    return {};
}

/// All strings of a dataset, of which there may be none.
Result<std::vector<std::string>> readTexts(const Hdf5Reader& file, const std::string& dataset)
{
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (!info.text || info.shape.size() != 1)
        return bad(file.path(), dataset, "expected a list of texts, found " + info.describe());
    return file.readStrings(dataset, 0, info.rows(), kMaxCorpusText);
}

Status readTokens(const Hdf5Reader& file, HeadCorpus& corpus)
{
    HEADSCOPE_TRY(corpus.documents, readTexts(file, "/documents/id"));
    HEADSCOPE_TRY(corpus.offsets, work::readList<std::int64_t>(file, "/documents/offsets"));
    HEADSCOPE_TRY(corpus.ids, work::readList<std::int32_t>(file, "/tokens/id"));
    HEADSCOPE_TRY(corpus.activations, work::readList<float>(file, "/tokens/activation"));
    HEADSCOPE_TRY(corpus.strongest, work::readList<std::int32_t>(file, "/tokens/strongest"));
    HEADSCOPE_TRY(corpus.strongestWeights, work::readList<float>(file, "/tokens/strongest_weight"));
    HEADSCOPE_TRY(corpus.firstWeights, work::readList<float>(file, "/tokens/first_weight"));
    HEADSCOPE_TRY(corpus.vocabulary, work::readList<std::int32_t>(file, "/vocabulary/id"));
    HEADSCOPE_TRY(corpus.spellings, readTexts(file, "/vocabulary/text"));
    HEADSCOPE_TRY(corpus.sampled, work::readList<std::int64_t>(file, "/sample/token"));
    HEADSCOPE_TRY(corpus.q, work::readTable<float>(file, "/sample/q"));
    HEADSCOPE_TRY(corpus.k, work::readTable<float>(file, "/sample/k"));
    HEADSCOPE_TRY(corpus.z, work::readTable<float>(file, "/sample/z"));
    return {};
}

Status readExamples(const Hdf5Reader& file, HeadCorpusFile& read)
{
    HEADSCOPE_TRY(const auto tokens, work::readList<std::int64_t>(file, "/examples/token"));
    HEADSCOPE_TRY(const auto kinds, work::readList<std::int64_t>(file, "/examples/kind"));
    HEADSCOPE_TRY(const auto offsets, work::readList<std::int64_t>(file, "/examples/offsets"));
    HEADSCOPE_TRY(const auto weights, work::readList<float>(file, "/examples/weights"));
    if (kinds.size() != tokens.size() || offsets.size() != tokens.size() + 1 || offsets.front() != 0 ||
        offsets.back() != std::ssize(weights) || !std::ranges::is_sorted(offsets))
        return bad(file.path(), "/examples", "expected a kind and weights for every token, found lengths that differ");
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
        HeadExample example{tokens[i], {weights.begin() + offsets[i], weights.begin() + offsets[i + 1]}};
        if (kinds[i] == kTop)
            read.corpus.top.push_back(std::move(example));
        else if (kinds[i] == kDrawn)
            read.drawn.push_back(std::move(example));
        else if (kinds[i] >= 0 && kinds[i] < static_cast<std::int64_t>(kDeciles))
            read.corpus.deciles[static_cast<std::size_t>(kinds[i])].push_back(std::move(example));
        else
            return bad(file.path(), "/examples/kind",
                       fmt::format("expected {} to {}, found {}", kDrawn, kDeciles - 1, kinds[i]));
    }
    return {};
}

} // namespace

Status writeHeadCorpus(const std::filesystem::path& target, const HeadCorpusFile& file)
{
    // A job of its own: it is written because another one was asked to stop.
    JobContext job;
    HEADSCOPE_TRY(Hdf5Writer writer, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeSource(writer, file));
    HEADSCOPE_CHECK(writeModel(writer, file.corpus.source.model));
    HEADSCOPE_CHECK(writeTokens(writer, file.corpus));
    HEADSCOPE_CHECK(writeExamples(writer, file));
    return writer.publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); });
}

Result<HeadCorpusFile> readHeadCorpus(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkFormat(file));
    HeadCorpusFile read;
    HEADSCOPE_CHECK(readSource(file, read));
    HEADSCOPE_CHECK(readTokens(file, read.corpus));
    HEADSCOPE_CHECK(readExamples(file, read));
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_CHECK(checkHeadCorpus(read, path));
    return read;
}

} // namespace headscope
