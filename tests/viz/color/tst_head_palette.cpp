// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/head_palette.h"

#include "tests/support/test_program.h"
#include "viz/color/category_palette.h"
#include "viz/color/color_difference.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

using Eye = QColor (*)(const QColor&);

/// Smallest distance between two groups at the same member step.
double smallestGroupDistance(const HeadPalette& palette, Eye eye)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (std::int64_t member = 0; member < palette.members(); ++member)
        for (std::int64_t a = 0; a < palette.groups(); ++a)
            for (std::int64_t b = a + 1; b < palette.groups(); ++b)
                smallest = std::min(smallest, colorDistance(eye(palette.color(GroupIndex(a), member)),
                                                            eye(palette.color(GroupIndex(b), member))));
    return smallest;
}

/// Smallest distance between two members of one group.
double smallestMemberDistance(const HeadPalette& palette)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (std::int64_t group = 0; group < palette.groups(); ++group)
        for (std::int64_t a = 0; a < palette.members(); ++a)
            for (std::int64_t b = a + 1; b < palette.members(); ++b)
                smallest = std::min(
                    smallest, colorDistance(palette.color(GroupIndex(group), a), palette.color(GroupIndex(group), b)));
    return smallest;
}

} // namespace

class TestHeadPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groupsAreToldApart_data();
    void groupsAreToldApart();
    void textReadsOnEverySwatch_data();
    void textReadsOnEverySwatch();
    void headsWithoutGroupsAreToldApart_data();
    void headsWithoutGroupsAreToldApart();
    void membersClimbInLightness();
    void manyGroupsAndMembersStayDistinct();
    void paleKeepsTheHue();
    void shapesFollowMembers();
    void otherColorsTellHeadsApart_data();
    void otherColorsTellHeadsApart();
    void odd();
};

void TestHeadPalette::groupsAreToldApart_data()
{
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("members");
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("least");
    // The smallest distance falls as groups are added; eight is the paper's model.
    const std::vector<double> least = {0, 0, 0.17, 0.16, 0.125, 0.08, 0.072, 0.07, 0.066};
    for (int groups = 2; groups <= 8; ++groups)
        for (const int members : {1, 3, 4})
            QTest::addRow("%d x %d light", groups, members)
                << groups << members << static_cast<int>(InkTheme::Light) << least[static_cast<std::size_t>(groups)];
    QTest::newRow("8 x 4 dark") << 8 << 4 << static_cast<int>(InkTheme::Dark) << 0.055;
    QTest::newRow("3 x 3 dark") << 3 << 3 << static_cast<int>(InkTheme::Dark) << 0.14;
}

void TestHeadPalette::groupsAreToldApart()
{
    QFETCH(int, groups);
    QFETCH(int, members);
    QFETCH(int, theme);
    QFETCH(double, least);
    const HeadPalette palette(groups, members, static_cast<InkTheme::Ground>(theme));
    const std::vector<std::pair<const char*, Eye>> eyes = {
        {"normal", [](const QColor& c) { return c; }},
        {"deuteranopia", [](const QColor& c) { return simulated(c, Deficiency::Deuteranopia); }},
        {"protanopia", [](const QColor& c) { return simulated(c, Deficiency::Protanopia); }}};
    for (const auto& [name, eye] : eyes)
    {
        const double found = smallestGroupDistance(palette, eye);
        QVERIFY2(found >= least, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name)).arg(found)));
    }
    if (members > 1)
        QVERIFY(smallestMemberDistance(palette) >= 0.06);
}

void TestHeadPalette::textReadsOnEverySwatch_data()
{
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("members");
    for (const auto& [groups, members] : std::vector<std::pair<int, int>>{{8, 4}, {3, 3}, {1, 12}, {12, 1}, {32, 1}})
        QTest::addRow("%d x %d", groups, members) << groups << members;
}

void TestHeadPalette::textReadsOnEverySwatch()
{
    QFETCH(int, groups);
    QFETCH(int, members);
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        const HeadPalette palette(groups, members, theme);
        for (std::int64_t head = 0; head < palette.heads(); ++head)
        {
            const double ratio = contrastRatio(palette.textColor(HeadIndex(head)), palette.color(HeadIndex(head)));
            QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("head %1: %2").arg(head).arg(ratio)));
        }
    }
}

void TestHeadPalette::headsWithoutGroupsAreToldApart_data()
{
    QTest::addColumn<int>("heads");
    QTest::addColumn<double>("least");
    for (const auto& [heads, least] : std::vector<std::pair<int, double>>{{9, 11.0}, {12, 8.0}, {14, 7.5}, {16, 5.0}})
        QTest::addRow("%d", heads) << heads << least;
}

/// Normal, green-blind and red-blind eyes, in the light and in the dark.
void TestHeadPalette::headsWithoutGroupsAreToldApart()
{
    QFETCH(int, heads);
    QFETCH(double, least);
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        const HeadPalette palette(heads, 1, theme);
        for (std::int64_t a = 0; a < heads; ++a)
            for (std::int64_t b = a + 1; b < heads; ++b)
            {
                const double found =
                    leastDeltaE(sightsOf(palette.color(HeadIndex(a))), sightsOf(palette.color(HeadIndex(b))));
                QVERIFY2(found >= least,
                         qPrintable(QStringLiteral("heads %1 and %2: %3").arg(a + 1).arg(b + 1).arg(found)));
            }
    }
}

void TestHeadPalette::membersClimbInLightness()
{
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        const HeadPalette palette(8, 4, theme);
        for (std::int64_t group = 0; group < 8; ++group)
            for (std::int64_t member = 1; member < 4; ++member)
                QVERIFY(toOklch(palette.color(GroupIndex(group), member)).lightness >
                        toOklch(palette.color(GroupIndex(group), member - 1)).lightness + 0.05);
    }
}

void TestHeadPalette::manyGroupsAndMembersStayDistinct()
{
    for (const auto& [groups, members] : std::vector<std::pair<int, int>>{{12, 1}, {16, 2}, {32, 1}, {1, 16}, {4, 8}})
    {
        const HeadPalette palette(groups, members);
        double smallest = 1;
        for (std::int64_t a = 0; a < palette.heads(); ++a)
            for (std::int64_t b = a + 1; b < palette.heads(); ++b)
                smallest = std::min(smallest, colorDistance(palette.color(HeadIndex(a)), palette.color(HeadIndex(b))));
        QVERIFY2(smallest > 0.02, qPrintable(QStringLiteral("%1 x %2: %3").arg(groups).arg(members).arg(smallest)));
    }
}

void TestHeadPalette::paleKeepsTheHue()
{
    const HeadPalette palette(8, 4);
    for (std::int64_t head = 0; head < 32; ++head)
    {
        const QColor full = palette.paleColor(HeadIndex(head), 1);
        QCOMPARE(full, palette.color(HeadIndex(head)));
        const QColor weak = palette.paleColor(HeadIndex(head), 0);
        QVERIFY(toOklch(weak).lightness > 0.84);
        QVERIFY(colorDistance(weak, Qt::white) > 0.03);
        QCOMPARE(palette.paleColor(HeadIndex(head), std::numeric_limits<double>::quiet_NaN()), weak);
    }
}

void TestHeadPalette::shapesFollowMembers()
{
    const HeadPalette palette(8, 4);
    QCOMPARE(palette.shape(HeadIndex(0)), MarkerShape::Circle);
    QCOMPARE(palette.shape(HeadIndex(1)), MarkerShape::Square);
    QCOMPARE(palette.shape(HeadIndex(4)), MarkerShape::Circle);
    QCOMPARE(HeadPalette(8, 1).shape(HeadIndex(5)), MarkerShape::Circle);
}

void TestHeadPalette::otherColorsTellHeadsApart_data()
{
    QTest::addColumn<int>("palette");
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("members");
    for (int palette = 1; palette < kPaletteKinds; ++palette)
        for (const auto& [groups, members] :
             std::vector<std::pair<int, int>>{{8, 4}, {4, 8}, {3, 3}, {1, 12}, {2, 16}, {12, 1}, {32, 1}, {1, 1}})
            QTest::addRow("%s, %d x %d", qPrintable(paletteId(static_cast<PaletteKind>(palette))), groups, members)
                << palette << groups << members;
}

/// Two heads of one shape differ enough to all eyes, on both grounds; texts on their colours can be read.
void TestHeadPalette::otherColorsTellHeadsApart()
{
    QFETCH(int, palette);
    QFETCH(int, groups);
    QFETCH(int, members);
    for (const InkTheme::Ground ground : {InkTheme::Light, InkTheme::Dark})
    {
        const HeadPalette heads(groups, members, {ground, static_cast<PaletteKind>(palette)});
        for (std::int64_t a = 0; a < heads.heads(); ++a)
        {
            const HeadIndex one(a);
            QVERIFY(contrastRatio(heads.textColor(one), heads.color(one)) >= 4.5);
            if (static_cast<PaletteKind>(palette) == PaletteKind::HighContrast)
                QVERIFY(contrastRatio(heads.color(one), inks(ground).background) >= 4.5);
            for (std::int64_t b = a + 1; b < heads.heads(); ++b)
            {
                const HeadIndex other(b);
                const double least = leastDeltaE(sightsOf(heads.color(one)), sightsOf(heads.color(other)));
                // Lines and bars have no shapes: where heads are few, every two differ.
                constexpr double kFewDeltaE = 4;
                constexpr std::int64_t kFewHeads = 9;
                const bool isFew = members > 1 && heads.heads() <= kFewHeads;
                QVERIFY2((heads.shape(one) != heads.shape(other) && (!isFew || least >= kFewDeltaE)) ||
                             least >= CategoryPalette::kMinDeltaE,
                         qPrintable(QStringLiteral("%1 %2, %3 %4: %5")
                                        .arg(QString::number(a), heads.color(one).name(), QString::number(b),
                                             heads.color(other).name())
                                        .arg(least)));
            }
        }
    }
    const HeadPalette heads(8, 4, {InkTheme::Light, static_cast<PaletteKind>(palette)});
    QCOMPARE(heads.color(HeadIndex(32)), heads.color(HeadIndex(0))); // beyond the model's heads they repeat
    QCOMPARE(heads.shape(HeadIndex(33)), heads.shape(HeadIndex(1)));
}

void TestHeadPalette::odd()
{
    QCOMPARE(HeadPalette(0, 0).heads(), 1);
    QVERIFY(HeadPalette().color(HeadIndex(0)).isValid());
    const HeadPalette palette(3, 3);
    QCOMPARE(palette.color(HeadIndex(9)), palette.color(HeadIndex(0)));
    QCOMPARE(palette.groupColor(GroupIndex(1)), palette.color(HeadIndex(4)));
    ModelInfo info;
    info.heads = 9;
    info.kvHeads = 3;
    QCOMPARE(HeadPalette(info).members(), 3);
    info.kvHeads = 0;
    QCOMPARE(HeadPalette(info).groups(), 1);
    QCOMPARE(HeadPalette(info).members(), 9);
}

HEADSCOPE_TEST_GUILESS(TestHeadPalette)
#include "tst_head_palette.moc"
