// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/selection.h"
#include "ui/panels/find/filter_row.h"

#include <QList>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui
{

class ChoiceButtons;

/// What a filter answers: the documents that meet all its conditions.
struct FilterResult
{
    std::vector<std::int64_t> documents;
    std::int64_t searched = 0;
    /// Range of the numbers of each condition; nothing where it looks at none.
    std::vector<std::optional<std::pair<double, double>>> limits;
};

/// Conditions that documents must all meet, with the count of those that do. It filters nothing itself: every change
/// emits filterRequested, to be answered by setResult().
class FilterPage : public QWidget
{
    Q_OBJECT

public:
    explicit FilterPage(QWidget* parent = nullptr);

    void setFields(const FilterFields& fields);
    void setConditions(const std::vector<FilterCondition>& conditions);
    void setResult(std::shared_ptr<const FilterResult> result);
    /// Why there is no result.
    void setProblem(const QString& problem);

    /// Adds one that the user fills, where there is something to filter.
    void addCondition();
    [[nodiscard]] const QList<FilterRow*>& rows() const { return m_rows; }
    [[nodiscard]] QString countLine() const;

Q_SIGNALS:
    /// The user changed a condition; filterRequested() follows.
    void edited();
    /// Some condition changed; none: there is nothing to filter by.
    void filterRequested(const std::vector<headscope::FilterCondition>& conditions);
    void pickRequested(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);

private:
    FilterRow* addRow();
    void removeRow(FilterRow* row);
    void ask();
    void refresh();

    FilterFields m_fields;
    std::shared_ptr<const FilterResult> m_result;
    QString m_problem;
    bool m_filling = false; ///< the rows get conditions
    QList<FilterRow*> m_rows;
    QVBoxLayout* m_rowLayout = nullptr;
    QPushButton* m_add = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_error = nullptr;
    ChoiceButtons* m_buttons = nullptr;
};

} // namespace headscope::ui
