// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/probe_result.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace headscope::ui
{

class EmptyState;
class ProbeTableModel;
class RecallChart;
class SectionLabel;

/// The probe tab: the paper's Table 1 for this cache, and under it the recall of every head for the
/// stage that is chosen in the table.
class ProbeView : public QWidget
{
    Q_OBJECT

public:
    explicit ProbeView(QWidget* parent = nullptr);

    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    [[nodiscard]] ProbeTableModel* model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] RecallChart* chart() const { return m_chart; }

    /// Shows results (one per stage), or the empty state when there are none.
    void setResults(std::vector<std::shared_ptr<const ProbeResult>> results, const viz::HeadPalette& palette);
    void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false);
    [[nodiscard]] ProbeSplit split() const;

Q_SIGNALS:
    void emptyActionRequested();
    void trainRequested();

private:
    void buildPage(QWidget* page);
    void showRow(int row);

    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    QWidget* m_page = nullptr;
    QWidget* m_bar = nullptr;
    QTableView* m_table = nullptr;
    ProbeTableModel* m_model = nullptr;
    SectionLabel* m_chartTitle = nullptr;
    RecallChart* m_chart = nullptr;
    QComboBox* m_split = nullptr;
    QPushButton* m_train = nullptr;
    QLabel* m_note = nullptr;
    viz::HeadPalette m_palette;
};

} // namespace headscope::ui
