// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/point_set.h"
#include "model/data/selection.h"
#include "ui/models/named_sets.h"
#include "ui/words/text_query.h"

#include <QObject>
#include <QUndoStack>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The documents to which all views are restricted.
struct ShownDocuments
{
    QString name;                        ///< of the set they are; empty: they were the choice
    std::vector<std::int64_t> documents; ///< ascending, without repeats, at least one

    bool operator==(const ShownDocuments&) const = default;
};

/// Everything of a SelectionHub that undo restores.
struct SelectionState
{
    std::vector<std::int64_t> documents;
    std::shared_ptr<const PointSet> points; ///< null: whole documents
    std::shared_ptr<const NamedSets> sets;
    std::shared_ptr<const ShownDocuments> shown;
};

/// The one Selection of the window. Views read it, change it through these members, and follow its
/// signals: a document hovered in one view is highlighted in all.
/// @threads GUI thread
class SelectionHub : public QObject
{
    Q_OBJECT

public:
    explicit SelectionHub(QObject* parent = nullptr);

    [[nodiscard]] const Selection& selection() const { return m_selection; }

    /// The document the inspector shows, and the head that was clicked with it.
    void setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head = {});
    /// The same for a click in a view: emits documentAsked, so that the page of the document comes to the front.
    void showDocument(DocumentIndex document, std::optional<HeadIndex> head = {});
    /// The document under the pointer.
    void setHovered(std::optional<DocumentIndex> document);
    /// The chosen set, whole documents; sorted here, without repeats. Can be undone.
    void setDocuments(std::vector<std::int64_t> documents);
    /// Documents that the user picked are added to the chosen ones, removed from them, intersect or replace them.
    /// Where single points are chosen, those of the documents that stay are kept, and documents that join come with
    /// all their points.
    void pick(const std::vector<std::int64_t>& documents, SetOperation operation);
    /// The same by a gesture or key in a view: also emits pickedInView, so that the page of the choice may come to
    /// the front.
    void pickInView(const std::vector<std::int64_t>& documents, SetOperation operation);
    /// Points picked individually are added to the choice, removed, intersect or replace it; the choice then consists
    /// of points.
    /// @param heads  the heads of which a document chosen as a whole has points, in the view where the points were
    ///               picked
    void pickPoints(const PointSet& points, SetOperation operation, const std::vector<std::int64_t>& heads);
    void pickPointsInView(const PointSet& points, SetOperation operation, const std::vector<std::int64_t>& heads);
    /// Named sets of documents; changes can be undone like those of the choice.
    [[nodiscard]] const NamedSets& sets() const { return *m_sets; }
    void setSets(NamedSets sets);
    /// Replaces the sets of another cache; cannot be undone.
    void restoreSets(NamedSets sets);

    /// What every view shows; null: all documents.
    [[nodiscard]] std::shared_ptr<const ShownDocuments> shownOnly() const { return m_shown; }
    /// The same as views take it: empty is all.
    [[nodiscard]] std::vector<std::int64_t> shownDocuments() const;
    /// Every view shows these alone, until showAll(); a step of undo. No documents: nothing happens.
    void showOnly(ShownDocuments shown);
    void showAll();

    /// The text query, whose hits the views mark.
    [[nodiscard]] const TextQuery& query() const { return m_query; }
    void setQuery(TextQuery query);

    /// Restores the previous or next choice, named sets and shown documents, up to kUndoDepth steps; does nothing at
    /// the end.
    void undo();
    void redo();
    /// An earlier state (stepMade) is there again, as a step of its own.
    void putBack(const SelectionState& state);
    [[nodiscard]] bool canUndo() const { return m_history.canUndo(); }
    [[nodiscard]] bool canRedo() const { return m_history.canRedo(); }
    /// The head under the pointer, 0-based.
    void setHoveredHead(std::optional<HeadIndex> head);
    [[nodiscard]] std::optional<HeadIndex> hoveredHead() const { return m_hoveredHead; }
    /// Marked heads, which the other views highlight (for example those that found a document), ascending; empty:
    /// none. Reset when another document, or none, becomes the primary one.
    void setLitHeads(std::vector<std::int64_t> heads);
    [[nodiscard]] const std::vector<std::int64_t>& litHeads() const { return m_litHeads; }
    /// What Escape does: clears the primary document, then the marked heads, then the choice.
    void clearStep();
    /// Nothing chosen and nothing to undo: a new cache was opened. Its named sets come by restoreSets.
    void clear();

    static constexpr int kUndoDepth = 100;

Q_SIGNALS:
    void primaryChanged();
    void hoveredChanged();
    /// A document was clicked; it is the primary one, and may have been before.
    void documentAsked();
    /// A gesture has set the choice, perhaps to the same as before.
    void pickedInView();
    /// The choice changed: its documents, or which of their points.
    void documentsChanged();
    /// Other documents are shown: some alone, or all again.
    void shownChanged();
    void hoveredHeadChanged();
    void litHeadsChanged();
    void setsChanged();
    void queryChanged();
    /// Another choice, other sets or other documents shown, as a step that can be undone; `name` says which.
    void stepMade(const QString& name, const headscope::ui::SelectionState& before,
                  const headscope::ui::SelectionState& after);

private:
    using State = SelectionState;
    /// A choice as a new step, unless it is the one there is.
    void choose(std::vector<std::int64_t> documents, std::shared_ptr<const PointSet> points,
                std::shared_ptr<const NamedSets> sets);
    [[nodiscard]] State state() const;
    void put(const State& state);
    /// Another state, as a step of undo.
    void changeTo(State state);
    void tellChanges(const State& before);

    Selection m_selection;
    std::optional<HeadIndex> m_hoveredHead;
    std::vector<std::int64_t> m_litHeads;
    std::vector<std::int64_t> m_pointHeads; ///< of a whole document among chosen points
    std::shared_ptr<const NamedSets> m_sets = std::make_shared<const NamedSets>();
    std::shared_ptr<const ShownDocuments> m_shown;
    TextQuery m_query;
    QUndoStack m_history;
};

/// What a click or a drag does to the choice: Shift adds, Ctrl removes, Alt intersects, none of them replaces.
[[nodiscard]] SetOperation pickOperation(Qt::KeyboardModifiers keys);

} // namespace headscope::ui
