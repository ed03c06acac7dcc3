// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/contributions_job.h"

#include "model/analysis/circuits/contribution_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>

namespace headscope::engine
{
namespace
{

using commands::ContributionsCommand;

double lengthOf(std::span<const double> values)
{
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// Two ids of a text with a comma between, of which the ids may have more.
std::optional<std::array<std::size_t, 2>> placesOf(const std::string& pair, const std::vector<std::string>& ids)
{
    const auto placeOf = [&ids](const std::string& id) { return std::ranges::find(ids, id) - ids.begin(); };
    for (auto comma = pair.find(','); comma != std::string::npos; comma = pair.find(',', comma + 1))
    {
        const auto first = placeOf(pair.substr(0, comma));
        const auto second = placeOf(pair.substr(comma + 1));
        if (first < std::ssize(ids) && second < std::ssize(ids))
            return std::array{static_cast<std::size_t>(first), static_cast<std::size_t>(second)};
    }
    return {};
}

/// Whether an id is one of a pair's.
bool isOfPair(const std::string& pair, const std::string& id)
{
    return pair.starts_with(id + ",") || pair.ends_with("," + id);
}

/// Effects along every document's own vector of length 1.
/// @param mean  null: nothing is subtracted
Result<std::vector<PartValues>> ownEffects(const ContributionsFindings& found, const MeanSummands* mean,
                                           std::vector<double>& norms, int threads, JobContext& job)
{
    MatrixD directions(std::ssize(found.summands), found.model.modelDim);
    norms.clear();
    for (std::size_t i = 0; i < found.summands.size(); ++i)
    {
        const auto row = directions.row(static_cast<std::int64_t>(i));
        for (std::size_t d = 0; d < row.size(); ++d)
            row[d] = static_cast<double>(found.summands[i].embedding[d]) - (mean != nullptr ? mean->embedding[d] : 0);
        const double norm = norms.emplace_back(lengthOf(row));
        for (double& value : row)
            value = norm > 0 ? value / norm : 0;
    }
    return effectsAlong(found.model, found.summands, directions, mean, threads, job);
}

/// @param mean  null: nothing is subtracted
Status addPair(ContributionsFindings& found, const MeanSummands* mean, int threads, JobContext& job)
{
    const auto [first, second] = found.pair;
    const auto of = [&](std::size_t document) {
        return mean != nullptr ? centredSummands(found.summands[document], *mean) : found.summands[document];
    };
    const PooledSummands a = of(first);
    const PooledSummands b = of(second);
    const std::vector<double>& norms = mean != nullptr ? found.centredNorms : found.norms;
    if (norms[first] == 0 || norms[second] == 0)
        return Error{ErrorCode::WrongUse,
                     "expected documents that differ from the mean over all documents, found one that does not",
                     {},
                     "--center"};
    const double dot =
        std::inner_product(a.embedding.begin(), a.embedding.end(), b.embedding.begin(), 0.0, std::plus(),
                           [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
    PairContribution pair{
        found.ids[first], found.ids[second], dot / (norms[first] * norms[second]), mean != nullptr, {}};
    HEADSCOPE_TRY(found.pairMatrix, pairContributions(parts(found.model, a), parts(found.model, b), norms[first],
                                                      norms[second], threads, job));
    double sum = 0;
    for (const VectorPart& place : vectorParts(found.model.numLayers(), found.model.heads, !a.normBias.empty()))
    {
        PairTerm term{place, 0, 0};
        const auto at = std::ssize(pair.terms);
        for (std::int64_t other = 0; other < found.pairMatrix.cols(); ++other)
        {
            term.value += found.pairMatrix(at, other);
            term.reverse += found.pairMatrix(other, at);
        }
        sum += term.value;
        pair.terms.push_back(term);
    }
    found.result.additiveError = std::abs(sum - pair.cosine);
    found.result.pair = std::move(pair);
    return {};
}

/// The pair of a command among documents.
Result<std::array<std::size_t, 2>> pairOf(const ContributionsCommand& command, const std::vector<std::string>& ids)
{
    if (const auto places = placesOf(command.pair, ids))
        return *places;
    // Where only the two are read, others are not known.
    const std::string such =
        ids.size() > 2 ? fmt::format("; the first document is \"{}\"", ids.front()) : std::string();
    return Error{ErrorCode::WrongUse,
                 fmt::format("expected the ids of two input documents with tokens, found \"{}\"{}", command.pair, such),
                 {},
                 "--pair"};
}

Status addEffects(const ContributionsCommand& command, std::uint64_t seed, int threads, ContributionsFindings& found,
                  JobContext& job)
{
    job.report("splitting vectors", 0, 0);
    HEADSCOPE_TRY(found.direct, ownEffects(found, nullptr, found.norms, threads, job));
    const MeanSummands mean = meanSummands(found.summands);
    HEADSCOPE_TRY(found.centred, ownEffects(found, &mean, found.centredNorms, threads, job));
    if (!command.pair.empty())
        return addPair(found, command.center ? &mean : nullptr, threads, job);
    double largest = 0;
    for (std::size_t i = 0; i < found.norms.size(); ++i)
        largest = std::max(largest, std::abs(found.direct[i].sum() - found.norms[i]) / found.norms[i]);
    found.result.additiveError = largest;
    job.report("intervals", 0, 0);
    HEADSCOPE_TRY(found.result.parts, partShares(found.model, {found.direct, found.norms},
                                                 {found.centred, found.centredNorms}, seed, threads, job));
    return {};
}

} // namespace

Status checkContributionsChoices(const commands::ContributionsCommand& command)
{
    if (command.parts && std::filesystem::path(command.output).extension() != ".h5")
        return Error{ErrorCode::WrongUse, "this option needs -o FILE.h5", {}, "--parts"};
    if (command.center && command.pair.empty())
        return Error{ErrorCode::WrongUse, "this option needs --pair", {}, "--center"};
    return {};
}

Result<ContributionsFindings> findContributions(const ContributionsCommand& command, const shell::CommonOptions& common,
                                                const OpenedModel& model, const HeadExtractor& extractor,
                                                const ExtractionOptions& options, std::int64_t maxTokens,
                                                JobContext& job)
{
    // Of a file without room for others, the two of a pair are enough.
    std::function<bool(const std::string&)> wanted;
    if (!command.pair.empty() && command.output.empty() && !command.center)
        wanted = [&command](const std::string& id) { return isOfPair(command.pair, id); };
    const auto check = [&command](const std::vector<std::string>& ids) -> Status {
        if (command.pair.empty())
            return {};
        const auto pair = pairOf(command, ids);
        return pair ? Status() : Status(pair.error());
    };
    ContributionsFindings found;
    HEADSCOPE_TRY(static_cast<TracedDocuments&>(found),
                  traceTexts(command, common, model, extractor, options, maxTokens, {wanted, check}, job));
    if (!command.pair.empty())
    {
        HEADSCOPE_TRY(found.pair, pairOf(command, found.ids)); // without those that are not finite
    }
    if (found.summands.empty())
        return Error{ErrorCode::InvalidArgument, "expected documents with finite vectors, found none", {}, {}};
    found.result.model = model.card.info.name;
    found.result.pooling = poolingName(options.pooling);
    found.result.frozen = found.model.normsBehind();
    found.result.outputBias = found.model.hasOutputBias();
    found.result.documents = std::ssize(found.summands);
    found.result.layers = found.model.numLayers();
    found.result.heads = found.model.heads;
    found.result.kvHeads = model.files.config.kvHeads;
    HEADSCOPE_CHECK(addEffects(command, common.seed, options.threads, found, job));
    return found;
}

} // namespace headscope::engine
