// SPDX-License-Identifier: GPL-3.0-or-later
// Masks, least squares and exact values against the recorded truth.
#include "model/analysis/importance/mask_regression.h"

#include "model/analysis/importance/player_values.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

using namespace headscope;
using namespace headscope::test;

namespace
{

const GoldenFile& truth()
{
    static const GoldenFile file(golden("circuits/importance.h5"));
    return file;
}

std::vector<PlayerMask> masksOf(const std::string& dataset)
{
    const auto bits = truth().integers(dataset);
    const auto players = static_cast<std::size_t>(truth().shape(dataset)[1]);
    std::vector<PlayerMask> masks;
    for (std::size_t at = 0; at < bits.size(); at += players)
    {
        PlayerMask mask(players);
        std::transform(bits.begin() + static_cast<std::ptrdiff_t>(at),
                       bits.begin() + static_cast<std::ptrdiff_t>(at + players), mask.begin(),
                       [](std::int64_t bit) { return bit != 0; });
        masks.push_back(std::move(mask));
    }
    return masks;
}

} // namespace

class TestMaskRegression : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Of equal values nothing is left but rounding, which tells nothing.
    void equalValuesHaveNoFit()
    {
        for (const std::int64_t sets : {8, 90})
        {
            std::vector<PlayerMask> masks;
            for (std::int64_t i = 0; i < sets; ++i)
                masks.push_back({i % 2 == 0, i % 3 == 0, i / 2 % 2 == 0});
            const auto regression = MaskRegression::create(masks);
            HEADSCOPE_VERIFY_OK(regression);
            const MaskFit fit = regression->fit(std::vector<double>(static_cast<std::size_t>(sets), 0.1));
            QVERIFY(std::isnan(fit.r2));
            QVERIFY(std::abs(fit.coefficients.front() - 0.1) < 1e-12);
        }
    }

    void models_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"llama_mha", "mistral_f32"})
            QTest::newRow(name) << QString(QLatin1StringView(name));
    }

    void masksAreFairCoins_data() { models_data(); }
    void masksAreFairCoins()
    {
        QFETCH(QString, model);
        const std::string sample = model.toStdString() + "/sample/";
        const auto masks = masksOf(sample + "masks");
        const auto plan = MaskPlan::make(std::ssize(masks.front()), std::ssize(masks),
                                         static_cast<std::uint64_t>(truth().integers(sample + "seed")[0]));
        QCOMPARE(plan.sample.size(), masks.size());
        for (std::size_t row = 0; row < masks.size(); ++row)
            QVERIFY(plan.sampled(row) == masks[row]);
        QVERIFY(!plan.exhaustive);
    }

    void leastSquares_data() { models_data(); }
    void leastSquares()
    {
        QFETCH(QString, model);
        const std::string sample = model.toStdString() + "/sample/";
        const auto masks = masksOf(sample + "masks");
        const auto regression = MaskRegression::create(masks);
        HEADSCOPE_VERIFY_OK(regression);
        const MaskFit fit = regression->fit(truth().doubles(sample + "values"));
        QVERIFY(absmax(fit.coefficients, truth().doubles(sample + "coefficients")) < 1e-10);
        QVERIFY(absmax(fit.standardErrors, truth().doubles(sample + "standard_errors")) < 1e-10);
        QVERIFY(std::abs(fit.r2 - truth().doubles(sample + "r2")[0]) < 1e-10);
        const auto roles = truth().integers(sample + "role");
        const auto degrees = std::ssize(masks) - std::ssize(roles) - 1;
        for (std::size_t i = 0; i < roles.size(); ++i)
        {
            const PlayerRole role = roleOf(fit.coefficients[i + 1], {fit.standardErrors[i + 1], degrees});
            QCOMPARE(role == PlayerRole::Facilitating  ? 1
                     : role == PlayerRole::Interfering ? -1
                                                       : 0,
                     static_cast<int>(roles[i]));
        }
    }

    void allMasksGiveExactValues_data() { models_data(); }
    void allMasksGiveExactValues()
    {
        QFETCH(QString, model);
        const std::string all = model.toStdString() + "/all/";
        const auto masks = masksOf(all + "masks");
        const auto values = truth().doubles(all + "values");
        const auto regression = MaskRegression::create(masks);
        HEADSCOPE_VERIFY_OK(regression);
        auto coefficients = regression->fit(values).coefficients;
        coefficients.erase(coefficients.begin());
        QVERIFY(absmax(coefficients, truth().doubles(all + "banzhaf")) < 1e-11);
        QVERIFY(std::abs(regression->fit(values).r2 - truth().doubles(all + "ols_r2")[0]) < 1e-11);
        const auto shapley = shapleyValues(masks, values);
        QVERIFY(absmax(shapley, truth().doubles(all + "shapley")) < 1e-11);
        const auto plan = MaskPlan::make(std::ssize(masks.front()), std::ssize(masks), 1);
        QVERIFY(plan.exhaustive);
        const auto valueOf = [&](std::size_t place) {
            const auto found = std::ranges::find(masks, plan.masks[place]);
            return values[static_cast<std::size_t>(found - masks.begin())];
        };
        std::vector<double> leftOut;
        std::vector<double> alone;
        for (std::size_t i = 0; i < shapley.size(); ++i)
        {
            leftOut.push_back(valueOf(0) - valueOf(plan.without[i]));
            alone.push_back(valueOf(plan.alone[i]) - valueOf(plan.none));
        }
        QVERIFY(absmax(leftOut, truth().doubles(all + "leave_one_out")) < 1e-11);
        QVERIFY(absmax(alone, truth().doubles(all + "add_one_in")) < 1e-11);
        QVERIFY(std::abs(std::accumulate(shapley.begin(), shapley.end(), 0.0) - (valueOf(0) - valueOf(plan.none))) <
                1e-12);
    }

    void noMaskIsMeasuredTwice()
    {
        for (const std::int64_t players : {1, 2, 5, 30})
        {
            const auto plan = MaskPlan::make(players, 10 * players, 7);
            QCOMPARE(std::set(plan.masks.begin(), plan.masks.end()).size(), plan.masks.size());
            QCOMPARE(std::ranges::count(plan.masks[0], true), players);
            QCOMPARE(std::ranges::count(plan.masks[plan.none], true), 0);
            for (std::size_t i = 0; i < static_cast<std::size_t>(players); ++i)
            {
                QVERIFY(!plan.masks[plan.without[i]][i]);
                QCOMPARE(std::ranges::count(plan.masks[plan.without[i]], true), players - 1);
                QVERIFY(plan.masks[plan.alone[i]][i]);
                QCOMPARE(std::ranges::count(plan.masks[plan.alone[i]], true), 1);
            }
            QCOMPARE(plan.exhaustive, players <= 5); // 32 masks are no more than 50
            QCOMPARE(std::ssize(plan.sample), plan.exhaustive ? std::int64_t{1} << players : 10 * players);
        }
    }

    void tooFewMasksAreRefused()
    {
        const auto few = MaskRegression::create({{true, true}, {false, true}});
        QVERIFY(!few);
        QVERIFY(few.error().message.find("expected masks that distinguish 2 heads or groups, found 2") == 0);
        // The second player is never off.
        const auto alike = MaskRegression::create({{true, true}, {false, true}, {true, true}, {false, true}});
        QVERIFY(!alike);
        QVERIFY(alike.error().message.find("found 4, some of which are the same or depend on others") !=
                std::string::npos);
    }

    void aValueThatNeverChangesHasNoShare()
    {
        const auto regression = MaskRegression::create({{true}, {false}, {true}});
        HEADSCOPE_VERIFY_OK(regression);
        const MaskFit fit = regression->fit(std::vector<double>(3, 0.25));
        QVERIFY(std::isnan(fit.r2));
        QVERIFY(std::abs(fit.coefficients[1]) < 1e-15);
    }
};

HEADSCOPE_TEST_GUILESS(TestMaskRegression)
#include "tst_mask_regression.moc"
