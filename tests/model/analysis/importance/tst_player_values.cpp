// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/importance/player_values.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/data/results/pruning_results.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <stop_token>

using namespace headscope;

namespace
{

constexpr std::int64_t kDocuments = 40;
constexpr std::int64_t kPlayers = 6;

/// A number in [0, 1) of a document.
double noise(std::int64_t document, std::uint64_t seed = 3)
{
    return static_cast<double>(Draws(seed).below(static_cast<std::uint64_t>(document), 1000)) / 1000;
}

/// A measure that adds up: player 0 gives 1 to 2 a document, player 1 takes as much, the others nothing.
MatrixD additive(const MaskPlan& plan)
{
    MatrixD values(std::ssize(plan.masks), kDocuments);
    for (std::int64_t mask = 0; mask < values.rows(); ++mask)
        for (std::int64_t document = 0; document < kDocuments; ++document)
        {
            const PlayerMask& kept = plan.masks[static_cast<std::size_t>(mask)];
            const double share = 1 + noise(document);
            values(mask, document) = 10 + (kept[0] ? share : 0) - (kept[1] ? share : 0);
        }
    return values;
}

/// A number of the normal distribution.
double normal(const Draws& draws, std::uint64_t index)
{
    constexpr std::int64_t kSteps = std::int64_t{1} << 52U;
    const auto uniform = [&](std::uint64_t at) {
        return (static_cast<double>(draws.below(at, kSteps)) + 0.5) / static_cast<double>(kSteps);
    };
    return std::sqrt(-2 * std::log(uniform(2 * index))) * std::cos(2 * std::numbers::pi * uniform(2 * index + 1));
}

/// Heads whose true coefficient is 0: each helps a document as much as it harms another (standard error 1 of a mean
/// over the documents), and the sets of heads differ by what no list of heads tells (standard error `maskError` of a
/// coefficient over the sets).
MatrixD withoutEffect(const MaskPlan& plan, double maskError, std::uint64_t seed)
{
    const Draws draws(seed);
    MatrixD slopes(plan.players, kDocuments);
    const std::size_t count = slopes.values().size();
    for (std::size_t i = 0; i < count; ++i)
        slopes.values()[i] = normal(draws, i) * std::sqrt(static_cast<double>(kDocuments));
    MatrixD values(std::ssize(plan.masks), kDocuments);
    for (std::int64_t mask = 0; mask < values.rows(); ++mask)
    {
        // The coefficient of a coin has the standard error 2 sd / sqrt(masks).
        const double ofMask = normal(draws, count + static_cast<std::size_t>(mask)) * maskError / 2 *
                              std::sqrt(static_cast<double>(plan.sample.size()));
        for (std::int64_t document = 0; document < kDocuments; ++document)
        {
            double value = ofMask;
            for (std::int64_t i = 0; i < plan.players; ++i)
                value +=
                    plan.masks[static_cast<std::size_t>(mask)][static_cast<std::size_t>(i)] ? slopes(i, document) : 0;
            values(mask, document) = value;
        }
    }
    return values;
}

} // namespace

class TestPlayerValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAddsUpIsFoundExactly()
    {
        const auto plan = MaskPlan::make(kPlayers, 40, 5);
        QVERIFY(!plan.exhaustive);
        JobContext job;
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, additive(plan), 1, job);
        HEADSCOPE_VERIFY_OK(found);
        double mean = 0;
        for (std::int64_t document = 0; document < kDocuments; ++document)
            mean += (1 + noise(document)) / kDocuments;
        QCOMPARE(found->documents, kDocuments);
        QVERIFY(std::abs(found->r2 - 1) < 1e-12);
        QVERIFY(std::abs(found->intercept - 10) < 1e-12);
        for (std::size_t i = 0; i < 2; ++i)
        {
            const UnitEffect& player = found->players[i];
            const double expected = i == 0 ? mean : -mean;
            for (const Estimate& estimate : {player.leftOut, player.alone, player.coefficient})
            {
                QVERIFY(std::abs(estimate.value - expected) < 1e-12);
                QVERIFY(estimate.ci95.low <= expected && expected <= estimate.ci95.high);
                QVERIFY(estimate.ci95.high - estimate.ci95.low > 0.05); // documents differ
            }
            QCOMPARE(player.role, i == 0 ? PlayerRole::Facilitating : PlayerRole::Interfering);
            QVERIFY(std::isnan(player.shapley));
        }
        QCOMPARE(found->players[2].role, PlayerRole::Undecided);
        QCOMPARE(found->players[2].leftOut.value, 0.0);
        QVERIFY(std::isnan(found->players[2].leftOut.ci95.low)); // it changes no document
    }

    /// 20 documents that are right whatever is off, and 5 that are not: rounding is no change, and 5 are too few.
    void documentsThatNeverChangeDoNotCount()
    {
        const auto plan = MaskPlan::make(kPlayers, 40, 5);
        constexpr std::int64_t kAll = 25;
        for (const std::int64_t changing : {5, 20})
        {
            MatrixD values(std::ssize(plan.masks), kAll);
            for (std::int64_t mask = 0; mask < values.rows(); ++mask)
                for (std::int64_t document = 0; document < kAll; ++document)
                    values(mask, document) =
                        document >= changing || plan.masks[static_cast<std::size_t>(mask)][2] ? 1.0 : 0.0;
            JobContext job;
            const auto found = playerValues(plan, ImportanceMeasure::Match, values, 1, job);
            HEADSCOPE_VERIFY_OK(found);
            const UnitEffect& player = found->players[2];
            QVERIFY(std::abs(player.coefficient.value - static_cast<double>(changing) / kAll) < 1e-9);
            QCOMPARE(std::isnan(player.coefficient.ci95.low), changing < kMinChanged);
            QCOMPARE(std::isnan(player.p), changing < kMinChanged);
            QCOMPARE(player.role, changing < kMinChanged ? PlayerRole::Undecided : PlayerRole::Facilitating);
        }
    }

    void everyMaskMakesItExact()
    {
        const auto plan = MaskPlan::make(kPlayers, 64, 5);
        QVERIFY(plan.exhaustive);
        JobContext job;
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, additive(plan), 1, job);
        HEADSCOPE_VERIFY_OK(found);
        for (const UnitEffect& player : found->players)
        {
            QVERIFY(std::abs(player.shapley - player.coefficient.value) < 1e-11); // nothing interacts
            QVERIFY(std::isnan(player.standardError));                            // nothing was drawn
        }
        // Nothing but the documents is an error.
        const UnitEffect& first = found->players[0];
        const double half = studentQuantile(kDocuments - 1) * first.documentError;
        QVERIFY(first.documentError > 0);
        QVERIFY(std::abs(first.coefficient.ci95.high - first.coefficient.value - half) < 1e-12);
        QCOMPARE(found->players[0].role, PlayerRole::Facilitating);
        QCOMPARE(found->players[1].role, PlayerRole::Interfering);
        QCOMPARE(found->players[5].role, PlayerRole::Undecided);
    }

    void intervalsAreThoseOfTheBootstrap()
    {
        MatrixD rows(2, kDocuments);
        for (std::int64_t document = 0; document < kDocuments; ++document)
        {
            rows(0, document) = noise(document);
            rows(1, document) = document < kMinChanged ? 1 : 0;
        }
        JobContext job;
        const auto estimates = meansOverDocuments(rows, {false, true}, 9, job);
        HEADSCOPE_VERIFY_OK(estimates);
        const auto reference = bootstrapInterval(kDocuments,
                                                 [&](std::span<const std::int64_t> units) {
                                                     double sum = 0;
                                                     for (const std::int64_t unit : units)
                                                         sum += rows(0, unit);
                                                     return sum / static_cast<double>(units.size());
                                                 },
                                                 {.seed = 9});
        QVERIFY(std::abs((*estimates)[0].ci95.low - reference.ci95.low) < 1e-12);
        QVERIFY(std::abs((*estimates)[0].ci95.high - reference.ci95.high) < 1e-12);
        QVERIFY((*estimates)[1].ci95.low > 0); // exactly as many as an interval needs
        rows(1, 0) = 0;
        const auto fewer = meansOverDocuments(rows, {false, true}, 9, job);
        HEADSCOPE_VERIFY_OK(fewer);
        QVERIFY(std::isnan((*fewer)[1].ci95.low)); // one fewer
        QCOMPARE((*fewer)[1].value, static_cast<double>(kMinChanged - 1) / kDocuments);
    }

    void documentsThatDisagreeLeaveARoleOpen()
    {
        // A head that helps half of the documents as much as it harms the others: over the masks certain, not over the
        // documents.
        const auto plan = MaskPlan::make(kPlayers, 40, 5);
        MatrixD values(std::ssize(plan.masks), kDocuments);
        for (std::int64_t mask = 0; mask < values.rows(); ++mask)
            for (std::int64_t document = 0; document < kDocuments; ++document)
                values(mask, document) =
                    plan.masks[static_cast<std::size_t>(mask)][0] ? (document % 2 == 0 ? 1.0 : -0.99) : 0.0;
        JobContext job;
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, values, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        const UnitEffect& player = found->players[0];
        QCOMPARE(roleOf(player.coefficient.value, {player.standardError, 33}), PlayerRole::Facilitating);
        QCOMPARE(player.role, PlayerRole::Undecided);
    }

    void headsWithoutEffectHaveARoleInOneOfTwenty_data()
    {
        QTest::addColumn<double>("maskError"); // in standard errors over the documents
        QTest::newRow("the sets add up") << 0.0;
        QTest::newRow("half of the documents' error") << 0.5;
        QTest::newRow("as large as the documents' error") << 1.0;
        QTest::newRow("three times as large") << 3.0;
    }
    /// Documents and sets are two errors of one number. Asking each interval alone to exclude 0 gave a role to 0.09 of
    /// these heads with half of the documents' error and to 0.14 with as large a one.
    void headsWithoutEffectHaveARoleInOneOfTwenty()
    {
        QFETCH(double, maskError);
        constexpr std::int64_t kHeads = 16;
        constexpr std::uint64_t kTrials = 100;
        double roles = 0;
        double discoveries = 0;
        for (std::uint64_t trial = 0; trial < kTrials; ++trial)
        {
            const auto plan = MaskPlan::make(kHeads, kMasksPerPlayer * kHeads, 1000 + trial);
            JobContext job;
            const auto found =
                playerValues(plan, ImportanceMeasure::Cosine, withoutEffect(plan, maskError, trial), trial, job);
            HEADSCOPE_VERIFY_OK(found);
            bool any = false;
            for (const UnitEffect& player : found->players)
            {
                const Interval& bracket = player.coefficient.ci95;
                const bool holdsZero = bracket.low <= 0 && bracket.high >= 0;
                QCOMPARE(player.role == PlayerRole::Undecided, holdsZero); // bracket, role and p say the same
                QCOMPARE(player.p > 0.05, holdsZero);
                roles += player.role == PlayerRole::Undecided ? 0 : 1;
                any = any || player.q < 0.05;
            }
            discoveries += any ? 1 : 0;
        }
        const double share = roles / (kHeads * kTrials);
        QVERIFY2(share > 0.03 && share < 0.07, qPrintable(QString::number(share)));
        QVERIFY2(discoveries / kTrials < 0.12, qPrintable(QString::number(discoveries))); // of all that have q < 0.05
    }

    /// The bracket is b +- t sqrt(documents^2 + sets^2), and q is of the players of one measure.
    void bothErrorsAreJoined()
    {
        const auto plan = MaskPlan::make(kPlayers, 60, 5);
        JobContext job;
        MatrixD values = withoutEffect(plan, 1, 77);
        for (std::int64_t mask = 0; mask < values.rows(); ++mask)
            for (double& value : values.row(mask))
                value += plan.masks[static_cast<std::size_t>(mask)][3] ? 9 : 0;
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, values, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        std::vector<double> p;
        for (const UnitEffect& player : found->players)
        {
            const StandardError error = joined({player.documentError, kDocuments - 1}, {player.standardError, 53});
            QVERIFY(std::abs(error.value - std::hypot(player.documentError, player.standardError)) < 1e-12);
            const double half = studentQuantile(error.degrees) * error.value;
            QVERIFY(std::abs(player.coefficient.ci95.high - player.coefficient.value - half) < 1e-12);
            QVERIFY(std::abs(player.coefficient.value - player.coefficient.ci95.low - half) < 1e-12);
            QCOMPARE(player.p, studentP(player.coefficient.value / error.value, error.degrees));
            p.push_back(player.p);
        }
        const auto q = benjaminiHochberg(p);
        for (std::size_t i = 0; i < q.size(); ++i)
            QCOMPARE(found->players[i].q, q[i]);
        QCOMPARE(found->players[3].role, PlayerRole::Facilitating);
        QVERIFY(found->players[3].q < 0.001);
    }

    void degreesOfTwoErrors()
    {
        const StandardError even = joined({2, 10}, {2, 10});
        QCOMPARE(even.degrees, 20);
        QVERIFY(std::abs(even.value - std::sqrt(8.0)) < 1e-15);
        QCOMPARE(joined({2, 10}, {0, 40}).degrees, 10); // one of them alone
        QCOMPARE(joined({0, 10}, {3, 40}).degrees, 40);
        QCOMPARE(joined({0, 10}, {0, 40}).degrees, 10);
    }

    /// All documents right with all heads and none without: as sure as 40 of 40 and 0 of 40 are. The cosine of the
    /// whole model with itself is no estimate.
    void sharesHaveAWidthAtTheirEnds()
    {
        const auto plan = MaskPlan::make(kPlayers, 40, 5);
        MatrixD values(std::ssize(plan.masks), kDocuments);
        for (std::int64_t document = 0; document < kDocuments; ++document)
            values(0, document) = 1;
        JobContext job;
        const auto match = playerValues(plan, ImportanceMeasure::Match, values, 1, job);
        HEADSCOPE_VERIFY_OK(match);
        QCOMPARE(match->all.ci95.low, wilsonInterval(kDocuments, kDocuments).low);
        QCOMPARE(match->all.ci95.high, 1.0);
        QCOMPARE(match->none.ci95.low, 0.0);
        QCOMPARE(match->none.ci95.high, wilsonInterval(0, kDocuments).high);
        const auto cosine = playerValues(plan, ImportanceMeasure::Cosine, values, 1, job);
        HEADSCOPE_VERIFY_OK(cosine);
        QCOMPARE(cosine->all.value, 1.0);
        QVERIFY(std::isnan(cosine->all.ci95.low) && std::isnan(cosine->all.ci95.high));
    }

    void aStopIsHeard()
    {
        const auto plan = MaskPlan::make(kPlayers, 40, 5);
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, additive(plan), 1, job);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestPlayerValues)
#include "tst_player_values.moc"
