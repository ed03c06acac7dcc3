// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/head_measures.h"

#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace headscope;

class TestHeadMeasures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyMeasureSaysWhatItIs()
    {
        std::set<std::string_view> keys;
        std::set<std::string_view> titles;
        for (const HeadMeasureInfo& info : headMeasureList())
        {
            QVERIFY2(keys.insert(info.key).second, info.key.data());
            QVERIFY2(titles.insert(info.title).second, info.title.data());
            QVERIFY2(!info.definition.ends_with('.') && info.definition.size() > 20, info.key.data());
            QVERIFY2(!info.caution.ends_with('.'), info.key.data());
            QVERIFY2(info.key.find('/') == std::string_view::npos, "keys with / are those of files");
            QCOMPARE(findMeasureInfo(info.key), &info);
        }
        QCOMPARE(findMeasureInfo("unheard_of"), nullptr);
    }

    void wordsAreThoseOfTheStage()
    {
        for (const HeadMeasureInfo& info : headMeasureList())
            for (const Stage stage : kStages)
            {
                const HeadMeasure measure = measureOf(info.key, stage, 2, 3);
                QVERIFY2(measure.definition.find('{') == std::string::npos, measure.definition.c_str());
                const bool ofSegments =
                    stage != Stage::HeadOutput && info.definition.find("{head") != std::string::npos;
                QVERIFY2(!ofSegments || measure.definition.find("segment") != std::string::npos,
                         measure.definition.c_str());
                QCOMPARE(measure.known(), std::int64_t{0});
                QCOMPARE(measure.value.rows(), std::int64_t{2});
                QCOMPARE(measure.value.cols(), std::int64_t{3});
            }
        QCOMPARE(placeMeasures(Stage::HeadOutput, 2, 3)[1].title, std::string("Head"));
        QCOMPARE(placeMeasures(Stage::OutputSegment, 2, 3)[1].title, std::string("Segment"));
    }

    /// What is known of a number beside it, and nothing that was not measured.
    void definitionsClaimNoMore()
    {
        const auto says = [](std::string_view key, std::string_view words) {
            return measureOf(key, Stage::OutputSegment, 2, 3).definition.find(words) != std::string::npos;
        };
        QVERIFY(says("follows", "by default, that vector is used without the segment"));
        QVERIFY(says("selectivity", "may be slightly negative"));
        QVERIFY(says("first_token", "mean over the later tokens, then over the texts."));
        QVERIFY(says("first_token", "The value does not show what the head outputs"));
        QVERIFY(says("induction", "that have such occurrences, then over texts of repeated random ids."));
    }

    void placesNeedNoData()
    {
        const auto places = placeMeasures(Stage::HeadOutput, 3, 4);
        QCOMPARE(places.size(), std::size_t{2});
        QCOMPARE(places[0].at(2, 3), 2.0);
        QCOMPARE(places[1].at(2, 3), 4.0); // people count heads from 1
        QCOMPARE(places[1].known(), std::int64_t{12});
    }

    void measuresJoinInTheirOrder()
    {
        HeadMeasures base;
        base.layers = 2;
        base.heads = 2;
        base.measures = placeMeasures(Stage::HeadOutput, 2, 2);
        HeadMeasure file;
        file.key = "file/x";
        file.kind = MeasureKind::File;
        file.value = noValues(2, 2);
        HeadMeasure entropy = measureOf("entropy", Stage::HeadOutput, 2, 2);
        HeadMeasure norm = measureOf("mean_norm", Stage::HeadOutput, 2, 2);
        norm.value(0, 0) = 1;
        auto joined = withMeasures(base, {file, entropy, norm});
        QCOMPARE(joined->measures.size(), std::size_t{5});
        QCOMPARE(joined->measures[2].key, std::string("mean_norm"));
        QCOMPARE(joined->measures[3].key, std::string("entropy"));
        QCOMPARE(joined->measures[4].key, std::string("file/x"));
        norm.value(0, 0) = 2;
        joined = withMeasures(*joined, {norm});
        QCOMPARE(joined->measures.size(), std::size_t{5});
        QCOMPARE(joined->find("mean_norm")->at(0, 0), 2.0);
        QCOMPARE(withoutKind(*joined, MeasureKind::Attention)->find("entropy"), nullptr);
    }

    void intervalsAndValuesThatAreNotThere()
    {
        HeadMeasure measure = measureOf("match", Stage::HeadOutput, 2, 2);
        QVERIFY(!measure.has(0, 0) && !measure.has(5, 0) && !measure.has(0, -1));
        QVERIFY(std::isnan(measure.intervalAt(0, 0).low));
        measure.value(1, 1) = 0.5;
        measure.low = measure.high = noValues(2, 2);
        measure.low(1, 1) = 0.4;
        measure.high(1, 1) = 0.6;
        QVERIFY(measure.has(1, 1));
        QCOMPARE(measure.known(), std::int64_t{1});
        QCOMPARE(measure.intervalAt(1, 1).high, 0.6);
        QVERIFY(std::isnan(measure.intervalAt(0, 1).low));
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadMeasures)
#include "tst_head_measures.moc"
