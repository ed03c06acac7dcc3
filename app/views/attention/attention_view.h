// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"
#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/attention/token_lines.h"
#include "viz/export/attention/attention_figures.h"

#include <optional>
#include <set>
#include <vector>

class QSplitter;

namespace headscope::ui
{

class AttentionBar;
class AttentionTextRow;
class CellColumn;
class HeadGridPicture;
template <class P>
class PannedOf;
class HeadPanes;
class ViewPages;

inline constexpr ViewId kAttentionView("attention");

/// The attention tab: one text through one model in three depths. All heads as small pictures, the chosen head as
/// lines between tokens and as a table, one cell of it in numbers.
///
/// It asks for what the run does not hold (weightsWanted, vectorsWanted) when it is to be shown, once for each run and
/// place; the controller answers with setRun() of a copy that holds it. Copies of one run (equal origins) keep the
/// chosen tokens, the zoom and the pinned heads; another run clears the tokens and fits the pictures again.
class AttentionView : public View
{
    Q_OBJECT

public:
    explicit AttentionView(QWidget* parent = nullptr);

    // What is asked.
    /// The text in the field, not asked yet.
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// The model that texts go through, as it is named on screen; "": none, and `need` says how to get one.
    void setModel(const QString& model, const QString& need);
    /// What "Stored" offers; none: the menu is not there.
    void setStoredRuns(const std::vector<StoredRunEntry>& runs);
    /// Whether "Document…" can be used; `why` not, as its tip.
    void setDocumentAllowed(bool allowed, const QString& why = {});
    /// Whether documents can be run without the heads that are off.
    void setDocumentsAllowed(bool allowed);
    /// What is being computed, in a sentence, with a button that stops it; "": nothing.
    void setBusy(const QString& text);
    /// What went wrong, in a sentence, under the field; it stays until the next run or a question.
    void setProblem(const QString& sentence);

    // What is shown.
    /// Null: the empty state. A run of a document that does not belong to the open cache is refused (ui::OriginGuard).
    /// @return whether it is shown
    bool setRun(AttentionRunPtr run);
    [[nodiscard]] const AttentionRunPtr& run() const { return m_run; }
    /// Something about what is shown, in a sentence: "Stored run. Open a model to type a sentence of your own."; "":
    /// none.
    void setNote(const QString& text);
    /// The head that the large pictures show. Ignored where the run does not have it. Emits nothing.
    void setChosen(LayerIndex layer, HeadIndex head);
    [[nodiscard]] std::optional<AttentionHead> chosen() const { return m_chosen; }
    [[nodiscard]] std::optional<viz::ItemHead> headShown() const override
    {
        return m_chosen ? std::optional(viz::ItemHead{m_chosen->layer, m_chosen->head}) : std::nullopt;
    }
    /// Heads that stay next to the chosen one, at most two. Emits nothing.
    void setPinned(const std::vector<AttentionHead>& heads);
    [[nodiscard]] const std::vector<AttentionHead>& pinned() const { return m_pinned; }
    /// The cell in numbers: this token reads that one. Nothing: none. Emits nothing.
    void setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read);
    [[nodiscard]] AttentionLook look() const;
    void setLook(const AttentionLook& look);
    /// What came of switching these heads of a layer off, in a sentence or two; "": none is off, and the buttons are
    /// up.
    void setSwitchedOff(const QString& text, LayerIndex layer = {}, const std::vector<HeadIndex>& heads = {});
    /// Whether heads can be switched off at all: not in a stored run without its model; `why` not, as a tip.
    void setSwitchOffAllowed(bool allowed, const QString& why = {});

    /// What is shown as a figure for figureOfAttention(); its run is null while nothing is shown.
    [[nodiscard]] viz::AttentionFigure figure() const;
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;

    // Its parts, for tests and lessons.
    [[nodiscard]] AttentionTextRow* textRow() const { return m_row; }
    [[nodiscard]] PannedOf<HeadGridPicture>* grid() const { return m_grid; }
    [[nodiscard]] HeadPanes* panes() const { return m_panes; }
    [[nodiscard]] CellColumn* numbers() const { return m_numbers; }
    [[nodiscard]] AttentionBar* bar() const { return m_bar; }

Q_SIGNALS:
    /// The text of the field, not empty; only while there is a model.
    void textAsked(const QString& text);
    void documentWanted();
    void storedWanted(const QString& name);
    void modelRequested();
    void stopRequested();
    /// Another head was chosen here.
    void layerHeadChosen(headscope::LayerIndex layer, headscope::HeadIndex head);
    /// Weights that are to be shown and are not held.
    void weightsWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);
    /// Queries, keys, values and outputs of a layer, for the numbers of a cell.
    void vectorsWanted(headscope::LayerIndex layer);
    /// These heads of a layer are to be off; none: the model as it is.
    void switchOffWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);
    /// How the documents of the open cache move without these heads.
    void movedDocumentsWanted(headscope::LayerIndex layer, const std::vector<headscope::HeadIndex>& heads);
    /// Pinned heads, cell or look: what work files keep.
    void stateChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildPage(QWidget* page);
    void connectParts();
    // In attention_view_parts.cpp.
    void refresh();
    void refreshNumbers();
    void refreshKey();
    void askForMissing();
    void choose(AttentionHead place);
    void togglePin(AttentionHead place);
    void clickToken(std::optional<viz::LineEnd> end);
    void keepCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read);
    void fitColumns();
    /// The look of what is shown: of one token nothing is left without the first.
    [[nodiscard]] AttentionLook shownLook() const;
    /// The chosen head and those next to it.
    [[nodiscard]] std::vector<AttentionHead> shownHeads() const;
    [[nodiscard]] std::optional<TokenIndex> mostReadBy(TokenIndex token) const;

    AttentionRunPtr m_run;
    std::optional<AttentionHead> m_chosen;
    std::vector<AttentionHead> m_pinned; ///< may contain the chosen one, which then stays when another is chosen
    std::optional<TokenIndex> m_reading;
    std::optional<TokenIndex> m_read;
    std::set<AttentionHead> m_asked; ///< weights that were asked for
    std::set<LayerIndex> m_askedVectors;
    bool m_columnsMoved = false; ///< by the user

    AttentionTextRow* m_row = nullptr;
    ViewPages* m_pages = nullptr;
    QSplitter* m_columns = nullptr;
    PannedOf<HeadGridPicture>* m_grid = nullptr;
    HeadPanes* m_panes = nullptr;
    CellColumn* m_numbers = nullptr;
    AttentionBar* m_bar = nullptr;
};

} // namespace headscope::ui
