// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_numbers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

class TestDocumentNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsLabels_data()
    {
        QTest::addColumn<QStringList>("labels");
        QTest::addColumn<bool>("numbers");
        QTest::newRow("years") << QStringList{QStringLiteral("1987"), QStringLiteral("2004")} << true;
        QTest::newRow("signs and exponents")
            << QStringList{QStringLiteral("-0.5"), QStringLiteral("+1e3"), QStringLiteral(" 7 ")} << true;
        QTest::newRow("not a number is none") << QStringList{QStringLiteral("1"), QStringLiteral("nan")} << true;
        QTest::newRow("a word") << QStringList{QStringLiteral("1"), QStringLiteral("two")} << false;
        QTest::newRow("a unit") << QStringList{QStringLiteral("12 kB")} << false;
        QTest::newRow("infinite") << QStringList{QStringLiteral("inf")} << false;
        QTest::newRow("nothing") << QStringList{} << false;
    }
    void readsLabels()
    {
        QFETCH(QStringList, labels);
        QFETCH(bool, numbers);
        LabelColumn column{"column", {-1}, {}};
        for (const QString& label : labels)
        {
            column.codes.push_back(static_cast<std::int32_t>(column.categories.size()));
            column.categories.push_back(label.toStdString());
        }
        const auto values = labelNumbers(column);
        QCOMPARE(values.has_value(), numbers);
        if (!numbers)
            return;
        QCOMPARE(values->size(), column.codes.size());
        QVERIFY(std::isnan(values->front()));
        for (qsizetype i = 0; i < labels.size(); ++i)
        {
            const float expected = labels[i].trimmed().toFloat();
            const float found = (*values)[static_cast<std::size_t>(i) + 1];
            QVERIFY(found == expected || (std::isnan(found) && labels[i] == QLatin1String("nan")));
        }
    }

    void listsWhatDocumentsHave()
    {
        DocumentSet documents;
        documents.ids = {"a", "b"};
        QVERIFY(documentNumberNames(documents).empty());
        documents.tokens = {3, 9};
        documents.texts = {"d\xC3\xA9j\xC3\xA0", ""};
        documents.labels.push_back({"topic", {0, 0}, {"Music"}});
        documents.labels.push_back({"year", {0, -1}, {"1999"}});
        QCOMPARE(documentNumberNames(documents), (std::vector<std::string>{"tokens", "characters", "year"}));
        QCOMPARE(documentNumbers(documents, "tokens")->values, (std::vector<float>{3, 9}));
        QCOMPARE(documentNumbers(documents, "characters")->values, (std::vector<float>{4, 0}));
        const auto years = documentNumbers(documents, "year");
        QCOMPARE(years->values.front(), 1999.0F);
        QVERIFY(std::isnan(years->values.back()));
        QVERIFY(!documentNumbers(documents, "topic"));
        QVERIFY(!documentNumbers(documents, "nowhere"));
    }

    /// A label column of the same name is what the user means.
    void aLabelOfThatNameWins()
    {
        DocumentSet documents;
        documents.ids = {"a"};
        documents.tokens = {3};
        documents.labels.push_back({"tokens", {0}, {"77"}});
        QCOMPARE(documentNumberNames(documents), (std::vector<std::string>{"tokens"}));
        QCOMPARE(documentNumbers(documents, "tokens")->values, (std::vector<float>{77}));
    }
};

HEADSCOPE_TEST_GUILESS(TestDocumentNumbers)
#include "tst_document_numbers.moc"
