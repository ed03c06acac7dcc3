// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_set.h"

#include "model/data/documents/label_builder.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestDocumentSet : public QObject
{
    Q_OBJECT

    LabelColumn m_topic = makeLabelColumn("topic", std::vector<std::string>{"law", "art", "", "law", "zoo"});

private Q_SLOTS:
    void columnsAreCodedInSortedOrder()
    {
        QCOMPARE(m_topic.categories, (std::vector<std::string>{"art", "law", "zoo"}));
        QCOMPARE(m_topic.codes, (std::vector<std::int32_t>{1, 0, -1, 1, 2}));
        QCOMPARE(m_topic.category(3), std::string_view("law"));
        QCOMPARE(m_topic.category(2), std::string_view());
    }

    /// Numbers in labels count by their value, by both ways to make a column.
    void categoriesAreInNaturalOrder()
    {
        const std::vector<std::string> values = {"topic 10", "topic 2", "", "10", "9", "topic 2"};
        const std::vector<std::string> ordered = {"9", "10", "topic 2", "topic 10"};
        const LabelColumn made = makeLabelColumn("topic", values);
        QCOMPARE(made.categories, ordered);
        QCOMPARE(made.codes, (std::vector<std::int32_t>{3, 2, -1, 1, 0, 2}));
        LabelColumnBuilder builder;
        for (const std::string& value : values)
            builder.add(value);
        QCOMPARE(builder.column("topic", 0, values.size()).categories, made.categories);
        QCOMPARE(builder.column("topic", 0, values.size()).codes, made.codes);
    }

    /// Of all documents the same column; of some of them the categories of all.
    void columnsAreBuiltDocumentByDocument()
    {
        LabelColumnBuilder builder;
        for (const char* value : {"law", "art", "", "law", "zoo"})
            builder.add(value);
        const LabelColumn all = builder.column("topic", 0, 5);
        QCOMPARE(all.name, m_topic.name);
        QCOMPARE(all.categories, m_topic.categories);
        QCOMPARE(all.codes, m_topic.codes);
        const LabelColumn some = builder.column("topic", 1, 3);
        QCOMPARE(some.categories, m_topic.categories);
        QCOMPARE(some.codes, (std::vector<std::int32_t>{0, -1}));
    }

    void countsAndFrequency()
    {
        QCOMPARE(m_topic.counts(), (std::vector<std::int64_t>{1, 2, 1}));
        QCOMPARE(m_topic.byFrequency(), (std::vector<std::int32_t>{1, 0, 2}));
    }

    void columnsAreFoundByName()
    {
        DocumentSet documents;
        documents.ids = {"a", "b", "c", "d", "e"};
        documents.labels.push_back(m_topic);
        QCOMPARE(documents.count(), 5);
        QVERIFY(documents.label("topic") != nullptr);
        QVERIFY(documents.label("language") == nullptr);
    }

    void flagsAreBits()
    {
        const std::uint8_t flags = 1 | 4;
        QVERIFY(hasFlag(flags, DocumentFlag::Empty));
        QVERIFY(!hasFlag(flags, DocumentFlag::Truncated));
        QVERIFY(hasFlag(flags, DocumentFlag::Repaired));
    }
};

HEADSCOPE_TEST_GUILESS(TestDocumentSet)
#include "tst_document_set.moc"
