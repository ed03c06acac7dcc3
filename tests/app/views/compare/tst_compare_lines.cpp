// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_lines.h"

#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using Points = std::vector<std::int64_t>;

namespace
{

/// Two points (heads 0 and 1) of each document, in the order of the documents.
MapPair pairOf(std::int64_t documents)
{
    MapPair pair;
    auto points = std::make_shared<PointIds>();
    for (std::int32_t document = 0; document < documents; ++document)
        for (const std::int32_t head : {0, 1})
        {
            points->document.push_back(document);
            points->head.push_back(head);
        }
    pair.points = points;
    pair.xyA = MatrixF(2 * documents, 2);
    return pair;
}

} // namespace

class TestCompareLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ofWhatIsChosen();
    void ofShownDocumentsAlone();
    void ofChosenPoints();
    void ofASample();
    void notOfTooMany();
};

void TestCompareLines::ofWhatIsChosen()
{
    const MapPair pair = pairOf(6);
    CompareChoice choice;
    choice.chosen = {1, 3, 4};
    choice.primary = DocumentIndex(3);
    choice.hovered = DocumentIndex(5);
    CompareLinePoints lines = linePoints(pair, choice, nullptr);
    QCOMPARE(lines.pale, (Points{2, 3, 8, 9}));
    QCOMPARE(lines.strong, (Points{6, 7, 10, 11})); // once: the primary document is not pale too
    QVERIFY(lines.badge.isEmpty());
    choice.lines = CompareLines::None;
    lines = linePoints(pair, choice, nullptr);
    QVERIFY(lines.pale.empty() && lines.strong.empty());
}

void TestCompareLines::ofShownDocumentsAlone()
{
    CompareChoice choice;
    choice.chosen = {1, 3};
    choice.primary = DocumentIndex(4);
    choice.shownOnly = {0, 3};
    const CompareLinePoints lines = linePoints(pairOf(6), choice, nullptr);
    QCOMPARE(lines.pale, (Points{6, 7}));
    QVERIFY(lines.strong.empty());
}

void TestCompareLines::ofChosenPoints()
{
    CompareChoice choice;
    choice.chosen = {1, 3};
    const PointSet points(std::vector<std::int64_t>{3}, std::vector<std::int64_t>{1});
    QCOMPARE(linePoints(pairOf(6), choice, &points).pale, (Points{7}));
}

void TestCompareLines::ofASample()
{
    const MapPair pair = pairOf(400);
    CompareChoice choice;
    choice.lines = CompareLines::Sample;
    choice.sample = sampleOfPoints(pair.xyA.rows());
    QCOMPARE(std::ssize(choice.sample), kSampleLines);
    QCOMPARE(choice.sample, sampleOfPoints(pair.xyA.rows()));
    CompareLinePoints lines = linePoints(pair, choice, nullptr);
    QCOMPARE(lines.pale, choice.sample);
    QCOMPARE(lines.badge, QStringLiteral("lines for 300 of 800 points"));
    choice.chosen = {7}; // what is chosen comes first
    lines = linePoints(pair, choice, nullptr);
    QCOMPARE(lines.pale, (Points{14, 15}));
    QVERIFY(lines.badge.isEmpty());
    // All of a small map, which needs no badge.
    choice.chosen.clear();
    choice.sample = sampleOfPoints(12);
    QVERIFY(linePoints(pairOf(6), choice, nullptr).badge.isEmpty());
}

void TestCompareLines::notOfTooMany()
{
    const MapPair pair = pairOf(1'500);
    CompareChoice choice;
    for (std::int64_t document = 0; document < 1'500; ++document)
        choice.chosen.push_back(document);
    const CompareLinePoints lines = linePoints(pair, choice, nullptr);
    QCOMPARE(std::ssize(lines.pale), kMaxChosenLines);
    QCOMPARE(lines.badge, QStringLiteral("lines for 2,000 of 3,000 selected points"));
}

HEADSCOPE_TEST_GUILESS(TestCompareLines)
#include "tst_compare_lines.moc"
