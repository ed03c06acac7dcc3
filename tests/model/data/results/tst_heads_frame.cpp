// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/heads_frame.h"

#include "model/analysis/statistics/intervals.h"
#include "model/data/frame/method_names.h"
#include "tests/support/test_program.h"

#include <array>
#include <cmath>
#include <string>

using namespace headscope;

namespace
{

/// Three heads in groups of one KV head; the mean norm of head h is h + 1, its match h / 10.
HeadReport sampleReport()
{
    HeadReport report;
    HeadTopicStatistics answers;
    for (std::int64_t h = 0; h < 3; ++h)
    {
        const auto number = static_cast<double>(h);
        report.statistics.push_back({h, 9, number + 1, 0, 0.5, 0.5, number / 2});
        for (auto* values : {&answers.meanSimilarity, &answers.sdSimilarity, &answers.followsFull, &answers.evenness,
                             &answers.topSimilarity})
            values->push_back(number);
        for (auto* tested : {&answers.selectivity, &answers.etaSquared, &answers.match, &answers.topExcess})
        {
            tested->value.push_back(number / 10);
            tested->ci95.push_back({number / 10 - 0.1, number / 10 + 0.2});
            tested->null.push_back({0.25, 0.5, 0.125, 99});
            tested->q.push_back(0.375);
        }
        report.topTopic.push_back("topic " + std::to_string(h));
    }
    answers.matchChance = 0.2;
    report.answers = answers;
    return report;
}

ModelInfo sampleModel()
{
    ModelInfo model;
    model.heads = 3;
    model.kvHeads = 3;
    return model;
}

} // namespace

class TestHeadsFrame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headsThatExistHaveTheirRows()
    {
        const HeadReport report = sampleReport();
        const Frame frame = headsFrame(headRowsOf(report), sampleModel(), std::array<std::int64_t, 3>{2, 7, 0});
        QCOMPARE(frame.rows(), std::int64_t{2});
        QCOMPARE(frame.find("head")->at(Facet::Value, 0), 3.0);
        QCOMPARE(frame.find("mean_norm")->at(Facet::Value, 0), 3.0);
        QCOMPARE(frame.find("mean_norm")->at(Facet::Value, 1), 1.0);
        QCOMPARE(std::get<Column::Texts>(frame.find("top_topic")->values).front(), std::string("topic 2"));
    }

    /// What is tested has all that was found out about it, and how.
    void testedNumbersHaveTheirFacets()
    {
        const HeadReport report = sampleReport();
        const Frame frame = headsFrame(headRowsOf(report), sampleModel(), std::array<std::int64_t, 1>{1});
        const Column& match = *frame.find("match");
        QCOMPARE(match.at(Facet::Value, 0), 0.1);
        QCOMPARE(match.at(Facet::High, 0), 0.1 + 0.2);
        QCOMPARE(match.at(Facet::Null, 0), 0.25);
        QCOMPARE(match.at(Facet::P, 0), 0.125);
        QCOMPARE(match.at(Facet::Q, 0), 0.375);
        QCOMPARE(match.at(Facet::Chance, 0), 0.2);
        QCOMPARE(match.intervalMethod, Column::Texts{std::string(kWilson)});
        QCOMPARE(frame.find("selectivity_unbiased")->intervalMethod, Column::Texts{std::string(kJackknife)});
        QVERIFY(!frame.find("top_excess")->has(Facet::Span) && frame.find("top_excess")->has(Facet::Q));
        QVERIFY(!frame.find("spread")->has(Facet::Q));
    }

    void withoutLabelsNumbersOfLabelsAreMissing()
    {
        HeadReport report = sampleReport();
        report.answers.reset();
        report.stage = Stage::OutputSegment;
        const Frame frame = headsFrame(headRowsOf(report), sampleModel(), std::array<std::int64_t, 1>{1});
        QVERIFY(std::isnan(frame.find("match")->at(Facet::Value, 0)));
        QVERIFY(!frame.find("match")->has(Facet::P) && frame.find("match")->intervalMethod.empty());
        QCOMPARE(frame.find("mean_norm")->at(Facet::Value, 0), 2.0);
        QCOMPARE(frame.find("head")->header, std::string("segment"));
    }
};

HEADSCOPE_TEST(TestHeadsFrame)
#include "tst_heads_frame.moc"
