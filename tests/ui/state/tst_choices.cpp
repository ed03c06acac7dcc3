// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/choices.h"

#include "tests/support/test_program.h"
#include "tests/ui/sample_colors.h"
#include "tests/ui/window_test.h"

#include <QSignalSpy>

using namespace headscope;
using ui::Choices;
using ui::ColorChoice;
using Heads = std::vector<std::int64_t>;

namespace
{

std::shared_ptr<ui::CacheOverview> overview(const std::map<LayerIndex, std::vector<Stage>>& stages)
{
    auto changed = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
    changed->stages = stages;
    return changed;
}

} // namespace

class TestChoices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensQuietly();
    void takesOnlyWhatIsThere();
    void aLayerWithoutTheStage();
    void isolatesHeads();
    void theEmbeddingHasNoHeads();
    void colorsThatGo();
    void columnsThatChange();
    void keepsTheColourOfTheLastCache();
    void offersNoColoursByItself();
    void coloursHaveKeys();
};

void TestChoices::opensQuietly()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    QVERIFY(choices.allHeads());
    QSignalSpy opened(&choices, &Choices::opened);
    QSignalSpy source(&choices, &Choices::sourceChanged);
    QSignalSpy heads(&choices, &Choices::headsChanged);
    QSignalSpy labels(&choices, &Choices::labelChanged);
    QSignalSpy colors(&choices, &Choices::colorChanged);
    choices.open(test::sampleOverview());
    QCOMPARE(choices.now().layer, LayerIndex(31));
    QCOMPARE(choices.now().heads.size(), 32U);
    QVERIFY(choices.allHeads());
    QCOMPARE(choices.now().labelColumn, std::string("topic"));
    QCOMPARE(choices.now().color, (ColorChoice{"head", {}}));
    choices.open(nullptr);
    QCOMPARE(opened.count(), 2);
    QCOMPARE(source.count() + heads.count() + labels.count() + colors.count(), 0);
}

void TestChoices::takesOnlyWhatIsThere()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.setLayer(LayerIndex(3)); // nothing is open
    choices.setHeads({1});
    choices.open(test::sampleOverview());
    const ui::Choice before = choices.now();
    QSignalSpy source(&choices, &Choices::sourceChanged);
    QSignalSpy labels(&choices, &Choices::labelChanged);
    choices.setLayer(LayerIndex(3));
    choices.setStage(Stage::Contribution);
    choices.setLabelColumn("no such column");
    QVERIFY(!choices.setColor({"label", "no such column"}));
    QVERIFY(choices.now() == before);
    QCOMPARE(source.count() + labels.count(), 0);
    choices.setHeads({5, -1, 99, 5, 2});
    QCOMPARE(choices.now().heads, (Heads{2, 5}));
    QVERIFY(!choices.allHeads());
}

void TestChoices::aLayerWithoutTheStage()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.open(overview(
        {{LayerIndex(1), {Stage::OutputSegment}}, {LayerIndex(2), {Stage::HeadOutput, Stage::OutputSegment}}}));
    QCOMPARE(choices.now().stage, Stage::HeadOutput);
    QSignalSpy source(&choices, &Choices::sourceChanged);
    choices.setLayer(LayerIndex(1));
    QCOMPARE(choices.now().stage, Stage::OutputSegment);
    QCOMPARE(source.count(), 1);
    choices.setLayer(LayerIndex(2)); // the stage that was chosen stays
    QCOMPARE(choices.now().stage, Stage::OutputSegment);
}

/// It is a stage of the last layer, with one vector; the heads that were chosen come back with a stage of heads.
void TestChoices::theEmbeddingHasNoHeads()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    auto with = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
    choices.open(with);
    choices.setStage(Stage::Embedding);
    QCOMPARE(choices.now().stage, Stage::HeadOutput); // the cache has none
    with = std::make_shared<ui::CacheOverview>(*with);
    with->embedding = LayerIndex(31);
    choices.open(with);
    choices.setHeads({2, 5});
    QSignalSpy source(&choices, &Choices::sourceChanged);
    QSignalSpy heads(&choices, &Choices::headsChanged);
    choices.setStage(Stage::Embedding);
    QCOMPARE(choices.now().heads, (Heads{0}));
    QCOMPARE(choices.headsOfLayers(), (Heads{2, 5}));
    QCOMPARE(choices.headCount(), 1);
    QVERIFY(choices.allHeads());
    choices.setHeads({0, 3});
    QCOMPARE(choices.now().heads, (Heads{0}));
    QCOMPARE(source.count(), 1);
    QCOMPARE(heads.count(), 1);
    choices.setLayer(LayerIndex(15)); // which has none
    QCOMPARE(choices.now().stage, Stage::HeadOutput);
    QCOMPARE(choices.now().heads, (Heads{2, 5}));
    QCOMPARE(heads.count(), 2);
}

void TestChoices::isolatesHeads()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.open(test::sampleOverview());
    choices.isolateHeads({3});
    QCOMPARE(choices.now().heads, (Heads{3}));
    choices.isolateHeads({3});
    QVERIFY(choices.allHeads());
}

void TestChoices::colorsThatGo()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.open(test::sampleOverview());
    const ColorChoice sets{"set", {}};
    QVERIFY(!choices.setColor(sets));
    choices.setColorGroup(QStringLiteral("Sets"), {{QStringLiteral("Named sets"), sets, {}}});
    QSignalSpy colors(&choices, &Choices::colorChanged);
    QVERIFY(choices.setColor(sets));
    QCOMPARE(colors.count(), 1);
    choices.setColorGroup(QStringLiteral("Sets"), {});
    QCOMPARE(choices.now().color.coloring, std::string("head"));
    QCOMPARE(colors.count(), 2);
}

void TestChoices::columnsThatChange()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.open(test::sampleOverview());
    QVERIFY(choices.setColor({"label", "topic"}));
    auto changed = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
    auto documents = std::make_shared<DocumentSet>(*changed->documents);
    documents->labels = {documents->labels.front()};
    documents->labels.front().name = "kind";
    changed->documents = documents;
    QSignalSpy labels(&choices, &Choices::labelChanged);
    choices.setColumns(changed, "kind");
    QCOMPARE(choices.now().labelColumn, std::string("kind"));
    QCOMPARE(choices.now().color.coloring, std::string("head"));
    QCOMPARE(labels.count(), 1);
    choices.setColumns(changed, "gone");
    QCOMPARE(choices.now().labelColumn, std::string("kind"));
}

void TestChoices::keepsTheColourOfTheLastCache()
{
    Choices choices;
    choices.setColorSource(test::sampleColors);
    choices.open(test::sampleOverview());
    QVERIFY(choices.setColor({"label", "topic"}));
    choices.open(test::sampleOverview());
    QCOMPARE(choices.now().color, (ColorChoice{"label", "topic"}));
}

void TestChoices::offersNoColoursByItself()
{
    Choices choices;
    choices.open(test::sampleOverview());
    QVERIFY(choices.colorGroups().front().entries.empty());
    QVERIFY(!choices.setColor({"head", {}}));
    QCOMPARE(choices.now().color, ColorChoice());
}

void TestChoices::coloursHaveKeys()
{
    for (const ColorChoice& choice :
         {ColorChoice{"head", {}}, ColorChoice{"label", "topic"}, ColorChoice{"label", "a:b"}})
        QCOMPARE(ColorChoice::fromKey(choice.key()), choice);
    QCOMPARE((ColorChoice{"label", "topic"}).key(), std::string("label:topic"));
    QCOMPARE(ColorChoice::fromKey({}), ColorChoice());
}

HEADSCOPE_TEST_GUILESS(TestChoices)
#include "tst_choices.moc"
