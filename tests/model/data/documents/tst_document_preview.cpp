// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_preview.h"

#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace
{

/// A column of 10 rows as the reader would describe it.
ColumnFacts column(const std::string& name, double meanLength, std::int64_t different, bool textOnly = true)
{
    ColumnFacts facts;
    facts.name = name;
    facts.present = 10;
    facts.different = different;
    facts.textOnly = textOnly;
    facts.meanLength = meanLength;
    if (different < 10)
        facts.notId = Error{ErrorCode::BadFormat, "expected unique ids", "f.csv", "line 3"};
    return facts;
}

DocumentPreview previewOf(std::vector<ColumnFacts> columns)
{
    DocumentPreview preview;
    preview.file = "f.csv";
    preview.columns = std::move(columns);
    preview.rowsRead = 10;
    preview.whole = true;
    return preview;
}

using Roles = std::vector<ColumnRole>;
constexpr auto kText = ColumnRole::Text;
constexpr auto kId = ColumnRole::Id;
constexpr auto kLabel = ColumnRole::Label;
constexpr auto kNumber = ColumnRole::Number;
constexpr auto kUnused = ColumnRole::Unused;

} // namespace

class TestDocumentPreview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLongestTextsAreTheText()
    {
        const auto preview =
            previewOf({column("Nr", 2, 10, false), column("Description", 80, 10), column("Group", 6, 3)});
        const Roles roles = guessedRoles(preview);
        QVERIFY((roles == Roles{kId, kText, kLabel}));
        const ColumnChoice choice = columnChoice(preview, roles);
        QCOMPARE(choice.text, std::string("Description"));
        QCOMPARE(choice.id.value_or("none"), std::string("Nr"));
        QVERIFY(!choice.labels); // by themselves they are the same
    }

    void columnsOfTheUsualNamesNeedNoWords()
    {
        const auto preview =
            previewOf({column("id", 3, 10), column("title", 200, 10), column("text", 90, 10), column("topic", 6, 3)});
        const Roles roles = guessedRoles(preview);
        QVERIFY((roles == Roles{kId, kUnused, kText, kLabel}));
        const ColumnChoice choice = columnChoice(preview, roles);
        QVERIFY(choice.text == "text" && !choice.id && !choice.labels);
    }

    void aColumnOfRepeatedNumbersIsNoId()
    {
        auto preview = previewOf({column("id", 1, 3), column("text", 90, 10)});
        const Roles roles = guessedRoles(preview);
        QVERIFY((roles == Roles{kLabel, kText}));
        // Without a word the extraction would take that column and refuse it.
        QCOMPARE(columnChoice(preview, roles).id.value_or("none"), std::string());
    }

    void textThatIsNoneIsNotGuessed()
    {
        auto preview = previewOf({column("list", 300, 10), column("body", 40, 10)});
        preview.columns[0].notText = Error{ErrorCode::BadFormat, "found an array or object", "f.jsonl", "line 1"};
        QVERIFY((guessedRoles(preview) == Roles{kUnused, kText}));
        preview.columns[1].notText = preview.columns[0].notText;
        QVERIFY((guessedRoles(preview) == Roles{kText, kUnused})); // and roleFault() says why it cannot be
        QVERIFY(roleFault(preview, guessedRoles(preview)).has_value());
    }

    void rolesGoOver()
    {
        const auto preview =
            previewOf({column("Nr", 2, 10, false), column("Description", 80, 10), column("Group", 6, 3)});
        Roles roles = guessedRoles(preview);
        setRole(preview, roles, 2, kText);
        QVERIFY((roles == Roles{kId, kUnused, kText}));
        setRole(preview, roles, 1, kText);
        QVERIFY((roles == Roles{kId, kText, kLabel})); // a label by itself
        setRole(preview, roles, 1, kId);
        QVERIFY((roles == Roles{kUnused, kId, kLabel}));
        QVERIFY((columnChoice(preview, {kUnused, kText, kUnused}).labels == std::vector<std::string>{}));
        QVERIFY((columnChoice(preview, {kLabel, kText, kLabel}).labels == std::vector<std::string>{"Nr", "Group"}));
        QVERIFY(!columnChoice(preview, {kUnused, kText, kLabel}).id); // row numbers by themselves
        setRole(preview, roles, 7, kText);                            // there is none
        QVERIFY((roles == Roles{kUnused, kId, kLabel}));
    }

    void faultsAreThoseOfTheRoles()
    {
        auto preview = previewOf({column("a", 2, 3), column("b", 80, 10)});
        QVERIFY(!roleFault(preview, {kLabel, kText}));
        const auto fault = roleFault(preview, {kId, kText});
        QVERIFY(fault && fault->place == "line 3");
    }

    void numbersAreNamed()
    {
        auto preview = previewOf({column("text", 80, 10), column("year", 4, 5, false), column("kind", 4, 5)});
        QVERIFY(columnChoice(preview, guessedRoles(preview)).numbers.empty()); // nothing is taken unasked
        const ColumnChoice choice = columnChoice(preview, {kText, kNumber, kLabel});
        QVERIFY((choice.numbers == std::vector<std::string>{"year"} && !choice.labels));
        // A column that would be labels by itself is not then.
        const ColumnChoice both = columnChoice(preview, {kText, kNumber, kNumber});
        QVERIFY((both.numbers == std::vector<std::string>{"year", "kind"} && !both.labels));
        preview.columns[2].notNumber = Error{ErrorCode::BadFormat, "expected a number", "f.csv", "line 2"};
        QVERIFY(roleFault(preview, {kText, kNumber, kNumber})->place == "line 2");
        QVERIFY(!roleFault(preview, {kText, kNumber, kLabel}));
    }

    void labelsByTheirValues()
    {
        QVERIFY(makesLabels(300, 100, true));
        QVERIFY(!makesLabels(300, 101, true));
        QVERIFY(!makesLabels(10, 10, true)); // titles
        QVERIFY(!makesLabels(10, 3, false)); // numbers
        QVERIFY(!makesLabels(0, 0, true));
    }
};

HEADSCOPE_TEST_GUILESS(TestDocumentPreview)
#include "tst_document_preview.moc"
