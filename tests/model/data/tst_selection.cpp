// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/selection.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsItsDocuments()
    {
        Selection selection;
        QVERIFY(!selection.contains(DocumentIndex(0)));
        selection.documents = {2, 5, 9};
        QVERIFY(selection.contains(DocumentIndex(5)));
        QVERIFY(!selection.contains(DocumentIndex(6)));
        Selection other = selection;
        QVERIFY(other == selection);
        other.hovered = DocumentIndex(3);
        QVERIFY(!(other == selection));
    }

    /// Against the definition, for every pair of subsets of four documents.
    void setsCombine()
    {
        const auto members = [](unsigned bits) {
            std::vector<std::int64_t> set;
            for (std::int64_t document = 0; document < 4; ++document)
                if ((bits >> document & 1U) != 0)
                    set.push_back(document);
            return set;
        };
        for (unsigned a = 0; a < 16; ++a)
        {
            for (unsigned b = 0; b < 16; ++b)
            {
                QCOMPARE(combineSets(members(a), members(b), SetOperation::Replace), members(b));
                QCOMPARE(combineSets(members(a), members(b), SetOperation::Add), members(a | b));
                QCOMPARE(combineSets(members(a), members(b), SetOperation::Remove), members(a & ~b));
                QCOMPARE(combineSets(members(a), members(b), SetOperation::Intersect), members(a & b));
            }
            QCOMPARE(complementOf(members(a), 4), members(~a & 15U));
        }
        QVERIFY(complementOf({}, 0).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestSelection)
#include "tst_selection.moc"
