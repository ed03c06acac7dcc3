// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/stage.h"
#include "ui/canvas/picture_widget.h"
#include "ui/models/nearest_model.h"
#include "ui/state/strengths.h"
#include "ui/words/text_query.h"
#include "viz/color/head_palette.h"

#include <QList>
#include <QScrollArea>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace headscope::ui
{

class DocumentText;
class ElidedLabel;
class NearestLists;
class SectionLabel;
class StrengthBars;

/// The chosen document: what it is, its labels, its text with the hits of a search, the strength of each of its head
/// vectors, its nearest documents by one head and by the full vector.
class Inspector : public QScrollArea
{
    Q_OBJECT

public:
    explicit Inspector(QWidget* parent = nullptr);

    /// The documents of the open cache; null when nothing is open.
    void setDocuments(std::shared_ptr<const DocumentSet> documents);
    /// The column that is first among the labels.
    void setLabelColumn(const std::string& column);
    /// What is marked in the text.
    void setQuery(const TextQuery& query);
    void setStrengths(std::shared_ptr<const Strengths> strengths, Stage stage, const viz::HeadPalette& palette);
    void showDocument(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    /// Nearest documents of the shown one, by its head and by the full vector; `fullSource` says
    /// what the full vector is. Where there are none, a sentence may say why.
    void setNearest(std::vector<NearDocument> byHead, std::vector<NearDocument> byFull, const QString& fullSource,
                    const QString& whyNotByHead = {}, const QString& whyNotByFull = {});
    /// Points and documents of the selection; 0 hides the section.
    void setSelection(std::int64_t points, std::int64_t documents, const QString& how);

    [[nodiscard]] std::optional<DocumentIndex> document() const { return m_document; }
    [[nodiscard]] PictureOf<StrengthBars>* strengthBars() const { return m_bars; }
    [[nodiscard]] NearestLists* nearest() const { return m_nearest; }
    [[nodiscard]] DocumentText* documentText() const { return m_text; }
    /// Every label of the document, "topic: Music", as they are.
    [[nodiscard]] QStringList labelLines() const;
    [[nodiscard]] QString headingText() const;
    [[nodiscard]] QString bodyText() const;

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);
    void documentClicked(headscope::DocumentIndex document);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void describe();
    void fitHeights();
    void takeExcess();
    [[nodiscard]] int wantedHeight() const;
    void buildDocument(QWidget* page);
    void refresh();
    void refreshLabels();
    void refreshStrengths();
    void refreshNearest();

    std::shared_ptr<const DocumentSet> m_documents;
    std::string m_labelColumn;
    std::shared_ptr<const Strengths> m_strengths;
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    std::optional<DocumentIndex> m_document;
    std::optional<HeadIndex> m_head;
    std::vector<NearDocument> m_byHead;
    std::vector<NearDocument> m_byFull;
    QString m_fullSource;
    QString m_whyNotByHead;
    QString m_whyNotByFull;

    SectionLabel* m_title = nullptr;
    QLabel* m_hint = nullptr;
    QWidget* m_content = nullptr;
    ElidedLabel* m_id = nullptr;
    QLabel* m_second = nullptr;
    QLabel* m_flags = nullptr;
    QVBoxLayout* m_labelLayout = nullptr;
    QList<ElidedLabel*> m_labels;
    DocumentText* m_text = nullptr;
    SectionLabel* m_strengthTitle = nullptr;
    PictureOf<StrengthBars>* m_bars = nullptr;
    QLabel* m_place = nullptr;
    NearestLists* m_nearest = nullptr;
    QWidget* m_selectionPart = nullptr;
    QLabel* m_selectionCount = nullptr;
    QLabel* m_selectionHow = nullptr;
};

} // namespace headscope::ui
