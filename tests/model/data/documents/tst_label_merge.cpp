// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/label_merge.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class LabelMergeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesBecomeOne();
    void emptyNamesAndUnknownOnes();
};

void LabelMergeTest::namesBecomeOne()
{
    const LabelColumn labels{"topic", {0, 1, 2, 3, -1, 1}, {"Ants", "Bees", "Cars", "Insects"}};
    const MergedLabels merged = mergeLabels(labels, {{"Ants", "Insects"}, {"Bees", "Insects"}});
    QCOMPARE(merged.column.name, std::string("topic"));
    QCOMPARE(merged.column.categories, (std::vector<std::string>{"Insects", "Cars"}));
    QCOMPARE(merged.column.codes, (std::vector<std::int32_t>{0, 0, 1, 0, -1, 0}));
    QCOMPARE(merged.topicRows, (std::vector<std::int64_t>{3, 2})); // the vector of the very name
    const MergedLabels other = mergeLabels(labels, {{"Bees", "Hives"}, {"Cars", "Hives"}});
    QCOMPARE(other.topicRows, (std::vector<std::int64_t>{0, 1, 3})); // else of the first
    QVERIFY(other.unknown.empty());
}

void LabelMergeTest::emptyNamesAndUnknownOnes()
{
    const LabelColumn labels{"topic", {0, 1}, {"Ants", "Bees"}};
    const MergedLabels merged = mergeLabels(labels, {{"Ants", ""}, {"Wasps", "Bees"}});
    QCOMPARE(merged.column.categories, (std::vector<std::string>{"Bees"}));
    QCOMPARE(merged.column.codes, (std::vector<std::int32_t>{-1, 0}));
    QCOMPARE(merged.unknown, (std::vector<std::string>{"Wasps"}));
    QVERIFY(merged.unknownNotice(2, "topic").starts_with("1 of 2 names"));
    QCOMPARE(mergeLabels(labels, {}).column.codes, labels.codes);
}

HEADSCOPE_TEST_GUILESS(LabelMergeTest)
#include "tst_label_merge.moc"
