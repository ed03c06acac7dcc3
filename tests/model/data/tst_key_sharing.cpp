// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/key_sharing.h"

#include "model/data/model_family.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

using namespace headscope;

namespace
{

ModelInfo model(std::int64_t heads, std::int64_t kvHeads)
{
    ModelInfo info;
    info.heads = heads;
    info.kvHeads = kvHeads;
    return info;
}

} // namespace

class TestKeySharing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kinds()
    {
        QCOMPARE(keySharing(model(9, 3)), KeySharing::Groups);
        QCOMPARE(keySharing(model(12, 12)), KeySharing::Own);
        QCOMPARE(keySharing(model(8, 1)), KeySharing::One);
        QCOMPARE(keySharing(model(8, 0)), KeySharing::Unknown);
        QCOMPARE(keySharing({}), KeySharing::Unknown);
    }

    void segmentsAreInNoGroup()
    {
        QVERIFY(hasKvGroups(model(9, 3), Stage::HeadOutput));
        QVERIFY(hasKvGroups(model(9, 3), Stage::Contribution));
        QVERIFY(!hasKvGroups(model(9, 3), Stage::ProjectedSegment));
        QVERIFY(!hasKvGroups(model(9, 3), Stage::OutputSegment));
        QVERIFY(!hasKvGroups(model(12, 12), Stage::HeadOutput));
        QVERIFY(!hasKvGroups(model(8, 1), Stage::HeadOutput));
        QCOMPARE(groupedAt(model(9, 3), Stage::HeadOutput).groupSize(), std::int64_t{3});
        for (const ModelInfo& info : {model(9, 3), model(12, 12), model(8, 1), model(8, 0)})
            QCOMPARE(groupedAt(info, Stage::OutputSegment).groupSize(), std::int64_t{1});
        QCOMPARE(groupedAt(model(8, 1), Stage::HeadOutput).groupSize(), std::int64_t{1});
    }

    void encodersKeepNoCache()
    {
        ModelInfo info = model(12, 12);
        QVERIFY(keepsCache(info));
        info.family = "bert";
        QVERIFY(!keepsCache(info));
    }

    void onlyRotaryPositionsRotate()
    {
        ModelInfo info;
        QVERIFY(!rotatesByPosition(info).has_value()); // the file does not say
        for (const FamilyTraits& traits : modelFamilies())
        {
            info.family = traits.name;
            QVERIFY(rotatesByPosition(info) == (traits.positions == PositionScheme::Rotary));
        }
    }

    void sentences()
    {
        QCOMPARE(headsAndGroups(model(9, 3)), std::string("9 heads in 3 KV groups"));
        QCOMPARE(headsAndGroups(model(12, 12)), std::string("12 heads, each with its own KV head"));
        QCOMPARE(headsAndGroups(model(8, 1)), std::string("8 heads, all sharing one KV head"));
        QCOMPARE(headsAndGroups(model(8, 0)), std::string("8 heads"));
        QCOMPARE(headsAndGroups(model(1, 1)), std::string("1 head"));
    }

    void unitsOfStages()
    {
        using Stages = std::array<Stage, 2>;
        QCOMPARE(unitName(Stages{Stage::HeadOutput, Stage::Contribution}), std::string_view("head"));
        QCOMPARE(unitName(Stages{Stage::ProjectedSegment, Stage::OutputSegment}), std::string_view("segment"));
        QCOMPARE(unitNames(Stages{Stage::HeadOutput, Stage::OutputSegment}), std::string_view("heads or segments"));
        QCOMPARE(unitNames({}), std::string_view("heads"));
    }
};

HEADSCOPE_TEST_GUILESS(TestKeySharing)
#include "tst_key_sharing.moc"
