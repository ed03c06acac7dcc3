// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_commands.h"
#include "app/commands/attention/attention_command.h"
#include "app/commands/attention/importance_command.h"
#include "app/commands/card/card_command.h"
#include "app/commands/circuits/circuits_command.h"
#include "app/commands/circuits/composition_command.h"
#include "app/commands/circuits/contributions_command.h"
#include "app/commands/circuits/lens_command.h"
#include "app/commands/command_line.h"
#include "app/commands/export_command.h"
#include "app/commands/extract_command.h"
#include "app/commands/figures/figure_command.h"
#include "app/commands/heads_command.h"
#include "app/commands/heatmap_command.h"
#include "app/commands/inspect_command.h"
#include "app/commands/layers_command.h"
#include "app/commands/match_command.h"
#include "app/commands/measures/evaluate_command.h"
#include "app/commands/measures/name_command.h"
#include "app/commands/neighbors_command.h"
#include "app/commands/probe_command.h"
#include "app/commands/prune_command.h"
#include "app/commands/quality_command.h"
#include "app/commands/retrieve_command.h"
#include "app/commands/serve/serve_command.h"
#include "app/commands/similarity_command.h"
#include "app/commands/tokenize_command.h"
#include "app/commands/tsne_command.h"
#include "app/shell/help_text.h"
#include "app/shell/parse_words.h"
#include "app/shell/verbs.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QRegularExpression>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <span>

using namespace headscope;
using namespace headscope::commands;

namespace
{

/// Gives an option another value than it has, of a kind that is easily lost on the way.
struct Change
{
    const Field& row;

    void operator()(bool* value) const { *value = !*value; }
    void operator()(std::string* value) const
    {
        *value = !row.example.empty() ? row.example : row.words.empty() ? "it's a, b" : row.words.back();
    }
    void operator()(int* value) const { *value += 3; }
    void operator()(std::int64_t* value) const { *value += 3; }
    void operator()(std::uint64_t* value) const { *value = std::numeric_limits<std::uint64_t>::max(); }
    void operator()(double* value) const { *value = *value == 0 ? 0.25 : *value - 0.001; }
    void operator()(std::optional<std::string>* value) const { *value = row.example; }
    void operator()(std::optional<std::int64_t>* value) const { *value = 12; }
    void operator()(std::optional<double>* value) const { *value = 1.0 / 3; }
    void operator()(std::vector<std::string>* value) const
    {
        *value = !row.example.empty() ? std::vector<std::string>{row.example, row.example}
                 : row.words.empty()  ? std::vector<std::string>{"one", "two words"}
                                      : std::vector<std::string>{row.words.back(), row.words.front()};
    }
    void operator()(std::vector<std::int64_t>* value) const { *value = {2, 20, 200}; }
    void operator()(std::vector<double>* value) const { *value = {1.1, 1.000000001, 300}; }
    void operator()(const FieldChoice& choice) const
    {
        choice.set(!row.example.empty() ? row.example : row.words.back());
    }
};

/// A command read from the words of another is the same command: with all options changed, and with each alone.
template <class C>
void checkWords()
{
    CommandLine<C> fresh;
    Fields shape;
    fresh.declare(shape);
    for (const Field& row : shape.rows()) // an empty word cannot be typed or read in a list
        QVERIFY2(std::ranges::find(row.words, std::string()) == row.words.end(), C::kVerb.data());
    const std::size_t options = shape.options().size();
    for (std::size_t changed = 0; changed <= options; ++changed) // the last time: all
    {
        CommandLine<C> line;
        Fields table;
        line.declare(table);
        std::size_t i = 0;
        for (const Field& row : table.options())
        {
            if (changed == options || i++ == changed || row.isRequired)
                std::visit(Change{row}, row.target);
        }
        const std::vector<std::string> words = line.words();
        QCOMPARE(words.front(), std::string(C::kVerb));
        CommandLine<C> read;
        Fields again;
        read.declare(again);
        HEADSCOPE_VERIFY_OK(shell::parseWords(again, std::span(words).subspan(1)));
        QVERIFY2(read == line, line.text().c_str());
        QVERIFY2(read.words() == words, line.text().c_str());
    }
    QCOMPARE(fresh.words(), std::vector<std::string>{std::string(C::kVerb)});
}

using Check = void (*)();

} // namespace

class TestCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsAreReadBack_data();
    void wordsAreReadBack();
    void everyVerbHasOne();
    void defaultsAreNotTypedIntoSentences();
    void optionsOfAnalyses();
    void aLineForAShell();
    void everyNumberHasItsRange();
    void valuesThatCannotBeRight_data();
    void valuesThatCannotBeRight();
};

void TestCommands::wordsAreReadBack_data()
{
    QTest::addColumn<Check>("check");
    QTest::newRow("export") << &checkWords<ExportCommand>;
    QTest::newRow("attention") << &checkWords<AttentionCommand>;
    QTest::newRow("importance") << &checkWords<ImportanceCommand>;
    QTest::newRow("circuits") << &checkWords<CircuitsCommand>;
    QTest::newRow("composition") << &checkWords<CompositionCommand>;
    QTest::newRow("contributions") << &checkWords<ContributionsCommand>;
    QTest::newRow("lens") << &checkWords<LensCommand>;
    QTest::newRow("extract") << &checkWords<ExtractCommand>;
    QTest::newRow("figure") << &checkWords<FigureCommand>;
    QTest::newRow("card") << &checkWords<CardCommand>;
    QTest::newRow("heads") << &checkWords<HeadsCommand>;
    QTest::newRow("heatmap") << &checkWords<HeatmapCommand>;
    QTest::newRow("inspect") << &checkWords<InspectCommand>;
    QTest::newRow("layers") << &checkWords<LayersCommand>;
    QTest::newRow("evaluate") << &checkWords<EvaluateCommand>;
    QTest::newRow("name") << &checkWords<NameCommand>;
    QTest::newRow("match") << &checkWords<MatchCommand>;
    QTest::newRow("merge") << &checkWords<MergeCommand>;
    QTest::newRow("neighbors") << &checkWords<NeighborsCommand>;
    QTest::newRow("probe") << &checkWords<ProbeCommand>;
    QTest::newRow("label-probe") << &checkWords<LabelProbeCommand>;
    QTest::newRow("prune") << &checkWords<PruneCommand>;
    QTest::newRow("quality") << &checkWords<QualityCommand>;
    QTest::newRow("retrieve") << &checkWords<RetrieveCommand>;
    QTest::newRow("serve") << &checkWords<ServeCommand>;
    QTest::newRow("similarity") << &checkWords<SimilarityCommand>;
    QTest::newRow("status") << &checkWords<StatusCommand>;
    QTest::newRow("tokenize") << &checkWords<TokenizeCommand>;
    QTest::newRow("tsne") << &checkWords<TsneCommand>;
}

void TestCommands::wordsAreReadBack()
{
    QFETCH(const Check, check);
    check();
}

void TestCommands::everyVerbHasOne()
{
    std::set<std::string_view> missing;
    for (const shell::VerbName& verb : shell::allVerbs())
        missing.insert(verb.name);
    visitCommands([&](std::string_view verb, const Fields& table) {
        QCOMPARE(missing.erase(verb), std::size_t{1});
        QVERIFY(manualPage(verb, "headscope 0").find("\\-\\-threads") != std::string::npos);
        QVERIFY(!table.options().empty());
        QVERIFY(completionScript().find(fmt::format("    {}) options=", verb)) != std::string::npos);
    });
    QVERIFY(missing.empty());
    QVERIFY(manualPage("dance", "headscope 0").empty());
}

void TestCommands::defaultsAreNotTypedIntoSentences()
{
    // "(30)", "default 30": such a number was typed twice, and one of the two will be forgotten.
    static const QRegularExpression typed(QStringLiteral("\\bdefault|\\((?:[0-9.]+|[a-z]+)\\)"));
    visitCommands([](std::string_view verb, const Fields& table) {
        for (const Field& row : table.options())
        {
            const QString about = QString::fromStdString(row.about);
            QVERIFY2(!about.isEmpty(), fmt::format("{} {}", verb, row.typedName()).c_str());
            QVERIFY2(!about.contains(typed), fmt::format("{} {}: {}", verb, row.typedName(), row.about).c_str());
        }
    });
    CommandLine<TsneCommand> line;
    Fields table;
    line.declare(table);
    const std::string help =
        QString::fromStdString(shell::helpText(table, "headscope tsne", "a map")).simplified().toStdString();
    QVERIFY2(help.find("30,300: multiscale, from 1 to 1000000000 (default: 30)") != std::string::npos, help.c_str());
    QVERIFY2(help.find("(default: 750)") != std::string::npos, help.c_str());
}

void TestCommands::optionsOfAnalyses()
{
    TsneOptions tsne;
    tsne.perplexities = {5, 50};
    tsne.affinities = TsneAffinities::Dense;
    tsne.iterations = 100;
    tsne.momentum = 0.5;
    tsne.metric = Metric::Cosine;
    tsne.start = TsneStart::Random;
    tsne.autoStop = true;
    TsneCommand map;
    map.setOptions(tsne);
    QCOMPARE((CommandLine<TsneCommand>{map, {}}.text()),
             std::string("headscope tsne --perplexity 5,50 --affinities dense --iterations 100 --momentum 0.5 "
                         "--auto-stop --metric cosine "
                         "--init random"));
    QVERIFY(map.options(7).start == TsneStart::Random && map.options(7).seed == 7);
    QVERIFY(map.options(7).affinities == TsneAffinities::Dense);
    QVERIFY(TsneCommand().options(1).perplexities == TsneOptions().perplexities);
    QVERIFY(TsneCommand().options(1).affinities == TsneAffinities::Sparse);
    QCOMPARE(TsneCommand().options(1).startJitter, 0.0);
    tsne.start = TsneStart::Pca;
    tsne.startJitter = 0.02;
    map.setOptions(tsne);
    QCOMPARE(map.options(7).startJitter, 0.02);
    TsneCommand several;
    several.seeds = 4;
    QCOMPARE(several.options(1).startJitter, 0.01);
    several.tsne.start = TsneStart::Random;
    QCOMPARE(several.options(1).startJitter, 0.0);

    ProbeOptions probe;
    probe.split = ProbeSplit::Rows;
    probe.trainRows = 40;
    ProbeCommand trained;
    trained.probe = probe;
    QCOMPARE((CommandLine<ProbeCommand>{trained, {}}.text()), std::string("headscope probe --train 40 --split rows"));

    for (const char* word : {"full", "none", "cluster", "5"})
    {
        HeatmapCommand typed;
        typed.sort = word;
        HEADSCOPE_VERIFY_OK(typed.order(8));
        HeatmapOptions heatmap;
        heatmap.order = *typed.order(8);
        QCOMPARE(heatmap.order.name(), std::string(word));
    }
    HeatmapCommand wrong;
    wrong.sort = "9";
    HEADSCOPE_VERIFY_ERROR(wrong.order(8), ErrorCode::InvalidArgument, "9");
    wrong.sort = "rows";
    HEADSCOPE_VERIFY_ERROR(wrong.order(8), ErrorCode::WrongUse, "expected full, cluster, none or a head number from 1");
}

void TestCommands::aLineForAShell()
{
    CommandLine<ProbeCommand> line;
    line.command.input.cache = "my cache.h5";
    line.command.probe.control = true;
    line.common.seed = 4;
    QCOMPARE(line.text(), std::string("headscope probe 'my cache.h5' --control --seed 4"));
    line.command.input.cache = "-odd.h5"; // behind all options, the common ones too
    QCOMPARE(line.text(), std::string("headscope probe --control --seed 4 -- -odd.h5"));
}

void TestCommands::everyNumberHasItsRange()
{
    int numbers = 0;
    visitCommands([&numbers](std::string_view verb, const Fields& table) {
        for (const Field& row : table.options())
        {
            const bool isNumber = std::visit(
                [](const auto& value) {
                    using Value = std::remove_pointer_t<std::decay_t<decltype(value)>>;
                    return !std::is_same_v<Value, FieldChoice> && !std::is_same_v<Value, bool> &&
                           !std::is_same_v<Value, std::string> && !std::is_same_v<Value, std::optional<std::string>> &&
                           !std::is_same_v<Value, std::vector<std::string>>;
                },
                row.target);
            if (!isNumber)
                continue;
            ++numbers;
            const std::string name = fmt::format("{} {}", verb, row.typedName());
            QVERIFY2(!row.rangeText().empty(), name.c_str());
            QVERIFY2(row.help().find(row.rangeText()) != std::string::npos, name.c_str());
            for (const char* wrong : {"0x10", "+5", "nan", "inf", "1e999", "-99999999999", "99999999999999999999999",
                                      "5 ", "", "five", "٣"})
            {
                Fields one = table; // the variables are not reached
                for (const Field& other : one.options())
                    one.find(other.typedName())->isRequired = false;
                const auto read = shell::parseWords(one, std::vector<std::string>{row.typedName(), wrong});
                QVERIFY2(!read, fmt::format("{} {}", name, wrong).c_str());
                for (const std::string& part : {row.typedName(), row.rangeText(), fmt::format("found \"{}\"", wrong)})
                    QVERIFY2(read.error().message.find(part) != std::string::npos,
                             fmt::format("{}: {}", name, read.error().message).c_str());
            }
        }
    });
    QVERIFY(numbers > 40);
}

void TestCommands::valuesThatCannotBeRight_data()
{
    QTest::addColumn<std::string>("verb");
    QTest::addColumn<std::string>("option");
    QTest::addColumn<std::string>("value");
    const auto row = [](const char* verb, const char* option, const char* value) {
        QTest::addRow("%s %s %s", verb, option, value)
            << std::string(verb) << std::string(option) << std::string(value);
    };
    for (const char* verb : {"tsne", "match", "export", "prune"})
    {
        for (const char* value : {"first", "-1", "0x1", "1,", "1.5"})
            row(verb, "--layer", value);
        for (const char* value : {"4", "0", "1,,2", "one"})
            row(verb, "--stage", value);
        for (const char* value : {"0", "5-", "4-1", "+3", "1;2"})
            row(verb, "--heads", value);
        for (const char* value : {"5-1", "-1", "x", "1,,2"})
            row(verb, "--documents", value);
    }
    for (const char* value : {"0", "-5", "nan", "0x10", "+7", "many"})
        row("extract", "--max-tokens", value);
    for (const char* value : {"0", "-1", "3T", "1e9", "G", "99999999999G"})
        row("extract", "--memory", value);
    row("extract", "--pooling", "middle");
    row("extract", "--store", "f64");
    row("extract", "--eos", "perhaps");
    row("extract", "--special-tokens", "keep");
    row("extract", "--layers", "1-");
    row("extract", "--stages", "1,4");
    row("tokenize", "--max-tokens", "0");
    row("match", "--pool", "best:0");
    row("match", "--pool", "median");
    row("heads", "--sort", "beauty");
    row("heatmap", "--sort", "0");
    row("heatmap", "--scale", "1");
    row("heatmap", "--scale", "0,inf");
    row("tsne", "--init", "spectral");
    row("tsne", "--palette", "pastel");
    row("retrieve", "--mute", "0");
    row("retrieve", "--strategy", "loudest");
}

void TestCommands::valuesThatCannotBeRight()
{
    QFETCH(const std::string, verb);
    QFETCH(const std::string, option);
    QFETCH(const std::string, value);
    visitCommands([&](std::string_view each, const Fields& table) {
        if (each != verb)
            return;
        Fields one = table;
        for (const Field& other : table.options())
            one.find(other.typedName())->isRequired = false;
        HEADSCOPE_VERIFY_ERROR(shell::parseWords(one, std::vector<std::string>{option, value}), ErrorCode::WrongUse,
                               option);
    });
}

HEADSCOPE_TEST_GUILESS(TestCommands)
#include "tst_commands.moc"
