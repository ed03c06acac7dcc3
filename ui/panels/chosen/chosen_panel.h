// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chosen_table.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class ChosenBars;
class ChosenBarsModel;
class ChosenModel;
class EmptyState;

/// What is chosen: how many, bars of their heads, labels and numbers that filter the choice, and the documents
/// as a table. Counting and sorting are done elsewhere.
class ChosenPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ChosenPanel(QWidget* parent = nullptr);

    /// At once, before anything is counted: how many documents of how many are chosen, and how many points where they
    /// are chosen individually. None: the panel says how to choose.
    void setCounts(std::int64_t documents, std::int64_t all, std::optional<std::int64_t> points);
    /// Null: nothing is chosen.
    /// @param rows  of the table, as order() wants them
    void setTable(std::shared_ptr<const ChosenTable> table, std::vector<std::int64_t> rows);
    /// The rows of the same table in another order.
    void setRows(std::vector<std::int64_t> rows);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// The row of the document that is shown elsewhere.
    void setPrimary(std::optional<DocumentIndex> document);
    /// What the set would be called.
    void setFreeName(const QString& name);

    /// Sorting and filter as they are set now.
    [[nodiscard]] ChosenOrder order() const;
    [[nodiscard]] ChosenModel* model() const { return m_model; }
    [[nodiscard]] ChosenBarsModel* barsModel() const { return m_barsModel; }
    [[nodiscard]] ChosenBars* bars() const { return m_bars; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QLineEdit* filter() const { return m_filter; }
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    [[nodiscard]] bool isEmptyShown() const;
    [[nodiscard]] QString countsText() const;

Q_SIGNALS:
    /// The panel became visible.
    void shown();
    void orderChanged();
    /// A document was clicked, or chosen by Return.
    void documentClicked(headscope::DocumentIndex document);
    /// A document was double-clicked: to be read.
    void documentOpened(headscope::DocumentIndex document);
    /// Keep only what a bar counts, or take it out.
    /// @param row  of barsModel()
    void barClicked(int row, bool takenOut);
    void keepRequested(const QString& name);
    void showOnlyRequested();
    void saveRequested();
    void lassoRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHead(QWidget* page);
    void buildTable(QWidget* parent);
    void refreshShown();

    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QWidget* m_page = nullptr;
    QLabel* m_counts = nullptr;
    QLineEdit* m_name = nullptr;
    QPushButton* m_keep = nullptr;
    QToolButton* m_showOnly = nullptr;
    QToolButton* m_save = nullptr;
    ChosenBarsModel* m_barsModel = nullptr;
    ChosenBars* m_bars = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_listed = nullptr;
    ChosenModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    int m_sortColumn = 0;
    bool m_descending = false;
};

} // namespace headscope::ui
