// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/drawn_documents.h"

#include "tests/support/test_program.h"

#include <algorithm>
#include <set>

using namespace headscope;
using Rows = std::vector<std::int64_t>;

/// The documents that a model is run on.
class TestDrawnDocuments : public QObject
{
    Q_OBJECT

private:
    DocumentSet m_documents;

private Q_SLOTS:
    void initTestCase()
    {
        m_documents.flags.assign(20, 0);
        for (int i = 0; i < 20; ++i)
        {
            m_documents.ids.push_back(std::to_string(i));
            m_documents.texts.emplace_back(i == 5 ? "" : "text");
        }
        m_documents.flags[7] = static_cast<std::uint8_t>(DocumentFlag::Empty);
    }

    void theSeedDraws()
    {
        const Rows all = drawnDocuments(m_documents, {}, 100, 1);
        QCOMPARE(all.size(), std::size_t{18}); // without the empty ones
        QVERIFY(!std::ranges::binary_search(all, 5) && !std::ranges::binary_search(all, 7));
        const Rows some = drawnDocuments(m_documents, {}, 6, 1);
        QCOMPARE(some.size(), std::size_t{6});
        QVERIFY(std::ranges::is_sorted(some));
        QCOMPARE(std::set<std::int64_t>(some.begin(), some.end()).size(), std::size_t{6});
        QCOMPARE(drawnDocuments(m_documents, {}, 6, 1), some);
        QVERIFY(drawnDocuments(m_documents, {}, 6, 2) != some);
        QVERIFY(drawnDocuments(m_documents, {}, 0, 1).empty());
    }

    void onlyCandidatesAreDrawn()
    {
        const Rows shown = {2, 3, 5, 9};
        QCOMPARE(drawnDocuments(m_documents, shown, 100, 1), (Rows{2, 3, 9}));
    }

    void everyDocumentHasItsTurn()
    {
        std::set<std::int64_t> drawn;
        for (std::uint64_t seed = 0; seed < 60; ++seed)
            for (const std::int64_t row : drawnDocuments(m_documents, {}, 3, seed))
                drawn.insert(row);
        QCOMPARE(drawn.size(), std::size_t{18});
    }

    void withoutTextsThereIsNone()
    {
        DocumentSet documents = m_documents;
        documents.texts.clear();
        QVERIFY(drawnDocuments(documents, {}, 6, 1).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestDrawnDocuments)
#include "tst_drawn_documents.moc"
