// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/importance/player_values.h"

#include "model/analysis/importance/mask_regression.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/data/results/pruning_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double meanOf(std::span<const double> row)
{
    return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

/// The rows that are estimated, a number a document: all, none, then of every player what is left out and alone; and
/// the coefficients.
class Rows
{
public:
    static constexpr std::int64_t kAll = 0;
    static constexpr std::int64_t kNone = 1;

    Rows(const MaskPlan& plan, const MaskRegression& regression, const MatrixD& values)
        : m_plan(plan), m_values(values), m_rows(2 + 2 * plan.players, values.cols()),
          m_coefficients(plan.players, values.cols())
    {
        copy(kAll, 0);
        copy(kNone, plan.none);
        for (std::int64_t i = 0; i < plan.players; ++i)
        {
            const auto player = static_cast<std::size_t>(i);
            subtract(leftOut(i), 0, plan.without[player]);
            subtract(alone(i), plan.alone[player], plan.none);
            combine(m_coefficients.row(i), regression.weights().row(i + 1));
        }
    }

    [[nodiscard]] static std::int64_t leftOut(std::int64_t player) { return 2 + 2 * player; }
    [[nodiscard]] static std::int64_t alone(std::int64_t player) { return 3 + 2 * player; }
    [[nodiscard]] const MatrixD& rows() const { return m_rows; }
    [[nodiscard]] const MatrixD& coefficients() const { return m_coefficients; }
    [[nodiscard]] std::vector<bool> differences() const
    {
        std::vector<bool> are(static_cast<std::size_t>(m_rows.rows()), true);
        are[kAll] = are[kNone] = false;
        return are;
    }

private:
    void copy(std::int64_t row, std::size_t mask)
    {
        std::ranges::copy(m_values.row(static_cast<std::int64_t>(mask)), m_rows.row(row).begin());
    }
    void subtract(std::int64_t row, std::size_t with, std::size_t without)
    {
        std::ranges::transform(m_values.row(static_cast<std::int64_t>(with)),
                               m_values.row(static_cast<std::int64_t>(without)), m_rows.row(row).begin(), std::minus());
    }
    /// Of what differs from the first mask: weights sum to 0, and a document that no mask changes gets 0 itself, not
    /// what rounding leaves of it.
    void combine(std::span<double> sums, std::span<const double> weights)
    {
        const auto first = m_values.row(static_cast<std::int64_t>(m_plan.sample.front()));
        for (std::size_t drawn = 0; drawn < weights.size(); ++drawn)
        {
            const auto values = m_values.row(static_cast<std::int64_t>(m_plan.sample[drawn]));
            for (std::size_t document = 0; document < sums.size(); ++document)
                sums[document] += weights[drawn] * (values[document] - first[document]);
        }
    }

    const MaskPlan& m_plan;
    const MatrixD& m_values;
    MatrixD m_rows;
    MatrixD m_coefficients; ///< [players, documents]
};

std::vector<double> meansOf(const MaskPlan& plan, const MatrixD& values)
{
    std::vector<double> means;
    for (const std::size_t mask : plan.sample)
        means.push_back(meanOf(values.row(static_cast<std::int64_t>(mask))));
    return means;
}

/// Of the mean, over the documents.
StandardError errorOfMean(std::span<const double> row)
{
    const double mean = meanOf(row);
    const auto degrees = std::ssize(row) - 1;
    double squares = 0;
    for (const double value : row)
        squares += (value - mean) * (value - mean);
    return {std::sqrt(squares / static_cast<double>(degrees) / static_cast<double>(row.size())), degrees};
}

/// The coefficient of a player with its interval, p and role.
/// @param ofDocuments  [documents] its coefficient for each
/// @param masks        its error over the masks; none: all were measured
/// @param rounding     values up to it are none
void addCoefficient(UnitEffect& player, std::span<const double> ofDocuments, const std::optional<StandardError>& masks,
                    double rounding)
{
    const double mean = meanOf(ofDocuments);
    player.coefficient.value = mean;
    const auto changed = std::ranges::count_if(ofDocuments, [](double value) { return value != 0; });
    if (changed < kMinChanged || (masks && masks->degrees < 1))
        return;
    const StandardError documents = errorOfMean(ofDocuments);
    player.documentError = documents.value;
    const StandardError error = masks ? joined(documents, *masks) : documents;
    const double half = studentQuantile(error.degrees) * error.value;
    player.coefficient.ci95 = {mean - half, mean + half};
    player.p = 1;
    if (std::abs(mean) <= rounding) // a player that changes nothing has the same rounding in every document
        return;
    player.p = studentP(mean / error.value, error.degrees);
    player.role = roleOf(mean, error);
}

void addFalseDiscoveryRates(std::vector<UnitEffect>& players)
{
    std::vector<double> p;
    for (const UnitEffect& player : players)
        p.push_back(player.p);
    const auto q = benjaminiHochberg(p);
    for (std::size_t i = 0; i < players.size(); ++i)
        players[i].q = q[i];
}

} // namespace

StandardError joined(StandardError one, StandardError other)
{
    const double first = one.value * one.value;
    const double second = other.value * other.value;
    const double parts =
        first * first / static_cast<double>(one.degrees) + second * second / static_cast<double>(other.degrees);
    const std::int64_t least = std::min(one.degrees, other.degrees);
    const std::int64_t degrees =
        parts > 0 ? static_cast<std::int64_t>((first + second) * (first + second) / parts) : least;
    return {std::sqrt(first + second), std::max(least, degrees)};
}

PlayerRole roleOf(double coefficient, StandardError error)
{
    if (error.degrees < 1)
        return PlayerRole::Undecided;
    const double half = studentQuantile(error.degrees) * error.value;
    if (coefficient - half > 0)
        return PlayerRole::Facilitating;
    return coefficient + half < 0 ? PlayerRole::Interfering : PlayerRole::Undecided;
}

Result<std::vector<Estimate>> meansOverDocuments(const MatrixD& rows, const std::vector<bool>& differences,
                                                 std::uint64_t seed, JobContext& job)
{
    const BootstrapOptions options{.seed = seed};
    const auto resamples = static_cast<std::size_t>(options.resamples);
    const std::int64_t documents = rows.cols();
    const Draws draws(seed);
    std::vector<std::vector<double>> drawn(static_cast<std::size_t>(rows.rows()), std::vector<double>(resamples));
    for (std::size_t b = 0; b < resamples && documents > 0; ++b)
    {
        HEADSCOPE_CHECK(job.checkStop());
        std::vector<double> counts(static_cast<std::size_t>(documents), 0.0);
        for (const std::int64_t unit : resample(draws, static_cast<std::int64_t>(b), documents))
            counts[static_cast<std::size_t>(unit)] += 1;
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            drawn[static_cast<std::size_t>(i)][b] =
                std::inner_product(counts.begin(), counts.end(), rows.row(i).begin(), 0.0) /
                static_cast<double>(documents);
    }
    std::vector<Estimate> estimates;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto row = rows.row(i);
        const auto at = static_cast<std::size_t>(i);
        Estimate estimate{documents > 0 ? meanOf(row) : kNan, {}};
        const auto changed = std::ranges::count_if(row, [](double value) { return value != 0; });
        if (documents > 0 && (!differences[at] || changed >= kMinChanged))
        {
            std::ranges::sort(drawn[at]);
            estimate.ci95 = {quantile(drawn[at], 0.025), quantile(drawn[at], 0.975)};
        }
        estimates.push_back(estimate);
    }
    return estimates;
}

Result<MeasureValues> playerValues(const MaskPlan& plan, ImportanceMeasure measure, const MatrixD& values,
                                   std::uint64_t seed, JobContext& job)
{
    HEADSCOPE_ASSERT(values.rows() == std::ssize(plan.masks));
    std::vector<PlayerMask> sample;
    for (std::size_t row = 0; row < plan.sample.size(); ++row)
        sample.push_back(plan.sampled(row));
    HEADSCOPE_TRY(const auto regression, MaskRegression::create(sample));
    const Rows rows(plan, regression, values);
    HEADSCOPE_TRY(const auto estimates, meansOverDocuments(rows.rows(), rows.differences(), seed, job));
    const auto of = [&estimates](std::int64_t row) { return estimates[static_cast<std::size_t>(row)]; };
    const std::vector<double> means = meansOf(plan, values);
    const MaskFit fit = regression.fit(means);
    MeasureValues found;
    found.documents = values.cols();
    found.all = of(Rows::kAll);
    found.none = of(Rows::kNone);
    if (measure == ImportanceMeasure::Match)
        for (Estimate* share : {&found.all, &found.none})
            share->ci95 = withWidthAtEnds(share->ci95, values.cols());
    else
        found.all.ci95 = {}; // the whole model beside itself: nothing could be otherwise
    found.intercept = fit.coefficients.front();
    found.interceptError = plan.exhaustive ? kNan : fit.standardErrors.front();
    found.r2 = fit.r2;
    double largest = 0;
    for (const double mean : means)
        largest = std::max(largest, std::abs(mean));
    constexpr double kRounding = 1e-12;
    const double rounding = kRounding * largest;
    const auto degrees = std::ssize(plan.sample) - plan.players - 1;
    const auto shapley = plan.exhaustive ? shapleyValues(sample, means) : std::vector<double>();
    for (std::int64_t i = 0; i < plan.players; ++i)
    {
        UnitEffect player{.leftOut = of(Rows::leftOut(i)), .alone = of(Rows::alone(i)), .coefficient = {}};
        const auto at = static_cast<std::size_t>(i);
        std::optional<StandardError> masks;
        if (plan.exhaustive)
            player.shapley = shapley[at];
        else
        {
            player.standardError = fit.standardErrors[at + 1];
            masks = StandardError{player.standardError, degrees};
        }
        addCoefficient(player, rows.coefficients().row(i), masks, rounding);
        found.players.push_back(player);
    }
    addFalseDiscoveryRates(found.players);
    return found;
}

} // namespace headscope
