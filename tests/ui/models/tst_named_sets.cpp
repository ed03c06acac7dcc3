// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/named_sets.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonDocument>

#include <set>

using namespace headscope;
using headscope::ui::NamedSets;
using Documents = std::vector<std::int64_t>;

class TestNamedSets : public QObject
{
    Q_OBJECT

private:
    static DocumentSet someDocuments(std::int64_t count)
    {
        DocumentSet documents;
        for (std::int64_t i = 0; i < count; ++i)
            documents.ids.push_back("doc-" + std::to_string(i));
        return documents;
    }

    static NamedSets someSets()
    {
        NamedSets sets;
        sets.keep(QStringLiteral("sleep"), {3, 1, 3});
        sets.keep({}, {1, 5});
        sets.keep(QStringLiteral("a + b"), {7}, QColor(Qt::red));
        return sets;
    }

private Q_SLOTS:
    void keptUnderNames()
    {
        NamedSets sets = someSets();
        QCOMPARE(sets.count(), 3);
        QCOMPARE(sets.at(0).documents, (Documents{1, 3}));
        QCOMPARE(sets.at(1).name, QStringLiteral("Set 1"));
        QCOMPARE(sets.freeName(), QStringLiteral("Set 2"));
        QVERIFY(sets.at(0).color != sets.at(1).color);
        // The same name again replaces, and keeps the colour.
        const QColor color = sets.at(0).color;
        QCOMPARE(sets.keep(QStringLiteral(" sleep "), {9}), 0);
        QCOMPARE(sets.at(0).documents, (Documents{9}));
        QCOMPARE(sets.at(0).color, color);
        QVERIFY(!sets.rename(0, QStringLiteral("Set 1")));
        QVERIFY(!sets.rename(0, QStringLiteral("  ")));
        QVERIFY(sets.rename(0, QStringLiteral("night")));
        QVERIFY(sets.rename(0, QStringLiteral("night")));
        sets.recolor(0, QColor(Qt::blue));
        QCOMPARE(sets.at(0).color, QColor(Qt::blue));
        sets.remove(0);
        QVERIFY(!sets.find(QStringLiteral("night")));
    }

    void coloursAreSpread()
    {
        NamedSets sets;
        std::set<QRgb> colors;
        for (std::size_t i = 0; i < ui::setColors().size(); ++i)
        {
            sets.keep({}, {static_cast<std::int64_t>(i)});
            colors.insert(sets.at(sets.count() - 1).color.rgb());
            QVERIFY(!ui::setColorName(sets.at(sets.count() - 1).color).startsWith(u'#'));
        }
        QCOMPARE(colors.size(), ui::setColors().size());
    }

    /// Each document has the label of exactly the sets that hold it.
    void asAColumnOfLabels()
    {
        const CounterRandom random(3);
        NamedSets sets;
        for (std::uint64_t set = 0; set < 3; ++set)
        {
            Documents documents;
            for (std::uint64_t i = 0; i < 50; ++i)
                if (random.below(set * 50 + i, 3) == 0)
                    documents.push_back(static_cast<std::int64_t>(i));
            documents.push_back(999); // of another cache: ignored
            sets.keep({}, documents);
        }
        const LabelColumn column = sets.asColumn(50);
        QCOMPARE(column.codes.size(), 50U);
        for (std::size_t document = 0; document < 50; ++document)
        {
            QStringList names;
            for (const ui::NamedSet& set : sets.all())
                if (std::ranges::find(set.documents, static_cast<std::int64_t>(document)) != set.documents.end())
                    names << set.name;
            QCOMPARE(QString::fromStdString(std::string(column.category(document))), names.join(QStringLiteral(" + ")));
        }
        QCOMPARE(sets.categoryColor(QStringLiteral("Set 2")), sets.at(1).color);
        const QColor mixed = sets.categoryColor(QStringLiteral("Set 1 + Set 2"));
        QCOMPARE(mixed.red(), (sets.at(0).color.red() + sets.at(1).color.red()) / 2);
        QVERIFY(NamedSets().asColumn(0).codes.empty());
    }

    void manyMixturesAreOne()
    {
        NamedSets sets;
        for (int set = 0; set < 12; ++set)
        {
            Documents documents;
            for (std::int64_t document = 0; document < 4096; ++document)
                if ((document >> set & 1) != 0)
                    documents.push_back(document);
            sets.keep({}, documents);
        }
        const LabelColumn column = sets.asColumn(4096);
        QVERIFY(column.categories.size() <= 12 + 25);
        QCOMPARE(std::ranges::count(column.codes, -1), 1);
    }

    void jsonRoundTrip()
    {
        const NamedSets sets = someSets();
        const DocumentSet documents = someDocuments(10);
        const QByteArray text = QJsonDocument(sets.toJson(documents)).toJson();
        const auto read = NamedSets::fromJson(QJsonDocument::fromJson(text).object(), documents);
        QCOMPARE(read.unknownIds, 0);
        QVERIFY(read.sets == sets);
        // In another cache the documents are found by their ids.
        DocumentSet other = someDocuments(4);
        std::swap(other.ids[0], other.ids[3]);
        const auto moved = NamedSets::fromJson(QJsonDocument::fromJson(text).object(), other);
        QCOMPARE(moved.sets.at(0).documents, (Documents{0, 1}));
        QCOMPARE(moved.unknownIds, 2);
        // What is no set is left out.
        const auto wrong =
            QJsonDocument::fromJson("{\"sets\": [{\"name\": \"\"}, 7, {\"name\": \"x\", \"ids\": [1]}]}");
        const auto some = NamedSets::fromJson(wrong.object(), documents);
        QCOMPARE(some.sets.count(), 1);
        QVERIFY(some.sets.at(0).documents.empty());
        QVERIFY(NamedSets::fromJson({}, documents).sets.isEmpty());
    }
};

HEADSCOPE_TEST_GUILESS(TestNamedSets)
#include "tst_named_sets.moc"
