// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/importance/player_values.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/data/results/pruning_results.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QtTest>

#include <cmath>
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
            const PlayerValue& player = found->players[i];
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
            const PlayerValue& player = found->players[2];
            QVERIFY(std::abs(player.coefficient.value - static_cast<double>(changing) / kAll) < 1e-9);
            QCOMPARE(std::isnan(player.coefficient.ci95.low), changing < kFewestChanged);
            QCOMPARE(player.role, changing < kFewestChanged ? PlayerRole::Undecided : PlayerRole::Facilitating);
        }
    }

    void everyMaskMakesItExact()
    {
        const auto plan = MaskPlan::make(kPlayers, 64, 5);
        QVERIFY(plan.exhaustive);
        JobContext job;
        const auto found = playerValues(plan, ImportanceMeasure::Cosine, additive(plan), 1, job);
        HEADSCOPE_VERIFY_OK(found);
        for (const PlayerValue& player : found->players)
        {
            QVERIFY(std::abs(player.shapley - player.coefficient.value) < 1e-11); // nothing interacts
            QVERIFY(std::isnan(player.standardError));                            // nothing was drawn
        }
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
            rows(1, document) = document < kFewestChanged ? 1 : 0;
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
        QCOMPARE((*fewer)[1].value, static_cast<double>(kFewestChanged - 1) / kDocuments);
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
        const PlayerValue& player = found->players[0];
        QCOMPARE(roleOf(player.coefficient.value, player.standardError, 33), PlayerRole::Facilitating);
        QCOMPARE(player.role, PlayerRole::Undecided);
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
