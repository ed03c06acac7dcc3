// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/intervals.h"

#include "model/analysis/statistics/draws.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::test;

class TestIntervals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void documentsOfRows()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const auto documents = file.integers("by_document/document");
        const auto correct = file.integers("by_document/correct");
        const auto units = static_cast<std::size_t>(*std::max_element(documents.begin(), documents.end()) + 1);
        std::vector<std::int64_t> right(units);
        std::vector<std::int64_t> rows(units);
        for (std::size_t i = 0; i < documents.size(); ++i)
        {
            const auto document = static_cast<std::size_t>(documents[i]);
            right[document] += correct[i];
            ++rows[document];
        }
        checkShare(file, "by_document/all", clusterShare(right, rows));
        checkShare(file, "by_document/perfect", clusterShare(rows, rows));
        const auto plain = file.doubles("by_document/all/wilson_rows");
        const auto sum = [](const std::vector<std::int64_t>& values) {
            return static_cast<double>(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
        };
        const Interval interval = wilsonInterval(sum(right), sum(rows));
        QVERIFY(std::abs(interval.low - plain[0]) < 1e-11 && std::abs(interval.high - plain[1]) < 1e-11);

        const auto share = [&](std::span<const std::int64_t> drawn) {
            double hits = 0;
            double count = 0;
            for (const std::int64_t unit : drawn)
            {
                hits += static_cast<double>(right[static_cast<std::size_t>(unit)]);
                count += static_cast<double>(rows[static_cast<std::size_t>(unit)]);
            }
            return hits / count;
        };
        const auto seed = static_cast<std::uint64_t>(file.integers("by_document/bootstrap/seed")[0]);
        const auto drawn =
            bootstrapInterval(static_cast<std::int64_t>(units), share, {.resamples = 1000, .seed = seed});
        const auto expected = file.doubles("by_document/bootstrap/accuracy_ci");
        QVERIFY(std::abs(drawn.ci95.low - expected[0]) < 1e-11 && std::abs(drawn.ci95.high - expected[1]) < 1e-11);
        const auto resamples = file.integers("by_document/bootstrap/resamples");
        for (std::int64_t b = 0; b < 20; ++b)
        {
            const auto own = resample(Draws(seed), b, static_cast<std::int64_t>(units));
            QVERIFY(std::equal(own.begin(), own.end(), resamples.begin() + b * static_cast<std::int64_t>(units)));
        }
    }

    void clusterEdges()
    {
        QVERIFY(std::isnan(clusterShare({}, {}).share));
        const std::vector<std::int64_t> rows{4, 0, 4}; // the second document takes no part
        const ClusterShare all = clusterShare(rows, rows);
        QCOMPARE(all.effectiveRows, 2.0);
        QVERIFY(all.ci95.low < 0.35 && all.ci95.high > 0.999);
        const std::vector<std::int64_t> one{2};
        const std::vector<std::int64_t> ofFour{4};
        QCOMPARE(clusterShare(one, ofFour).effectiveRows, 1.0);
    }

    /// A better probe never has the lower interval: errors spread over documents leave the rows nearly independent,
    /// where none at all says nothing about how they depend.
    void endsFollowTheNumberOfErrors()
    {
        constexpr std::size_t kDocuments = 30;
        const std::vector<std::int64_t> rows(kDocuments, 9);
        std::vector<std::int64_t> right(kDocuments, 9);
        Interval before = clusterShare(right, rows).ci95;
        QCOMPARE(before.low, wilsonInterval(30, 30).low);
        for (std::size_t errors = 1; errors <= kDocuments; ++errors)
        {
            --right[errors - 1];
            const Interval next = clusterShare(right, rows).ci95;
            QVERIFY2(next.low <= before.low && next.high <= before.high, qPrintable(QString::number(errors)));
            std::vector<std::int64_t> wrong;
            for (const std::int64_t count : right)
                wrong.push_back(9 - count);
            const Interval mirrored = clusterShare(wrong, rows).ci95;
            QVERIFY(std::abs(mirrored.low - (1 - next.high)) < 1e-12);
            QVERIFY(std::abs(mirrored.high - (1 - next.low)) < 1e-12);
            before = next;
        }
    }

    void endsHaveAWidth()
    {
        const Interval all = withWidthAtEnds({1, 1}, 20);
        QCOMPARE(all.low, wilsonInterval(20, 20).low);
        QCOMPARE(all.high, 1.0);
        const Interval none = withWidthAtEnds({-0.1, 0}, 20);
        QCOMPARE(none.low, 0.0);
        QCOMPARE(none.high, wilsonInterval(0, 20).high);
        const Interval middle = withWidthAtEnds({0.4, 0.6}, 20); // neither end is too near
        QCOMPARE(middle.low, 0.4);
        QCOMPARE(middle.high, 0.6);
        QVERIFY(std::isnan(withWidthAtEnds({}, 20).low));
    }

    void undefinedResamplesAreCounted()
    {
        const auto measure = [](std::span<const std::int64_t> drawn) {
            return drawn[0] == 0 ? std::nan("") : static_cast<double>(drawn[0]);
        };
        const BootstrapInterval interval = bootstrapInterval(4, measure, {.resamples = 400});
        QVERIFY(interval.undefined > 60 && interval.undefined < 140);
        QCOMPARE(interval.ci95.low, 1.0);
        QCOMPARE(interval.ci95.high, 3.0);
        QVERIFY(std::isnan(bootstrapInterval(0, measure, {}).ci95.low));
    }

    void wilson()
    {
        const Interval half = wilsonInterval(50, 100);
        QVERIFY(std::abs(half.low - 0.40383) < 1e-5 && std::abs(half.high - 0.59617) < 1e-5);
        const Interval all = wilsonInterval(10, 10);
        QVERIFY(std::abs(all.low - 0.72246) < 1e-4 && all.high > 0.999);
        QCOMPARE(wilsonInterval(0, 0).high, 1.0);
    }

private:
    static void checkShare(const GoldenFile& file, const std::string& group, const ClusterShare& share)
    {
        const auto near = [&](double value, const char* name, std::size_t place = 0) {
            const double expected = file.doubles(group + "/" + name)[place];
            return std::abs(value - expected) <= 1e-11 * std::abs(expected);
        };
        QVERIFY(near(share.share, "accuracy"));
        QVERIFY(near(share.designEffect, "design_effect"));
        QVERIFY(near(share.effectiveRows, "effective_rows"));
        QVERIFY(near(share.ci95.low, "wilson") && near(share.ci95.high, "wilson", 1));
    }
};

HEADSCOPE_TEST_GUILESS(TestIntervals)
#include "tst_intervals.moc"
