// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/selection.h"
#include "ui/models/hit_list_model.h"
#include "ui/words/text_query.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;
class QToolButton;

namespace headscope::ui
{

class ChoiceButtons;
class ViewState;

/// Search of the texts: what is looked for, how many documents have it, and their list. It searches nothing itself:
/// every edit emits searchRequested, to be answered by setResult().
class SearchPage : public QWidget
{
    Q_OBJECT

public:
    explicit SearchPage(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Null: nothing is open. Forgets the result and asks for the search of the same words again.
    void setDocuments(std::shared_ptr<const DocumentSet> documents);
    void setResult(std::shared_ptr<const SearchResult> result);
    /// The document the inspector shows: its row is current.
    void setPrimary(std::optional<DocumentIndex> document);
    /// Gives the field the focus and selects its text.
    void focusField();
    /// Shows the document after the current one among those found (step 1), or before it (-1); wraps around.
    void showNext(int step);

    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QListView* list() const { return m_list; }
    [[nodiscard]] HitListModel* model() const { return m_model; }
    /// "57 of 3,947 documents · 112 hits", or why there is none.
    [[nodiscard]] QString countLine() const;

Q_SIGNALS:
    /// The words or the expression changed; an empty query finds nothing.
    void searchRequested(const headscope::ui::TextQuery& query);
    void documentClicked(headscope::DocumentIndex document);
    void pickRequested(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void ask();
    void refresh();
    void markPrimary();

    std::shared_ptr<const DocumentSet> m_documents;
    std::optional<DocumentIndex> m_primary;
    QString m_problem; ///< why the expression is invalid
    bool m_waiting = false;
    bool m_isNew = false; ///< the next result belongs to another query than the last
    QLineEdit* m_field = nullptr;
    QToolButton* m_pattern = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_error = nullptr;
    ChoiceButtons* m_buttons = nullptr;
    QListView* m_list = nullptr;
    HitListModel* m_model = nullptr;
};

} // namespace headscope::ui
