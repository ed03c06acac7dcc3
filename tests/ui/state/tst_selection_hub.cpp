// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection_hub.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QSignalSpy>

using namespace headscope;
using headscope::ui::NamedSets;
using headscope::ui::SelectionHub;
using Documents = std::vector<std::int64_t>;

class TestSelectionHub : public QObject
{
    Q_OBJECT

private:
    static Documents drawn(const CounterRandom& random, std::uint64_t step)
    {
        Documents documents;
        for (std::uint64_t i = 0; i < 20; ++i)
            if (random.below(step * 20 + i, 3) == 0)
                documents.push_back(static_cast<std::int64_t>(i));
        return documents;
    }

private Q_SLOTS:
    /// However choices and sets were changed: undo goes back through every state, redo forward again.
    void undoGoesThroughEveryState()
    {
        const CounterRandom random(11);
        SelectionHub hub;
        std::vector<std::pair<Documents, NamedSets>> states{{hub.selection().documents, hub.sets()}};
        for (std::uint64_t step = 0; step < 60; ++step)
        {
            const Documents documents = drawn(random, step);
            switch (step % 4)
            {
            case 0:
                hub.setDocuments(documents);
                break;
            case 1:
                hub.pick(documents, static_cast<SetOperation>(random.below(5000 + step, 4)));
                break;
            case 2:
            {
                NamedSets sets = hub.sets();
                sets.keep({}, documents);
                hub.setSets(sets);
                break;
            }
            default:
            {
                NamedSets sets = hub.sets();
                sets.remove(0);
                hub.setSets(sets);
            }
            }
            const auto& [before, setsBefore] = states.back();
            if (!(hub.selection().documents == before) || !(hub.sets() == setsBefore))
                states.emplace_back(hub.selection().documents, hub.sets());
        }
        for (std::size_t i = states.size(); i-- > 0;)
        {
            QCOMPARE(hub.selection().documents, states[i].first);
            QVERIFY(hub.sets() == states[i].second);
            QCOMPARE(hub.canUndo(), i > 0);
            hub.undo();
        }
        for (const auto& [documents, sets] : states)
        {
            QCOMPARE(hub.selection().documents, documents);
            QVERIFY(hub.sets() == sets);
            hub.redo();
        }
        QVERIFY(!hub.canRedo());
    }

    /// Points join, leave and meet the choice; their documents are the choice of every other view.
    void pointsAreChosenByThemselves()
    {
        const Documents heads{0, 1, 2, 3};
        SelectionHub hub;
        QSignalSpy changed(&hub, &SelectionHub::documentsChanged);
        hub.pickPoints(PointSet({3, 5}, {1}), SetOperation::Replace, heads);
        QCOMPARE(hub.selection().documents, (Documents{3, 5}));
        QVERIFY(hub.selection().points != nullptr);
        QCOMPARE(hub.selection().points->count(), 2);
        QCOMPARE(changed.count(), 1);
        // Another head of the same document changes no document, but the choice.
        hub.pickPoints(PointSet({3}, {2}), SetOperation::Add, heads);
        QCOMPARE(hub.selection().documents, (Documents{3, 5}));
        QCOMPARE(hub.selection().points->count(), 3);
        QCOMPARE(changed.count(), 2);
        hub.pickPoints(PointSet({3}, {2}), SetOperation::Add, heads); // no change, no step
        QCOMPARE(changed.count(), 2);
        // The last point of a document takes it along.
        hub.pickPoints(PointSet({5}, {1}), SetOperation::Remove, heads);
        QCOMPARE(hub.selection().documents, Documents{3});
        hub.undo();
        hub.undo();
        QCOMPARE(hub.selection().points->count(), 2);
        hub.redo();
        QVERIFY(hub.selection().points->contains(DocumentIndex(3), HeadIndex(2)));
        hub.undo();
        hub.undo();
        QVERIFY(hub.selection().documents.empty() && hub.selection().points == nullptr);
        QVERIFY(!hub.canUndo());
    }

    /// A choice of documents is one of all their points to who takes some away, and the other way round.
    void pointsAndDocumentsMeet()
    {
        const Documents heads{0, 1, 2};
        SelectionHub hub;
        hub.setDocuments({1, 2});
        hub.pickPoints(PointSet({1}, {0}), SetOperation::Remove, heads);
        QCOMPARE(hub.selection().documents, (Documents{1, 2}));
        QCOMPARE(hub.selection().points->count(), 5);
        QVERIFY(!hub.selection().points->contains(DocumentIndex(1), HeadIndex(0)));
        hub.pick({2, 7}, SetOperation::Add); // what was there stays as it was, what is new is whole
        QCOMPARE(hub.selection().documents, (Documents{1, 2, 7}));
        QCOMPARE(hub.selection().points->count(), 8);
        hub.pick({2}, SetOperation::Remove);
        QCOMPARE(hub.selection().points->count(), 5);
        hub.pick({1}, SetOperation::Intersect);
        QCOMPARE(hub.selection().points->count(), 2);
        // Named sets change nothing about it, whole documents end it.
        NamedSets sets = hub.sets();
        sets.keep(QStringLiteral("x"), hub.selection().documents);
        hub.setSets(sets);
        QVERIFY(hub.selection().points != nullptr);
        hub.pick({1}, SetOperation::Replace);
        QVERIFY(hub.selection().points == nullptr);
        hub.undo();
        QCOMPARE(hub.selection().points->count(), 2);
        hub.pickPoints(PointSet({9}, {0}), SetOperation::Intersect, heads);
        QVERIFY(hub.selection().documents.empty() && hub.selection().points == nullptr);
        hub.undo();
        hub.clear();
        QVERIFY(hub.selection().points == nullptr);
    }

    void clicksAndGesturesAreTold()
    {
        SelectionHub hub;
        QSignalSpy asked(&hub, &SelectionHub::documentAsked);
        QSignalSpy picked(&hub, &SelectionHub::pickedInView);
        hub.setPrimary(DocumentIndex(3), HeadIndex(0));
        hub.pick({3}, SetOperation::Replace);
        QCOMPARE(asked.count() + picked.count(), 0);
        hub.showDocument(DocumentIndex(3), HeadIndex(0)); // the one it was: it is wanted all the same
        QCOMPARE(asked.count(), 1);
        hub.pickInView({3}, SetOperation::Replace);
        hub.pickPointsInView(PointSet({3}, {0}), SetOperation::Replace, {0});
        QCOMPARE(picked.count(), 2);
    }

    void signalsSayWhatChanged()
    {
        SelectionHub hub;
        QSignalSpy documents(&hub, &SelectionHub::documentsChanged);
        QSignalSpy sets(&hub, &SelectionHub::setsChanged);
        hub.setDocuments({2, 1, 2});
        QCOMPARE(documents.count(), 1);
        QCOMPARE(sets.count(), 0);
        NamedSets kept = hub.sets();
        kept.keep(QStringLiteral("x"), hub.selection().documents);
        hub.setSets(kept);
        QCOMPARE(sets.count(), 1);
        hub.setSets(kept); // no change, no step
        QCOMPARE(sets.count(), 1);
        hub.undo();
        QCOMPARE(sets.count(), 2);
        QCOMPARE(hub.selection().documents, (Documents{1, 2}));
        QSignalSpy query(&hub, &SelectionHub::queryChanged);
        hub.setQuery(*ui::TextQuery::parse(QStringLiteral("a"), ui::TextQuery::Kind::Words));
        hub.setQuery(*ui::TextQuery::parse(QStringLiteral("a"), ui::TextQuery::Kind::Words));
        QCOMPARE(query.count(), 1);
    }

    void litHeadsBelongToTheirDocument()
    {
        SelectionHub hub;
        hub.setPrimary(DocumentIndex(3), HeadIndex(0));
        hub.setLitHeads({1, 2});
        hub.setPrimary(DocumentIndex(3), HeadIndex(1)); // another head of the same
        QCOMPARE(hub.litHeads(), (std::vector<std::int64_t>{1, 2}));
        hub.setPrimary(DocumentIndex(4), HeadIndex(1));
        QVERIFY(hub.litHeads().empty());
        hub.setPrimary({});
        hub.setLitHeads({0}); // of no document: a view's own
        hub.setPrimary({});   // Escape
        QVERIFY(hub.litHeads().empty());
    }

    /// What is shown alone is a step of undo like the choice.
    void shownDocumentsAreUndone()
    {
        SelectionHub hub;
        QSignalSpy shown(&hub, &SelectionHub::shownChanged);
        hub.showOnly({QStringLiteral("none"), {}}); // nothing to show is no wish
        QVERIFY(hub.shownOnly() == nullptr && !hub.canUndo());
        hub.setDocuments({3});
        hub.showOnly({QStringLiteral("a"), {1, 2}});
        hub.showOnly({QStringLiteral("a"), {1, 2}});
        QCOMPARE(shown.count(), 1);
        QCOMPARE(hub.shownDocuments(), (Documents{1, 2}));
        QCOMPARE(hub.selection().documents, (Documents{3})); // the choice stays what it is
        hub.showOnly({{}, {4}});
        hub.showAll();
        QVERIFY(hub.shownDocuments().empty());
        hub.undo();
        QCOMPARE(hub.shownDocuments(), (Documents{4}));
        hub.undo();
        QCOMPARE(hub.shownOnly()->name, QStringLiteral("a"));
        hub.undo();
        QVERIFY(hub.shownOnly() == nullptr);
        hub.redo();
        QCOMPARE(hub.shownDocuments(), (Documents{1, 2}));
        hub.clear();
        QVERIFY(hub.shownOnly() == nullptr && !hub.canUndo());
    }

    void anotherCacheForgetsTheWayBack()
    {
        SelectionHub hub;
        hub.setDocuments({1});
        NamedSets sets;
        sets.keep(QStringLiteral("x"), {1});
        hub.setSets(sets);
        hub.clear();
        QVERIFY(hub.selection().documents.empty() && !hub.canUndo());
        hub.restoreSets({});
        QVERIFY(hub.sets().isEmpty() && !hub.canUndo());
    }
};

HEADSCOPE_TEST_GUILESS(TestSelectionHub)
#include "tst_selection_hub.moc"
