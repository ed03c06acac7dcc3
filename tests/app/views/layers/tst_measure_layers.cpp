// SPDX-License-Identifier: GPL-3.0-or-later
// How long measuring the layers takes: what is told before and while it runs, and the limit of what begins unasked.
#include "app/views/layers/measure_layers.h"

#include "tests/app/sample_cache.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <numeric>

using namespace headscope;
using namespace headscope::desktop;

class TestMeasureLayers : public QObject
{
    Q_OBJECT

private:
    test::TemporaryFolder m_folder;
    std::shared_ptr<CacheReader> m_reader;

    [[nodiscard]] LayersRequest request() const
    {
        LayersRequest request;
        for (const VectorsInfo& each : m_reader->info().embeddings)
            request.places.emplace_back(each.layer, each.stage);
        request.heads = allIndices(m_reader->info().header.model.heads);
        request.work = workOf(request, m_reader->info().header.model, 48);
        return request;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto path = m_folder.file("sample.h5");
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path));
        auto reader = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(reader);
        m_reader = std::move(*reader);
    }

    void paceIsWhatWasTimed()
    {
        LayersPace pace;
        QVERIFY(!pace.measured());
        // Before anything was timed the guess is a careful one: 14 seconds were announced as 6.
        QVERIFY(pace.secondsFor(72e9, 2) >= 14);
        pace.add(10e9, 2, 2); // 2.5e9 a second and thread
        QVERIFY(pace.measured());
        QCOMPARE(pace.secondsFor(10e9, 2), 2.0);
        QCOMPARE(pace.secondsFor(10e9, 1), 4.0);
        QCOMPARE(pace.secondsFor(30e9, 2), 6.0);
        pace.add(10e9, 4, 2); // half as fast: this run counts twice as much as the one before
        QVERIFY(qFuzzyCompare(pace.secondsFor(15e9, 2), 5.0));
        pace.add(0, 3, 2); // says nothing
        QVERIFY(qFuzzyCompare(pace.secondsFor(15e9, 2), 5.0));
    }

    void firstStagesSayHowLongAllTakes()
    {
        QCOMPARE(extrapolatedSeconds(0, 0, 100), 0.0);
        QCOMPARE(extrapolatedSeconds(3, 10, 100), 30.0);
        QCOMPARE(extrapolatedSeconds(30, 100, 100), 30.0);
        QVERIFY(asksAgain(20, 3, 10, 100));
        QVERIFY(!asksAgain(20, 1, 10, 100));
        QVERIFY(!asksAgain(20, 20.5, 90, 100)); // as good as done
        QVERIFY(!asksAgain(0, 3, 10, 100));     // it was asked for
        QVERIFY(!asksAgain(20, 0, 0, 100));
    }

    void whatIsKnownIsLessWork()
    {
        LayersRequest asked = request();
        QCOMPARE(asked.work.size(), asked.places.size());
        JobContext job;
        const auto measured = measureLayers(
            *m_reader, asked, [](const LayersMeasured&) {}, job);
        HEADSCOPE_VERIFY_OK(measured);
        QCOMPARE(measured->measures.size(), asked.places.size());
        QVERIFY(!measured->tooLong && measured->seconds > 0);
        QVERIFY(qFuzzyCompare(measured->workDone, std::accumulate(asked.work.begin(), asked.work.end(), 0.0)));
        asked.known = {measured->measures.front()};
        const auto less = workOf(asked, m_reader->info().header.model, 48);
        QVERIFY(less.front() < asked.work.front());
        QCOMPARE(less.back(), asked.work.back());
    }

    void whatBeginsUnaskedKeepsItsLimit()
    {
        LayersRequest asked = request();
        QVERIFY(asked.places.size() >= 3);
        asked.limit = 1e-9;
        std::size_t published = 0;
        JobContext job;
        const auto measured = measureLayers(
            *m_reader, asked, [&published](const LayersMeasured&) { ++published; }, job);
        HEADSCOPE_VERIFY_OK(measured);
        QVERIFY(measured->tooLong && !measured->stopped);
        QCOMPARE(measured->measures.size(), std::size_t{1}); // the stage that showed it
        QCOMPARE(published, std::size_t{1});
        asked.limit = 3'600;
        const auto all = measureLayers(
            *m_reader, asked, [](const LayersMeasured&) {}, job);
        HEADSCOPE_VERIFY_OK(all);
        QVERIFY(!all->tooLong && all->measures.size() == asked.places.size());
    }
};

HEADSCOPE_TEST_GUILESS(TestMeasureLayers)
#include "tst_measure_layers.moc"
