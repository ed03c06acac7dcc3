// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/fields/fields.h"

#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <limits>

using namespace headscope;

namespace
{

enum class Colour
{
    Red,
    Blue,
    Other,
};

constexpr std::array kColours = {FieldWord{"red", "Red"}, FieldWord{"blue", "Blue"},
                                 FieldWord{"given", "As it is", "present"}};

struct Values
{
    bool on = false;
    int count = 3;
    std::uint64_t seed = 1;
    double rate = 0.5;
    Colour colour = Colour::Red;
    std::string file;
    std::optional<double> share;
    std::vector<double> list = {30};
    std::string name;
};

void fields(Fields& f, Values& v)
{
    f("on", v.on, "--on", "a flag").label("On");
    f("count", v.count, "--count", "how many").countFrom(1).offers(2, 10).label("Count");
    f("seed", v.seed);
    f("rate", v.rate, "--rate", "a rate").within({0, 1, true, false}).but(kIdentityUse).label("Rate");
    f("colour", v.colour, kColours, "--colour", "a colour").label("Colour");
    f("share", v.share, "--share", "a share").within(0, 1);
    f("list", v.list, "--list", "numbers").within(1, 1000).separatedBy(',').offersWhole(2, 100);
    f.option("--name", v.name, "a name");
}

Fields of(Values& values)
{
    Fields all;
    fields(all, values);
    return all;
}

} // namespace

class TestFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textsAreTaken()
    {
        Values values;
        const Fields all = of(values);
        for (const auto& [key, text] :
             {std::pair("on", "1"), std::pair("count", "7"), std::pair("seed", "18446744073709551615"),
              std::pair("rate", "0.25"), std::pair("colour", "blue"), std::pair("share", "1"),
              std::pair("list", "5,50.5")})
        {
            QCOMPARE(all.ofKey(key)->set(text), std::string());
            QCOMPARE(all.ofKey(key)->valueText(), std::string(text));
        }
        QVERIFY(values.on && values.count == 7 && values.seed == std::numeric_limits<std::uint64_t>::max());
        QVERIFY(values.colour == Colour::Blue && values.share == 1.0);
        QVERIFY((values.list == std::vector<double>{5, 50.5}));
    }

    void wrongTextsChangeNothing()
    {
        Values values;
        const Fields all = of(values);
        QCOMPARE(all.ofKey("count")->set("0"),
                 std::string("expected an integer from 1 to 1000000000, found \"0\""));
        QCOMPARE(all.ofKey("rate")->set("0"), std::string("expected a number above 0 to 1, found \"0\""));
        QCOMPARE(all.ofKey("rate")->set("nan"), std::string("expected a number above 0 to 1, found \"nan\""));
        QCOMPARE(all.ofKey("list")->set("5,0.5"), std::string("expected a number from 1 to 1000, found \"0.5\""));
        QCOMPARE(all.ofKey("colour")->set("green"), std::string("expected one of red, blue, given, found \"green\""));
        QVERIFY(differences(all, all, kEveryUse).empty());
        QVERIFY(values.count == 3 && values.rate == 0.5 && values.list.front() == 30 && values.colour == Colour::Red);
    }

    void anotherTextStandsForTheLastWord()
    {
        Values values;
        Fields all = of(values);
        all.find("--colour")->orText(values.file);
        const Field& colour = *all.ofKey("colour");
        QVERIFY(colour.text() == nullptr);
        QCOMPARE(colour.set("some.h5:/xy"), std::string());
        QVERIFY(values.colour == Colour::Other && values.file == "some.h5:/xy");
        QCOMPARE(colour.valueText(), values.file);
        QVERIFY(colour.text() == &values.file);
        QCOMPARE(colour.set("blue"), std::string());
        QVERIFY(values.colour == Colour::Blue && colour.text() == nullptr);
    }

    void everybodyHasFieldsOfHisOwn()
    {
        Values values;
        const Fields all = of(values);
        QCOMPARE(all.rows().size(), std::size_t{8});
        QCOMPARE(all.options().size(), std::size_t{7});        // no --seed
        QCOMPARE(all.used(kRecordUse).size(), std::size_t{7}); // no name
        QCOMPARE(all.used(kIdentityUse).size(), std::size_t{6});
        QVERIFY(all.ofKey("name") == nullptr);
        QVERIFY(all.ofKey("list")->offered->most == 100 && all.ofKey("list")->isWhole);
    }

    void differencesAreThoseOfWhoLooks()
    {
        Values a;
        Values b;
        b.count = 9;
        b.rate = 0.75;
        b.colour = Colour::Blue;
        const Fields first = of(a);
        const Fields second = of(b);
        const auto all = differences(first, second, kEveryUse);
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[1].field->title == "Rate" && all[1].first == "0.5" && all[1].second == "0.75");
        QCOMPARE(differences(first, second, kIdentityUse).size(), std::size_t{2});
        for (std::size_t i = 0; i < first.rows().size(); ++i)
            copyValue(second.rows()[i], first.rows()[i]);
        QVERIFY(differences(first, second, kEveryUse).empty());
        QVERIFY(a.colour == Colour::Blue && a.count == 9);
    }

    void resultsSayWhatIsSet()
    {
        Values values;
        values.list = {5, 50};
        const Fields all = of(values);
        const auto said = [&all](const char* key) { return all.ofKey(key)->recordValue(); };
        QVERIFY(said("count") == FieldRecord(std::int64_t{3}));
        QVERIFY(said("rate") == FieldRecord(0.5));
        values.seed = 18446744073709551615ULL; // no signed number holds it
        QVERIFY(said("seed") == FieldRecord(18446744073709551615ULL));
        values.seed = 7;
        QVERIFY(said("seed") == FieldRecord(std::int64_t{7}));
        QVERIFY(said("colour") == FieldRecord("red"));
        QVERIFY(said("list") == FieldRecord("5,50"));
        QVERIFY(!said("on") && !said("share")); // a flag that is down, a number that is unset
        values.on = true;
        values.share = 0.25;
        QVERIFY(said("on") == FieldRecord("true"));
        QVERIFY(said("share") == FieldRecord(0.25));
        QVERIFY(!all.rows().back().recordValue()); // a text that is empty
        QCOMPARE(all.ofKey("seed")->recordName(), std::string("seed"));
        Fields more;
        more.option("FILE", values.file);
        more("degrees", values.rate, "--dof,--of-freedom");
        QCOMPARE(more.rows()[0].recordName(), std::string("file"));
        QCOMPARE(more.rows()[1].recordName(), std::string("of_freedom"));
    }

    void wordsOfTextsAreOffered()
    {
        Values values;
        Fields all;
        all.option("--colour", values.name).among(kColours);
        all.option("--kind", values.file).offersWords(kColours);
        QVERIFY(all.rows()[0].faultOf("blue").empty() && !all.rows()[0].faultOf("green").empty());
        QVERIFY(all.rows()[1].faultOf("green").empty()); // others are taken, too
        QCOMPARE(all.rows()[1].choices.front().label, std::string_view("Red"));
    }

    void rangesHoldRanges()
    {
        const NumberRange open{0, 1, true, true};
        QVERIFY((NumberRange{0, 1}.holds(open)));
        QVERIFY((!open.holds(NumberRange{0, 1})));
        QVERIFY((open.holds(NumberRange{0.01, 0.95})));
        QCOMPARE(open.text(), std::string("above 0 to below 1"));
    }
};

HEADSCOPE_TEST_GUILESS(TestFields)
#include "tst_fields.moc"
