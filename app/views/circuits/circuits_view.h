// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_choices.h"
#include "model/data/circuits/circuit_result.h"
#include "ui/canvas/picture_widget.h"
#include "ui/forms/field_form.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/circuits/composition_graph.h"
#include "viz/circuits/composition_matrix.h"
#include "viz/circuits/lens_table.h"
#include "viz/circuits/part_grid.h"
#include "viz/circuits/waterfall_picture.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class PairRow;
class ViewPages;

inline constexpr ViewId kCircuitsView("circuits");

/// The questions of the circuits tab, each a page.
enum class CircuitPage
{
    Pair,        ///< why two documents are similar
    Corpus,      ///< what heads add to the vectors of documents
    Composition, ///< which heads read what others write
    Tokens,      ///< what heads say in tokens
};
inline constexpr std::array kCircuitPages = {CircuitPage::Pair, CircuitPage::Corpus, CircuitPage::Composition,
                                             CircuitPage::Tokens};

/// The circuits tab: contributions of heads to a cosine and to the vectors of documents, composition, and the lens.
class CircuitsView : public View
{
    Q_OBJECT

public:
    explicit CircuitsView(QWidget* parent = nullptr);

    [[nodiscard]] CircuitPage page() const;
    void setPage(CircuitPage page);
    /// Shows a result on its page; null: there is none yet.
    void setResult(CircuitPage page, const CircuitResultPtr& result);
    [[nodiscard]] const CircuitResultPtr& result(CircuitPage page) const;
    /// The documents of a pair, by their titles.
    void setPair(const QString& first, const QString& second);
    /// Whether a document is shown in the window, which can be taken for the pair.
    void setDocumentAllowed(bool allowed);
    /// Says why a page is empty; an empty title: nothing to say.
    void setWaiting(CircuitPage page, const QString& title, const QString& text, const QString& action = {},
                    bool isError = false);
    void setRunning(bool running);
    void setNote(const QString& text);
    [[nodiscard]] QString note() const;
    void setMarkedHead(std::optional<std::pair<std::int64_t, std::int64_t>> head);
    [[nodiscard]] const CircuitChoices& choices() const { return m_choices; }
    /// The picture of the page in front, and of composition the one that has the focus or the matrix.
    [[nodiscard]] PictureWidget* picture() const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] PictureOf<viz::WaterfallPicture>* waterfall() const { return m_waterfall; }
    [[nodiscard]] PictureOf<viz::PartGridPicture>* grid() const { return m_grid; }
    [[nodiscard]] PictureOf<viz::CompositionMatrix>* matrix() const { return m_matrix; }
    [[nodiscard]] PictureOf<viz::CompositionGraph>* graph() const { return m_graph; }
    [[nodiscard]] PictureOf<viz::LensTable>* words() const { return m_words; }

Q_SIGNALS:
    void pageChanged();
    void runRequested();
    void stopRequested();
    void firstRequested();
    void secondRequested();
    void swapRequested();
    /// What is asked of the model has changed.
    void optionsChanged();
    void headChosen(std::int64_t layer, std::int64_t head);

private:
    /// Why a page shows nothing; without a title: it shows its result.
    struct Waiting
    {
        QString title;
        QString text;
        QString action; ///< of a button; empty: there is none
        bool isError = false;
    };

    void buildPages();
    void buildBar();
    [[nodiscard]] QScrollArea* scrolled(QWidget* content) const;
    void connectPictures();
    void showComposition();
    void showTokens();
    void refresh();

    ViewPages* m_pages = nullptr;
    QButtonGroup* m_buttons = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_explains = nullptr; ///< what the numbers of the page are
    PictureOf<viz::WaterfallPicture>* m_waterfall = nullptr;
    PictureOf<viz::PartGridPicture>* m_grid = nullptr;
    PictureOf<viz::CompositionMatrix>* m_matrix = nullptr;
    PictureOf<viz::CompositionGraph>* m_graph = nullptr;
    PictureOf<viz::LensTable>* m_words = nullptr;
    PairRow* m_pairRow = nullptr;
    QWidget* m_bar = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_stop = nullptr;
    CircuitChoices m_choices;
    FieldForm m_form;
    QWidget* m_documents = nullptr;
    QWidget* m_center = nullptr;
    QWidget* m_kind = nullptr;
    QWidget* m_weights = nullptr;
    QWidget* m_token = nullptr;
    QComboBox* m_read = nullptr; ///< of weights the token that is read
    ElidedLabel* m_note = nullptr;
    std::array<CircuitResultPtr, kCircuitPages.size()> m_results;
    std::array<Waiting, kCircuitPages.size()> m_waiting; ///< of each page
};

} // namespace headscope::ui
