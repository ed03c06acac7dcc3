// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/contributions_answer.h"

#include "app/frames/frame_json.h"
#include "model/base/output/output_file.h"
#include "model/base/text/csv_text.h"
#include "model/base/text/fixed_text.h"
#include "model/data/circuits/contributions_frame.h"
#include "model/data/frame/frame_text.h"
#include "model/io/circuits/circuit_file.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

namespace headscope::engine
{
namespace
{

constexpr std::size_t kShownRows = 20;

Members resultOf(const ContributionsFindings& found)
{
    const ContributionsResult& result = found.result;
    Members members = {
        {"model", result.model},         {"sha256", Members(found.hashes.begin(), found.hashes.end())},
        {"pooling", result.pooling},     {"norms", result.frozen ? "all norms frozen" : "final norm frozen"},
        {"documents", result.documents}, {"tokens", found.tokens},
        {"empty", found.empty},          {"truncated", found.truncated},
        {"non_finite", found.nonFinite}};
    if (result.pair)
    {
        members.emplace_back("pair", NodeList{result.pair->first, result.pair->second});
        members.emplace_back("centered", result.pair->centred);
        members.emplace_back("cosine", result.pair->cosine);
        members.emplace_back("terms", termsFrame(result));
    }
    else
        members.emplace_back("parts", partsFrame(result));
    members.emplace_back("additive_error", result.additiveError);
    return members;
}

/// What the numbers are, and what they are not.
std::string legend(const ContributionsResult& result)
{
    std::string text = result.frozen
                           ? "Every norm is frozen at its value for each token (all norms frozen). A part of an early "
                             "layer passes through more norms than a part of a late layer.\n"
                           : "The final norm is frozen at its value for each token; the sum is exact up to rounding.\n";
    text += fmt::format("The parts sum to the total within {:.1e}. Each part is a direct contribution: what later "
                        "layers do with it counts towards those layers.\n",
                        result.additiveError);
    return text;
}

/// The rows with the largest numbers by their size.
Frame largestRows(Frame frame, std::string_view key)
{
    const auto& values = std::get<Column::Reals>(frame.find(key)->values);
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    const auto size = [&values](std::size_t row) { return std::isnan(values[row]) ? -1 : std::abs(values[row]); };
    std::ranges::stable_sort(order, std::ranges::greater(), size);
    order.resize(std::min(order.size(), kShownRows));
    frame.take(order);
    return frame;
}

/// Sums over all parts of a kind: "token 0.1, heads 0.4, MLPs 0.5".
template <class List, class Number>
std::string kindSums(const List& rows, bool outputBias, const Number& number)
{
    std::map<PartKind, double> sums;
    for (const auto& row : rows)
        sums[row.part.kind] += number(row);
    std::string text = fmt::format("token {}, heads {}, MLPs {}", fixedText(sums[PartKind::Token], 4),
                                   fixedText(sums[PartKind::Head], 4), fixedText(sums[PartKind::Mlp], 4));
    if (outputBias)
        text += fmt::format(", output biases {}", fixedText(sums[PartKind::OutputBias], 4));
    if (sums.contains(PartKind::NormBiasMlp))
        text += fmt::format(", norm biases {}",
                            fixedText(sums[PartKind::NormBiasAttention] + sums[PartKind::NormBiasMlp], 4));
    return text;
}

std::string pairText(const ContributionsResult& result)
{
    const PairContribution& pair = *result.pair;
    return fmt::format("Cosine of {} and {}{}: {} = {}\n\nThe {} largest of {} terms by size:\n{}\n", pair.first,
                       pair.second, pair.centred ? " without the mean over the documents" : "",
                       fixedText(pair.cosine, 4),
                       kindSums(pair.terms, result.outputBias, [](const PairTerm& term) { return term.value; }),
                       std::min(kShownRows, pair.terms.size()), pair.terms.size(),
                       frameText(largestRows(termsFrame(result), "value")));
}

std::string corpusText(const ContributionsResult& result)
{
    const std::string sums =
        kindSums(result.parts, result.outputBias, [](const PartShare& part) { return part.share.value; });
    const std::string centred =
        kindSums(result.parts, result.outputBias, [](const PartShare& part) { return part.centred.value; });
    return fmt::format("Vectors of {} documents, pooling {}\nShares, means over documents: {}\nCentred (mean over "
                       "documents subtracted): {}\n\nThe {} largest of {} parts by the size of their centred share; "
                       "brackets: 95% interval by bootstrap over documents\n{}\n",
                       result.documents, result.pooling, sums, result.documents > 1 ? centred : "-",
                       std::min(kShownRows, result.parts.size()), result.parts.size(),
                       frameText(largestRows(partsFrame(result), result.documents > 1 ? "centered_share" : "share")));
}

/// Writes numbers below a group.
class GroupWriter
{
public:
    GroupWriter(Hdf5Writer& file, std::string group) : m_file(file), m_group(std::move(group)) {}

    Status write(std::string_view name, std::vector<std::int64_t> shape, std::span<const double> values)
    {
        return m_file.write(m_group + std::string(name), shape, NumberType::F64, std::as_bytes(values));
    }

    /// A number of every document for every part.
    Status writeValues(std::string_view name, const std::vector<PartValues>& all)
    {
        const std::string group = std::string(name) + "/";
        const auto documents = std::ssize(all);
        const std::int64_t layers = all.front().heads.rows();
        const auto joined = [&all](const auto& valuesOf) {
            std::vector<double> values;
            for (const PartValues& each : all)
            {
                const auto& own = valuesOf(each);
                values.insert(values.end(), own.begin(), own.end());
            }
            return values;
        };
        HEADSCOPE_CHECK(write(group + "token", {documents},
                              joined([](const PartValues& each) { return std::span(&each.token, 1); })));
        HEADSCOPE_CHECK(write(group + "heads", {documents, layers, all.front().heads.cols()},
                              joined([](const PartValues& each) -> auto& { return each.heads.values(); })));
        HEADSCOPE_CHECK(write(group + "o_bias", {documents, layers},
                              joined([](const PartValues& each) -> auto& { return each.outputBias; })));
        HEADSCOPE_CHECK(write(group + "mlp", {documents, layers},
                              joined([](const PartValues& each) -> auto& { return each.mlp; })));
        if (all.front().normBias.empty())
            return {};
        return write(group + "norm_bias", {documents, layers, 2},
                     joined([](const PartValues& each) -> auto& { return each.normBias.values(); }));
    }

private:
    Hdf5Writer& m_file;
    std::string m_group;
};

Status writeEmbeddings(Hdf5Writer& file, const ContributionsFindings& found)
{
    std::vector<float> all;
    for (const PooledSummands& each : found.summands)
        all.insert(all.end(), each.embedding.begin(), each.embedding.end());
    const std::array shape = {found.result.documents, found.model.modelDim};
    return file.write("/contributions/embedding", shape, NumberType::F32, std::as_bytes(std::span(all)));
}

/// [N, L, H, Dm]
Status writeParts(Hdf5Writer& file, const ContributionsFindings& found, JobContext& job)
{
    const std::string name = "/contributions/parts/heads";
    const ResidualModel& model = found.model;
    const std::array shape = {found.result.documents, model.numLayers(), model.heads, model.modelDim};
    HEADSCOPE_CHECK(file.createDataset(name, shape, NumberType::F32));
    const auto numbers = static_cast<std::size_t>(model.numLayers() * model.heads * model.modelDim);
    for (std::size_t i = 0; i < found.summands.size(); ++i)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("writing parts", i, found.summands.size(), "documents");
        const MatrixD all = parts(model, found.summands[i]); // [M, Dm], that of the token first
        std::vector<float> heads(numbers);
        std::transform(all.data() + model.modelDim, all.data() + model.modelDim + numbers, heads.begin(),
                       [](double value) { return static_cast<float>(value); });
        HEADSCOPE_CHECK(
            file.writeRows(name, static_cast<std::int64_t>(i), 1, std::as_bytes(std::span<const float>(heads))));
    }
    return {};
}

/// Of every document what adds up before the final norm, below /contributions/raw.
Status writeRaw(Hdf5Writer& file, const ContributionsFindings& found, JobContext& job)
{
    const ResidualModel& model = found.model;
    const std::int64_t documents = found.result.documents;
    const std::int64_t layers = model.numLayers();
    const std::string group = "/contributions/raw/";
    const auto floats = [](std::span<const double> values) { return std::vector<float>(values.begin(), values.end()); };
    const std::array heads = {documents, layers, model.heads, model.modelDim};
    const std::array mlps = {documents, layers, model.modelDim};
    const std::array rows = {documents, model.modelDim};
    HEADSCOPE_CHECK(file.createDataset(group + "heads", heads, NumberType::F32));
    HEADSCOPE_CHECK(file.createDataset(group + "mlp", mlps, NumberType::F32));
    HEADSCOPE_CHECK(file.createDataset(group + "token", rows, NumberType::F32));
    HEADSCOPE_CHECK(file.createDataset(group + "prenorm", rows, NumberType::F32));
    std::vector<double> rms;
    for (std::int64_t i = 0; i < documents; ++i)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const RawSummands raw = rawSummands(model, found.summands[static_cast<std::size_t>(i)]);
        rms.push_back(raw.rms);
        for (const auto& [name, values] : {std::pair("heads", &raw.heads.values()), std::pair("mlp", &raw.mlp.values()),
                                           std::pair("token", &raw.token), std::pair("prenorm", &raw.sum)})
            HEADSCOPE_CHECK(file.writeRows(group + name, i, 1, std::as_bytes(std::span<const float>(floats(*values)))));
    }
    std::vector<float> biases;
    for (const ResidualModel::Layer& layer : model.layers)
    {
        biases.insert(biases.end(), layer.outputBias.begin(), layer.outputBias.end());
        biases.resize(biases.size() + (layer.outputBias.empty() ? static_cast<std::size_t>(model.modelDim) : 0));
    }
    HEADSCOPE_CHECK(file.write(group + "o_bias", std::array{layers, model.modelDim}, NumberType::F32,
                               std::as_bytes(std::span<const float>(biases))));
    return file.write(group + "rms", std::array{documents}, NumberType::F64,
                      std::as_bytes(std::span<const double>(rms)));
}

Status writePair(Hdf5Writer& file, const ContributionsFindings& found)
{
    GroupWriter group(file, "/contributions/pairs/");
    const std::int64_t parts = found.pairMatrix.rows();
    const std::array<std::int32_t, 2> places = {static_cast<std::int32_t>(found.pair[0]),
                                                static_cast<std::int32_t>(found.pair[1])};
    HEADSCOPE_CHECK(file.write("/contributions/pairs/documents", std::array<std::int64_t, 2>{1, 2}, NumberType::I32,
                               std::as_bytes(std::span(places))));
    HEADSCOPE_CHECK(group.write("cosine", {1}, std::span(&found.result.pair->cosine, 1)));
    return group.write("matrix", {1, parts, parts}, found.pairMatrix.values());
}

Status writeHdf5(const std::filesystem::path& path, const ContributionsFindings& found, bool withParts,
                 const std::string& command, JobContext& job)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    GroupWriter group(file, "/contributions/");
    HEADSCOPE_CHECK(group.writeValues("direct", found.direct));
    HEADSCOPE_CHECK(group.writeValues("centred", found.centred));
    HEADSCOPE_CHECK(group.write("norm", {found.result.documents}, found.norms));
    HEADSCOPE_CHECK(group.write("centred_norm", {found.result.documents}, found.centredNorms));
    HEADSCOPE_CHECK(writeEmbeddings(file, found));
    if (withParts)
    {
        HEADSCOPE_CHECK(writeParts(file, found, job));
        if (!found.result.frozen && found.result.pooling != poolingName(Pooling::Mean)) // one token, one norm
            HEADSCOPE_CHECK(writeRaw(file, found, job));
    }
    if (found.result.pair)
        HEADSCOPE_CHECK(writePair(file, found));
    HEADSCOPE_CHECK(found.result.pair ? writeFrame(file, "contributions/terms", termsFrame(found.result))
                                      : writeFrame(file, "contributions/shares", partsFrame(found.result)));
    HEADSCOPE_CHECK(file.writeStrings("/documents", found.ids));
    HEADSCOPE_CHECK(file.writeStrings("/texts", found.beginnings));
    Members facts = {{"layers", found.result.layers},
                     {"heads", found.result.heads},
                     {"kv_heads", found.result.kvHeads},
                     {"pooling", found.result.pooling},
                     {"norms", found.result.frozen ? "all norms frozen" : "final norm frozen"},
                     {"additive_error", found.result.additiveError}};
    if (found.result.pair)
        for (Members more = {{"first", found.result.pair->first},
                             {"second", found.result.pair->second},
                             {"centered", found.result.pair->centred}};
             auto& each : more)
            facts.push_back(std::move(each));
    return publishCircuits(file, {"contributions", command, found.result.model, found.hashes}, facts);
}

} // namespace

std::string contributionsJson(const ContributionsFindings& found, const Members& more, int indent)
{
    Json json = nodeJson(resultOf(found));
    addMembers(json, more);
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string contributionsText(const ContributionsFindings& found)
{
    return (found.result.pair ? pairText(found.result) : corpusText(found.result)) + legend(found.result);
}

Status writeContributions(const std::filesystem::path& path, const ContributionsFindings& found, bool withParts,
                          const std::string& command, JobContext& job)
{
    if (path.extension() == ".h5")
        return writeHdf5(path, found, withParts, command, job);
    if (path.extension() == ".csv")
        return writeCsvFile(
            path, frameCsv(found.result.pair ? termsFrame(found.result) : partsFrame(found.result), CsvTexts::Plain));
    return writeFileAtomically(path, contributionsJson(found, {}, 1) + "\n");
}

} // namespace headscope::engine
