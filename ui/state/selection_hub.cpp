// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/selection_hub.h"

#include "ui/state/origin_guard.h"
#include "ui/state/value_change.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

namespace
{

/// Those of the documents that the open cache has, sorted and freed of repeats.
std::vector<std::int64_t> thoseThere(std::vector<std::int64_t> documents)
{
    std::erase_if(documents,
                  [](std::int64_t document) { return !OriginGuard::instance().hasDocument(DocumentIndex(document)); });
    std::sort(documents.begin(), documents.end());
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    return documents;
}

} // namespace

SelectionHub::SelectionHub(QObject* parent) : QObject(parent)
{
    m_history.setUndoLimit(kUndoDepth);
}

void SelectionHub::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    if (document && !OriginGuard::instance().hasDocument(*document))
        document.reset();
    if (!document)
        head.reset();
    // The heads were those that found the document before.
    if (!document || m_selection.primary != document)
        setLitHeads({});
    if (m_selection.primary == document && m_selection.primaryHead == head)
        return;
    m_selection.primary = document;
    m_selection.primaryHead = head;
    Q_EMIT primaryChanged();
}

void SelectionHub::showDocument(DocumentIndex document, std::optional<HeadIndex> head)
{
    setPrimary(document, head);
    Q_EMIT documentAsked();
}

void SelectionHub::setHovered(std::optional<DocumentIndex> document)
{
    if (document && !OriginGuard::instance().hasDocument(*document))
        document.reset();
    if (m_selection.hovered == document)
        return;
    m_selection.hovered = document;
    Q_EMIT hoveredChanged();
}

void SelectionHub::setDocuments(std::vector<std::int64_t> documents)
{
    choose(std::move(documents), nullptr, m_sets);
}

void SelectionHub::setSets(NamedSets sets)
{
    if (!(sets == *m_sets))
        choose(m_selection.documents, m_selection.points, std::make_shared<const NamedSets>(std::move(sets)));
}

void SelectionHub::choose(std::vector<std::int64_t> documents, std::shared_ptr<const PointSet> points,
                          std::shared_ptr<const NamedSets> sets)
{
    documents = thoseThere(std::move(documents));
    if (points != nullptr && points->documents() != documents)
        points = std::make_shared<const PointSet>(points->within(documents));
    if (documents == m_selection.documents && samePoints(points, m_selection.points) && sets == m_sets)
        return;
    changeTo({std::move(documents), std::move(points), std::move(sets), m_shown});
}

std::vector<std::int64_t> SelectionHub::shownDocuments() const
{
    return m_shown == nullptr ? std::vector<std::int64_t>() : m_shown->documents;
}

void SelectionHub::showOnly(ShownDocuments shown)
{
    shown.documents = thoseThere(std::move(shown.documents));
    if (shown.documents.empty() || (m_shown != nullptr && *m_shown == shown))
        return;
    changeTo(
        {m_selection.documents, m_selection.points, m_sets, std::make_shared<const ShownDocuments>(std::move(shown))});
}

void SelectionHub::showAll()
{
    if (m_shown == nullptr)
        return;
    changeTo({m_selection.documents, m_selection.points, m_sets, nullptr});
}

void SelectionHub::restoreSets(NamedSets sets)
{
    m_history.clear();
    m_sets = std::make_shared<const NamedSets>(std::move(sets));
    Q_EMIT setsChanged();
}

void SelectionHub::setQuery(TextQuery query)
{
    if (query == m_query)
        return;
    m_query = std::move(query);
    Q_EMIT queryChanged();
}

void SelectionHub::pick(const std::vector<std::int64_t>& documents, SetOperation operation)
{
    auto combined = combineSets(m_selection.documents, documents, operation);
    if (operation == SetOperation::Replace || m_selection.points == nullptr || combined.empty())
        return choose(std::move(combined), nullptr, m_sets);
    if (operation == SetOperation::Add)
    {
        // What was chosen by single points stays so; only what is new comes as a whole.
        const auto joined = combineSets(documents, m_selection.documents, SetOperation::Remove);
        return pickPoints(PointSet(joined, m_pointHeads), SetOperation::Add, m_pointHeads);
    }
    auto left = std::make_shared<const PointSet>(m_selection.points->within(combined));
    choose(std::move(combined), std::move(left), m_sets);
}

void SelectionHub::pickInView(const std::vector<std::int64_t>& documents, SetOperation operation)
{
    pick(documents, operation);
    Q_EMIT pickedInView();
}

void SelectionHub::pickPoints(const PointSet& points, SetOperation operation, const std::vector<std::int64_t>& heads)
{
    m_pointHeads = heads;
    PointSet combined;
    if (operation == SetOperation::Replace)
        combined = points;
    else if (m_selection.points != nullptr)
        combined = combinePoints(*m_selection.points, points, operation);
    else
        combined = combinePoints(PointSet(m_selection.documents, heads), points, operation);
    std::vector<std::int64_t> documents = combined.documents();
    choose(std::move(documents), combined.isEmpty() ? nullptr : std::make_shared<const PointSet>(std::move(combined)),
           m_sets);
}

void SelectionHub::pickPointsInView(const PointSet& points, SetOperation operation,
                                    const std::vector<std::int64_t>& heads)
{
    pickPoints(points, operation, heads);
    Q_EMIT pickedInView();
}

SelectionHub::State SelectionHub::state() const
{
    return {m_selection.documents, m_selection.points, m_sets, m_shown};
}

void SelectionHub::put(const State& state)
{
    m_selection.documents = state.documents;
    m_selection.points = state.points;
    m_sets = state.sets;
    m_shown = state.shown;
}

void SelectionHub::changeTo(State state)
{
    const State before = this->state();
    m_history.push(new ValueChange<State>(before, std::move(state), [this](const State& value) { put(value); }));
    tellChanges(before);
    const QString name = before.sets != m_sets     ? tr("named sets")
                         : before.shown != m_shown ? tr("shown documents")
                                                   : tr("selection of documents");
    Q_EMIT stepMade(name, before, this->state());
}

void SelectionHub::putBack(const SelectionState& state)
{
    changeTo(state);
}

void SelectionHub::undo()
{
    const State before = state();
    m_history.undo();
    tellChanges(before);
}

void SelectionHub::redo()
{
    const State before = state();
    m_history.redo();
    tellChanges(before);
}

void SelectionHub::tellChanges(const State& before)
{
    const bool otherChoice =
        before.documents != m_selection.documents || !samePoints(before.points, m_selection.points);
    const bool otherSets = before.sets != m_sets;
    const bool otherShown = before.shown != m_shown;
    if (otherSets)
        Q_EMIT setsChanged();
    if (otherShown)
        Q_EMIT shownChanged();
    // Undo and redo have changed even where the documents have not.
    if (otherChoice || otherSets || otherShown)
        Q_EMIT documentsChanged();
}

void SelectionHub::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hoveredHead == head)
        return;
    m_hoveredHead = head;
    Q_EMIT hoveredHeadChanged();
}

void SelectionHub::setLitHeads(std::vector<std::int64_t> heads)
{
    if (m_litHeads == heads)
        return;
    m_litHeads = std::move(heads);
    Q_EMIT litHeadsChanged();
}

void SelectionHub::clearStep()
{
    // The small thing first: a second Escape takes the rest.
    if (m_selection.primary)
        setPrimary({});
    else if (m_litHeads.empty())
        setDocuments({});
    setLitHeads({});
}

void SelectionHub::clear()
{
    setHovered({});
    setHoveredHead({});
    setLitHeads({});
    setPrimary({});
    const bool any = !m_selection.documents.empty();
    m_selection.documents.clear();
    m_selection.points.reset();
    m_history.clear();
    if (std::exchange(m_shown, nullptr) != nullptr)
        Q_EMIT shownChanged();
    if (any)
        Q_EMIT documentsChanged();
}

SetOperation pickOperation(Qt::KeyboardModifiers keys)
{
    if (keys.testFlag(Qt::ShiftModifier))
        return SetOperation::Add;
    if (keys.testFlag(Qt::ControlModifier))
        return SetOperation::Remove;
    return keys.testFlag(Qt::AltModifier) ? SetOperation::Intersect : SetOperation::Replace;
}

} // namespace headscope::ui
