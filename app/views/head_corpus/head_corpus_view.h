// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/head_corpus/example_model.h"
#include "model/data/attention/head_corpus.h"
#include "model/data/attention/token_map.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "ui/canvas/picture_widget.h"
#include "ui/forms/field_form.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;

namespace headscope::ui
{

class ActivationHistogram;
class ElidedLabel;
class ExampleList;
class TokenCanvas;
class ViewPages;

inline constexpr ViewId kHeadCorpusView("head");

/// Where the texts come from that a head is watched over.
enum class CorpusChoice
{
    Cache, ///< the documents of the open cache
    File,  ///< a file of texts
};

/// The head tab: one head over documents. How long its output is, and how often, examples of the strongest tokens and
/// of every decile with its attention drawn over the text, and maps of its queries and keys and of its outputs.
class HeadCorpusView : public View
{
    Q_OBJECT

public:
    explicit HeadCorpusView(QWidget* parent = nullptr);

    [[nodiscard]] ExampleList* examples() const { return m_examples; }
    [[nodiscard]] PictureOf<ActivationHistogram>* histogram() const { return m_histogram; }
    [[nodiscard]] TokenCanvas* canvas() const { return m_canvas; }

    /// Of an open cache: which heads there are.
    void setModel(const ModelInfo& model);
    /// The head that is asked for; signals nothing.
    void setHead(LayerIndex layer, HeadIndex head);
    [[nodiscard]] LayerIndex layer() const;
    [[nodiscard]] HeadIndex head() const;
    [[nodiscard]] std::optional<viz::ItemHead> headShown() const override { return viz::ItemHead{layer(), head()}; }
    [[nodiscard]] CorpusChoice corpusChoice() const;
    /// Name of the file of texts; empty: none is chosen yet.
    void setTextsName(const QString& name);
    /// Which texts are asked for; signals nothing.
    void chooseCacheDocuments();
    void chooseTextsFile();

    /// Null: nothing is shown. One of another origin than the open cache is refused.
    /// @param documents  of the cache, where they are the corpus's; else null
    void setCorpus(HeadCorpusPtr corpus, std::shared_ptr<const DocumentSet> documents);
    [[nodiscard]] const HeadCorpusPtr& corpus() const { return m_corpus; }
    /// The same documents with other labels.
    void setDocuments(std::shared_ptr<const DocumentSet> documents);
    /// Of the corpus that is shown; others are dropped.
    void setMap(TokenMapPtr map);
    /// The map that is wanted now.
    [[nodiscard]] TokenMapKind mapKind() const;
    [[nodiscard]] std::int64_t mapTokens() const;
    [[nodiscard]] ExampleKind exampleKind() const;
    void setMapRunning(bool running);
    /// Why there is no map.
    void setMapProblem(const QString& sentence);

    void setRunning(bool running);
    void setNote(const QString& text);
    [[nodiscard]] QString note() const;
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void headChanged();
    void runRequested();
    void stopRequested();
    void textsRequested();
    void corpusChoiceChanged();
    /// Another kind or number of tokens is to be mapped, or the map is to be made again.
    void mapRequested();
    void documentClicked(headscope::DocumentIndex document);
    void documentHovered(std::optional<headscope::DocumentIndex> document);

private:
    void bindState();
    QWidget* buildLeft();
    QWidget* buildRight();
    void buildBar();
    void refreshColors();
    void refreshExamples();
    void refreshMap();
    void chooseToken(std::int64_t token);
    [[nodiscard]] std::optional<DocumentIndex> documentOf(std::int64_t token) const;

    ViewPages* m_pages = nullptr;
    QLabel* m_title = nullptr;
    ElidedLabel* m_facts = nullptr;
    PictureOf<ActivationHistogram>* m_histogram = nullptr;
    QButtonGroup* m_kinds = nullptr;
    QLabel* m_exampleNote = nullptr;
    ExampleList* m_examples = nullptr;
    QButtonGroup* m_maps = nullptr;
    QComboBox* m_colors = nullptr;
    QLabel* m_mapNote = nullptr;
    TokenCanvas* m_canvas = nullptr;
    QWidget* m_bar = nullptr;
    QWidget* m_asked = nullptr; ///< layer and head
    QComboBox* m_source = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_stop = nullptr;
    ElidedLabel* m_note = nullptr;

    ModelInfo m_model;
    HeadCorpusChoices m_choices;
    FieldForm m_place;  ///< of the head
    FieldForm m_mapped; ///< how much of it is mapped
    HeadCorpusPtr m_corpus;
    std::shared_ptr<const DocumentSet> m_documents;
    std::array<TokenMapPtr, 2> m_mapOf; ///< by TokenMapKind
    bool m_mapRunning = false;
};

} // namespace headscope::ui
