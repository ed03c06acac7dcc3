// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/label_join.h"

#include "model/data/documents/document_numbers.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using Texts = std::vector<std::string>;

class TestLabelJoin : public QObject
{
    Q_OBJECT

private:
    static DocumentSet sampleDocuments()
    {
        DocumentSet documents;
        documents.ids = {"a", "b", "c", "d"};
        documents.labels.push_back(makeLabelColumn("topic", Texts{"x", "x", "y", "y"}));
        return documents;
    }

    static LabelTable sampleTable()
    {
        return {"labels.csv",
                {"row", "id", "topic", "year", "note"},
                {{"1", "2", "3", "4", "5"},
                 {"c", "a", "zz", "a", ""},
                 {"new", "old", "old", "late", "none"},
                 {"2001", "1999.5", "3", "7", "8"},
                 {"", "first", "", "second", ""}}};
    }

private Q_SLOTS:
    void saysWhatMatches()
    {
        const LabelJoin join = joinLabels(sampleDocuments(), sampleTable());
        QCOMPARE(join.idColumn, std::string("id"));
        QCOMPARE(join.rows, 5);
        QCOMPARE(join.matched, 2);
        QCOMPARE(join.rowsWithout, (Texts{"zz", ""}));
        QCOMPARE(join.documentsWithout, (Texts{"b", "d"}));
        QCOMPARE(join.repeated, 1);
        QCOMPARE(join.columns.size(), 4U);
        const JoinedColumn& topic = join.columns[1];
        QCOMPARE(topic.name, std::string("topic"));
        QVERIFY(topic.replaces && !topic.isNumber);
        QCOMPARE(topic.filled, 2);
        QCOMPARE(std::string(topic.labels.category(0)), std::string("old")); // the first row of "a"
        QCOMPARE(std::string(topic.labels.category(1)), std::string());
        const JoinedColumn& year = join.columns[2];
        QVERIFY(year.isNumber && !year.replaces);
        QCOMPARE(std::string(year.labels.category(0)), std::string("1999.5"));
        QCOMPARE(join.columns[3].filled, 1);
    }

    void anotherColumnCanHoldTheIds()
    {
        DocumentSet documents = sampleDocuments();
        documents.ids = {"1", "2", "9", "8"};
        QCOMPARE(joinLabels(documents, sampleTable()).idColumn, std::string("row"));
        const LabelJoin asked = joinLabels(documents, sampleTable(), "topic");
        QCOMPARE(asked.idColumn, std::string("topic"));
        QCOMPARE(asked.matched, 0);
        QCOMPARE(asked.rowsWithout.size() + static_cast<std::size_t>(asked.repeated), 5U);
        QCOMPARE(asked.documentsWithout.size(), 4U);
    }

    void everyRowAndDocumentIsCounted()
    {
        const LabelJoin join = joinLabels(sampleDocuments(), sampleTable());
        QCOMPARE(join.matched + std::ssize(join.documentsWithout), 4);
        QCOMPARE(join.matched + std::ssize(join.rowsWithout) + join.repeated, join.rows);
    }

    void joinedColumnsAppear()
    {
        const DocumentSet documents = sampleDocuments();
        const LabelJoin join = joinLabels(documents, sampleTable());
        const DocumentSet same = withJoined(documents, join, {});
        QCOMPARE(same.labels.size(), 1U);
        const DocumentSet joined = withJoined(documents, join, {"topic", "year"});
        QCOMPARE(joined.labels.size(), 2U); // one is replaced
        QCOMPARE(std::string(joined.label("topic")->category(2)), std::string("new"));
        const auto years = documentNumbers(joined, "year");
        QVERIFY(years && years->values[2] == 2001 && std::isnan(years->values[3]));
        QVERIFY(!documentNumbers(joined, "topic"));
        QCOMPARE(joined.ids, documents.ids);
    }

    void titlesAreNotProposed()
    {
        DocumentSet documents;
        LabelTable table{"x", {"id", "score", "title"}, {{}, {}, {}}};
        for (int i = 0; i < 100; ++i)
        {
            documents.ids.push_back("d" + std::to_string(i));
            table.values[0].push_back(documents.ids.back());
            table.values[1].push_back(std::to_string(i) + ".5");
            table.values[2].push_back("The title " + std::to_string(i));
        }
        const LabelJoin join = joinLabels(documents, table);
        QVERIFY(join.columns[0].proposed);
        QVERIFY(!join.columns[1].proposed); // a title of its own for each
        const DocumentSet joined = withJoined(documents, join, {"score", "title"});
        QCOMPARE(joined.labels.size(), 2U);
        QVERIFY(documentNumbers(joined, "score").has_value());
    }

    void emptyFiles()
    {
        const LabelJoin none = joinLabels(sampleDocuments(), {});
        QCOMPARE(none.rows, 0);
        QVERIFY(none.columns.empty());
        const LabelJoin headerOnly = joinLabels(sampleDocuments(), {"x", {"id", "topic"}, {{}, {}}});
        QCOMPARE(headerOnly.matched, 0);
        QCOMPARE(headerOnly.documentsWithout.size(), 4U);
        QVERIFY(!headerOnly.columns.front().proposed);
    }
};

HEADSCOPE_TEST_GUILESS(TestLabelJoin)
#include "tst_label_join.moc"
