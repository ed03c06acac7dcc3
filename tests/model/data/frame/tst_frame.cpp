// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/frame/facts.h"
#include "model/data/frame/frame.h"
#include "model/data/frame/frame_text.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>

using namespace headscope;

namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kColumns = {ColumnInfo{"head", "Head", "", "Number of the head", "", Shown::Index, "segment"},
                                 ColumnInfo{"mean_norm", "Strength", "", "Mean norm of its vectors"},
                                 ColumnInfo{"match", "Match", "", "Own topic the nearest", "", Shown::Share},
                                 ColumnInfo{"top_topic", "Top topic", "", "The largest topic", "", Shown::Text},
                                 ColumnInfo{"lacking", "Lacking", "", "Never there"},
                                 ColumnInfo{"new_number", "New", "", "A number that no list names", "", Shown::Fixed}};
constexpr std::array kFile = {Slot{"head"},    Slot{"match"}, Slot{"match", Facet::Low}, Slot{"match", Facet::Q, "q"},
                              Slot{"lacking"}, kRest};
constexpr std::array kText = {Slot{"head"}, Slot{"match", Facet::Span, {}, 24}, Slot{"top_topic"}};
constexpr std::array kMore = {Slot{"head"}, Slot{"mean_norm"}, kRest};
constexpr std::array<Slots, 2> kTexts = {kText, kMore};
constexpr FrameInfo kHeads = {.key = "heads", .columns = kColumns, .file = kFile, .texts = kTexts};

Frame sample()
{
    Frame frame(kHeads);
    frame.add("head", Column::Wholes{1, 2, 3});
    frame.add("mean_norm", Column::Reals{0.5, 1e-9, kNone});
    frame.add("match", Column::Reals{0.25, 0.75, 0.5}).interval(std::vector<Interval>{{0.125, 0.5}, {0.5, 1}, {}});
    frame.add("top_topic", Column::Texts{"cats, dogs", "", "-1"});
    return frame;
}

} // namespace

class TestFrame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slotsChooseColumnsAndFacets()
    {
        QCOMPARE(frameCsv(sample()).bytes(),
                 std::string("head,match,match low,q\n1,0.25,0.125,\n2,0.75,0.5,\n3,0.5,,\n"));
        QCOMPARE(frameText(sample()), std::string("head  match                     top topic\n"
                                                  "   1  0.2500 [0.1250, 0.5000]   cats, dogs\n"
                                                  "   2  0.7500 [0.5000, 1.0000]\n"
                                                  "   3  0.5000 [-]                -1\n"
                                                  "\n"
                                                  "head  mean norm\n"
                                                  "   1     0.5000\n"
                                                  "   2  1.000e-09\n"
                                                  "   3          -\n"));
    }

    /// A column that no list names is in every output, with its facets.
    void aNewColumnIsEverywhere()
    {
        Frame frame = sample();
        frame.add("new_number", Column::Reals{1e-9, 2, kNone}).set(Facet::P, 0.5);
        QCOMPARE(frameCsv(frame).bytes(), std::string("head,match,match low,q,new number,new number p\n"
                                                      "1,0.25,0.125,,1e-09,0.5\n2,0.75,0.5,,2,0.5\n3,0.5,,,,0.5\n"));
        QVERIFY(frameText(frame, kMore)
                    .starts_with("head  mean norm  new number  new number p\n"
                                 "   1     0.5000      0.0000        0.5000\n"));
        QVERIFY(
            frameLatex(frame).bytes().starts_with("\\begin{tabular}{rrrrrr}\n\\toprule\nhead & match & match low & q & "
                                                  "new number & new number p \\\\\n\\midrule\n"
                                                  "1 & 0.2500 & 0.1250 & -- & 0.0000 & 0.5000 \\\\\n"));
    }

    void headersOfTheDataAreKept()
    {
        Frame frame(kHeads);
        frame.add("head", Column::Wholes{1}).named("segment");
        frame.add("match", Column::Reals{0.5}).named("my_topic");
        frame.add("match", Column::Reals{1}).named("other");
        QCOMPARE(frameCsv(frame, CsvTexts::Safe, {{"measure", "a,b"}, {"documents", 3}}).bytes(),
                 std::string(
                     "measure,documents,segment,my_topic,my_topic low,q,other,other low,q\n\"a,b\",3,1,0.5,,,1,,\n"));
        QCOMPARE(frameCsv(frame, CsvTexts::Safe, {{"documents", 3}}, false).bytes(), std::string("3,1,0.5,,,1,,\n"));
    }

    /// Slots of one column stand together for each of its columns, up to a border.
    void groupsOfSlots()
    {
        static constexpr std::array kGroups = {Slot{"head"}, Slot{"match", Facet::Value, "top {}"},
                                               Slot{"match", Facet::Low, "low {}"}, kNextGroup,
                                               Slot{"match", Facet::P, "p {}"}};
        static constexpr FrameInfo kAbout = {.key = "match", .columns = kColumns, .file = kGroups};
        Frame frame(kAbout);
        frame.add("head", Column::Wholes{1});
        for (const char* k : {"1", "5"})
            frame.add("match", Column::Reals{0.5}).named(k).set(Facet::Low, 0.25).set(Facet::P, 1);
        QCOMPARE(frameCsv(frame).bytes(),
                 std::string("head,top 1,low 1,top 5,low 5,p 1,p 5\n1,0.5,0.25,0.5,0.25,1,1\n"));
    }

    void wholeNumbersMayBeMissing()
    {
        Frame frame(kHeads);
        frame.add("head", columnValues(std::array<std::optional<int>, 2>{7, std::nullopt}, std::identity()));
        QCOMPARE(frameCsv(frame).bytes(), std::string("head\n7\n\n"));
        QCOMPARE(frameText(frame, Slots(kText).first(1)), std::string("head\n   7\n   -\n"));
        frame.find("head")->isMeaningless = true;
        QCOMPARE(frameText(frame, Slots(kText).first(1)), std::string("head\n   -\n   -\n"));
        QCOMPARE(frameCsv(frame).bytes(), std::string("head\n7\n\n"));
    }

    /// Ends alone, in words and in brackets; where there is no test, texts say so and files have nothing.
    void intervalsAndTestsInTexts()
    {
        static constexpr std::array kEnds = {Slot{"match", Facet::Ends, "interval"},
                                             Slot{"match", Facet::Range, "range"}, Slot{"match", Facet::P}};
        Frame frame = sample();
        frame.find("match")->set(Facet::P, Column::Reals{0.5, kNone, 1}).noTest = "no test";
        QCOMPARE(frameText(frame, kEnds), std::string("interval          range             match p\n"
                                                      "0.1250 to 0.5000  [0.1250, 0.5000]  0.5000\n"
                                                      "0.5000 to 1.0000  [0.5000, 1.0000]  no test\n"
                                                      "-                 -                 1.0000\n"));
        QCOMPARE(shownTable(cellsOf(frame, kEnds)).rows[1][2], std::string("-"));
    }

    void stagesThatAreNumbers()
    {
        QCOMPARE(std::get<std::int64_t>(stageNode("12").value), 12);
        QCOMPARE(std::get<std::string>(stageNode("2p").value), std::string("2p"));
        QVERIFY(std::holds_alternative<std::monostate>(stageNode("").value));
    }

    void sortsByAnyColumnOfAFile()
    {
        const auto order = [](std::string_view by) {
            Frame frame = sample();
            const Status sorted = sortFrame(frame, by);
            return sorted ? std::get<Column::Wholes>(frame.find("head")->values) : Column::Wholes{};
        };
        QCOMPARE(order("match"), (Column::Wholes{2, 3, 1}));
        QCOMPARE(order("match low"), (Column::Wholes{2, 1, 3}));
        QCOMPARE(order("head"), (Column::Wholes{3, 2, 1}));
        Frame frame = sample();
        HEADSCOPE_VERIFY_ERROR(sortFrame(frame, "size"), ErrorCode::WrongUse,
                               "expected a column of head, match, match low, q, found \"size\"");
        QCOMPARE(frameCsv(frame).bytes(), frameCsv(sample()).bytes());
    }

    void factsAreFoundByTheirPath()
    {
        const Node result = Members{{"chance", Members{{"match", 0.25}}}, {"documents", 12}, {"label", textOrNull("")}};
        QCOMPARE(result.as<double>("chance.match", 1), 0.25);
        QCOMPARE(result.as<double>("chance.other", 1), 1.0);
        QCOMPARE(result.as<double>("documents", 1), 12.0);
        QCOMPARE(result.as<std::int64_t>("documents", 1), 12);
        QVERIFY(std::holds_alternative<std::monostate>(result.at("label").value));
        QVERIFY(result.find("nothing") == nullptr);
    }

    /// Told once: a member and a line, in one order.
    void factsAreMembersAndLines()
    {
        Facts facts;
        facts.add("left_out", 12'345);
        facts.add("kl", 0.25, "KL", "0.25 (of these)");
        facts.line("", "goes on");
        facts.member("seed", std::numeric_limits<std::uint64_t>::max());
        facts.add("output", textOrNull(""));
        QCOMPARE(facts.text(), std::string("left out  12,345\nKL        0.25 (of these)\n          goes on\n"
                                           "output    none\n"));
        QCOMPARE(columnValues(facts.members(), [](const auto& member) { return member.first; }),
                 (std::vector<std::string>{"left_out", "kl", "seed", "output"}));
        const Node result = facts.members();
        QCOMPARE(result.as<std::int64_t>("left_out", 0), 12'345);
        QCOMPARE(result.as<std::uint64_t>("seed", 0), std::numeric_limits<std::uint64_t>::max());
    }
};

HEADSCOPE_TEST(TestFrame)
#include "tst_frame.moc"
