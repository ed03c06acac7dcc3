// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/colorings.h"

#include "app/commands/tsne_command.h"
#include "model/base/fields/fields.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

using namespace headscope;
using colorings::Coloring;
using colorings::Needs;

namespace
{

constexpr std::int64_t kDocuments = 12;
constexpr std::int64_t kHeads = 6;

ModelInfo sampleModel()
{
    ModelInfo model;
    model.heads = kHeads;
    model.kvHeads = 3;
    return model;
}

/// "topic" groups, "year" numbers (more of them than an eye could tell apart only in a larger set).
std::shared_ptr<const DocumentSet> sampleDocuments()
{
    auto documents = std::make_shared<DocumentSet>();
    LabelColumn topic{"topic", {}, {"night", "day"}};
    LabelColumn year{"year", {}, {}};
    for (std::int32_t i = 0; i < kDocuments; ++i)
    {
        documents->ids.push_back("doc-" + std::to_string(i));
        documents->tokens.push_back(10 + i);
        topic.codes.push_back(i % 2);
        year.codes.push_back(i);
        year.categories.push_back(std::to_string(1900 + i));
    }
    documents->labels = {topic, year};
    return documents;
}

/// Every head of every document, on a spiral.
HeadMap sampleMap()
{
    HeadMap map;
    auto points = std::make_shared<PointIds>();
    std::vector<float> xy;
    for (std::int32_t document = 0; document < kDocuments; ++document)
        for (std::int32_t head = 0; head < kHeads; ++head)
        {
            points->document.push_back(document);
            points->head.push_back(head);
            const auto at = static_cast<float>(points->head.size());
            xy.push_back(at * std::cos(at));
            xy.push_back(at * std::sin(at));
        }
    map.points = points;
    map.xy = MatrixF(points->count(), 2, std::move(xy));
    map.options.perplexities = {5};
    return map;
}

HeadVectors sampleVectors()
{
    constexpr std::int64_t kDims = 4;
    std::vector<float> values(kDocuments * kHeads * kDims);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i * i)));
    return {Stage::HeadOutput, LayerIndex(0), kDocuments, kHeads, kDims, std::move(values)};
}

colorings::ColoringInput sampleInput()
{
    colorings::ColoringInput input;
    input.points = sampleMap().points;
    input.documents = sampleDocuments();
    input.palette = viz::HeadPalette(sampleModel());
    return input;
}

/// All that the window could know of the points.
colorings::ColoringInput fullInput(const Coloring& coloring)
{
    colorings::ColoringInput input = sampleInput();
    std::vector<float> strengths(static_cast<std::size_t>(input.points->count()));
    std::iota(strengths.begin(), strengths.end(), 1.0F);
    input.strengths = [strengths] { return strengths; };
    auto sets = std::make_shared<colorings::SetColors>();
    sets->column = {"set", std::vector<std::int32_t>(kDocuments, 0), {"mine"}};
    sets->column.codes.back() = -1;
    sets->colors = {qRgb(1, 2, 3)};
    input.sets = sets;
    const auto offers = coloring.offers({sampleModel(), *input.documents, Stage::HeadOutput});
    input.column = offers.front().column;
    return input;
}

} // namespace

class TestColorings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theirOrder();
    void theirWords();
    void wordsOfSegments();
    void columnsThatAreOffered();
    void eachColoursItsPoints_data();
    void eachColoursItsPoints();
    void withoutWhatTheyNeed();
    void setsHaveTheirOwnColours();
    void wordsOfTheShell();
    void theHelpNamesThem();
};

void TestColorings::theirOrder()
{
    QStringList keys;
    for (const Coloring& coloring : colorings::all())
    {
        keys << QString::fromStdString(std::string(coloring.key));
        QVERIFY(coloring.offers != nullptr && coloring.make != nullptr);
        QCOMPARE(coloring.finder.has_value(), coloring.needs == Needs::Map);
        QCOMPARE(colorings::find(coloring.key), &coloring);
    }
    QCOMPARE(keys.join(u' '), QStringLiteral("head strength label number density nearest-head kept divergence set"));
    QVERIFY(colorings::find("mood") == nullptr);
    QCOMPARE(colorings::choiceKey(*colorings::find("label"), "topic"), std::string("label:topic"));
    QCOMPARE(colorings::choiceKey(*colorings::find("head"), {}), std::string("head"));
}

void TestColorings::theirWords()
{
    QStringList titles;
    const auto documents = sampleDocuments();
    for (const Coloring& coloring : colorings::all())
        for (const auto& offer : coloring.offers({sampleModel(), *documents, Stage::HeadOutput}))
        {
            titles << offer.title;
            QVERIFY(!offer.shortTitle.isEmpty());
        }
    const QChar space(0x00A0);
    QCOMPARE(titles,
             (QStringList{QStringLiteral("Head (hue = KV group)"), QStringLiteral("Norm (faint = small)"),
                          QStringLiteral("Label: topic · 2%1values").arg(space),
                          QStringLiteral("Label: year · 12%1values").arg(space), QStringLiteral("Number: tokens"),
                          QStringLiteral("Number: year"), QStringLiteral("Density"),
                          QStringLiteral("Nearest head centroid"), QStringLiteral("Neighbours preserved"),
                          QStringLiteral("Divergence per point"), QStringLiteral("Named sets")}));
}

void TestColorings::wordsOfSegments()
{
    const auto documents = sampleDocuments();
    const ModelInfo model = sampleModel();
    const colorings::Offered segments{model, *documents, Stage::OutputSegment};
    QCOMPARE(colorings::find("head")->offers(segments).front().title, QStringLiteral("Segment"));
    for (const Coloring& coloring : colorings::all())
        for (const auto& offer : coloring.offers(segments))
            QVERIFY2(!offer.title.contains(QStringLiteral("head")), qPrintable(offer.title));
}

void TestColorings::columnsThatAreOffered()
{
    DocumentSet documents = *sampleDocuments();
    LabelColumn many{"many", {}, {}};
    for (int i = 0; i < 40; ++i)
        many.categories.push_back(std::to_string(i));
    many.codes.assign(kDocuments, 3);
    documents.labels = {many};
    const ModelInfo model = sampleModel();
    QVERIFY(colorings::find("label")->offers({model, documents, Stage::HeadOutput}).empty());
    const auto numbers = colorings::find("number")->offers({model, documents, Stage::HeadOutput});
    QCOMPARE(numbers.back().column, std::string("many"));
    QCOMPARE(numbers.back().shortTitle, QStringLiteral("number many"));
}

void TestColorings::eachColoursItsPoints_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const Coloring& coloring : colorings::all())
    {
        const QByteArray key(coloring.key.data(), static_cast<qsizetype>(coloring.key.size()));
        QTest::newRow(key.constData()) << key;
    }
}

/// With all that it needs every colouring has a colour for every point, tells points apart, and has a legend.
void TestColorings::eachColoursItsPoints()
{
    QFETCH(QByteArray, key);
    const Coloring& coloring = *colorings::find(key.toStdString());
    colorings::ColoringInput input = fullInput(coloring);
    if (coloring.finder)
    {
        const HeadMap map = sampleMap();
        const HeadVectors vectors = sampleVectors();
        JobContext job;
        auto found = coloring.finder->find(map, coloring.finder->needsVectors ? &vectors : nullptr, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        for (const auto& numbers : *found)
            QCOMPARE(std::ssize(numbers), input.points->count());
        input.found = std::make_shared<const colorings::Found>(std::move(*found));
    }
    const colorings::Task task = coloring.make(input);
    QVERIFY(task);
    const viz::PointColoring made = task();
    QCOMPARE(std::ssize(made.index), input.points->count());
    QVERIFY(QSet<std::uint16_t>(made.index.begin(), made.index.end()).size() > 1);
    QVERIFY(*std::max_element(made.index.begin(), made.index.end()) < made.colors.size());
    QVERIFY(!made.legend.title.isEmpty());
    if (coloring.value != nullptr)
        QVERIFY(!coloring.value(input, 3).isEmpty());
}

/// What is not there is waited for, and colours of heads stand in.
void TestColorings::withoutWhatTheyNeed()
{
    for (const Coloring& coloring : colorings::all())
    {
        colorings::ColoringInput input = sampleInput();
        input.column = "no such column";
        const bool always = coloring.needs == Needs::Points || coloring.key == "number"; // its column is read later
        QCOMPARE(static_cast<bool>(coloring.make(input)), always);
        QCOMPARE(coloring.waiting.isEmpty(), coloring.needs != Needs::Map && coloring.needs != Needs::Strengths);
        if (coloring.value != nullptr)
            QVERIFY(coloring.value(input, 0).isEmpty());
    }
    colorings::ColoringInput input = sampleInput();
    input.column = "no such column";
    const viz::PointColoring numbers = colorings::find("number")->make(input)();
    const viz::PointColoring heads = colorings::byHead(input, QStringLiteral("why"))();
    QCOMPARE(numbers.index, heads.index);
    QCOMPARE(heads.legend.hint, QStringLiteral("why"));
    QVERIFY(numbers.legend.hint.isEmpty());
}

void TestColorings::setsHaveTheirOwnColours()
{
    const Coloring& coloring = *colorings::find("set");
    const colorings::ColoringInput input = fullInput(coloring);
    const viz::PointColoring made = coloring.make(input)();
    QCOMPARE(made.colors[made.index.front()], qRgb(1, 2, 3));
    const auto& legend = std::get<viz::CategoryLegend>(made.legend.content);
    QCOMPARE(legend.entries.size(), 2U);
    QCOMPARE(legend.entries.back().name, QStringLiteral("in no set"));
    QVERIFY(made.shapes.empty());
}

void TestColorings::wordsOfTheShell()
{
    colorings::ColoringInput input = sampleInput();
    const auto heads = colorings::colorByWord("head", input);
    HEADSCOPE_VERIFY_OK(heads);
    QCOMPARE(heads->legend.title, QStringLiteral("Head"));
    const auto topics = colorings::colorByWord("topic", input);
    HEADSCOPE_VERIFY_OK(topics);
    QCOMPARE(topics->legend.title, QStringLiteral("Topic"));
    // Plain vectors have no strengths, and no colouring of the window alone is known.
    for (const char* word : {"strength", "density", "label", "number:topic", "number:", "set:topic", "set", ""})
    {
        const auto refused = colorings::colorByWord(word, input);
        QVERIFY2(!refused, word);
        QCOMPARE(QString::fromStdString(refused.error().message),
                 QStringLiteral("expected head, strength, the name of a label or of numbers (number:NAME), found \"%1\"")
                     .arg(QLatin1StringView(word)));
    }
    for (const char* word : {"number:tokens", "tokens"})
    {
        const auto numbers = colorings::colorByWord(word, input);
        HEADSCOPE_VERIFY_OK(numbers);
        QVERIFY2(std::holds_alternative<viz::NumberLegend>(numbers->legend.content), word);
    }
    const auto named = colorings::colorByWord("label:topic", input);
    HEADSCOPE_VERIFY_OK(named);
    QCOMPARE(named->legend.title, QStringLiteral("Topic"));
    input.strengths = [count = input.points->head.size()] { return std::vector<float>(count, 1.0F); };
    HEADSCOPE_VERIFY_OK(colorings::colorByWord("strength", input));
}

/// The help of --color stands where no colouring is known: it names those of the shell all the same.
void TestColorings::theHelpNamesThem()
{
    commands::TsneCommand command;
    Fields table;
    command.declare(table);
    const std::string help = table.find("--color")->about;
    for (const Coloring& coloring : colorings::all())
        QCOMPARE(help.find(coloring.key) != std::string::npos, !coloring.shellWord.empty());
}

HEADSCOPE_TEST_GUILESS(TestColorings)
#include "tst_colorings.moc"
