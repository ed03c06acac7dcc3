// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_filter.h"
#include "model/data/stage.h"

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace headscope::ui
{

/// What the rows of a filter choose from.
struct FilterFields
{
    std::shared_ptr<const DocumentSet> documents; ///< null: nothing is open
    std::int64_t heads = 0;
    Stage stage = Stage::HeadOutput;
    QStringList groups; ///< named sets, the hits of a search
};

/// One condition of a filter: what is looked at, and what it must be.
class FilterRow : public QWidget
{
    Q_OBJECT

public:
    /// @param number  of the row, from 1: part of the accessible names
    FilterRow(const FilterFields& fields, int number, QWidget* parent = nullptr);

    /// Other columns, heads or sets; what is still there stays chosen.
    void setFields(const FilterFields& fields);
    void setNumber(int number);
    /// The condition as it is.
    /// @errors InvalidArgument, WrongUse: a text that is no number, or no list of heads
    [[nodiscard]] Result<FilterCondition> condition() const;
    /// Shows a condition.
    void setCondition(const FilterCondition& condition);
    /// The range of the numbers, shown where limits are empty.
    void setLimits(double least, double most);
    /// Whether it looks at numbers, for which setLimits() applies.
    [[nodiscard]] bool isNumber() const;

    [[nodiscard]] QComboBox* fieldBox() const { return m_field; }
    [[nodiscard]] QComboBox* valueBox() const { return m_value; }
    [[nodiscard]] QComboBox* operatorBox() const { return m_operator; }
    [[nodiscard]] QLineEdit* leastField() const { return m_least; }
    [[nodiscard]] QLineEdit* mostField() const { return m_most; }

Q_SIGNALS:
    void changed();
    void removeRequested();

private:
    enum class Field
    {
        Label,
        Tokens,
        MeanStrength,
        HeadStrength,
        Strongest,
        Number,
        Group,
    };
    void fillFields();
    void fillValues();
    void showEditor();
    [[nodiscard]] Field field() const;
    [[nodiscard]] std::string column() const;
    void choose(Field field, const std::string& column);

    FilterFields m_fields;
    QComboBox* m_field = nullptr;
    QToolButton* m_remove = nullptr;
    QComboBox* m_operator = nullptr;
    QComboBox* m_value = nullptr;
    QSpinBox* m_head = nullptr;
    QLineEdit* m_least = nullptr;
    QLabel* m_dash = nullptr;
    QLineEdit* m_most = nullptr;
    QLineEdit* m_heads = nullptr;
};

/// The name of the search hits as a group of a filter.
[[nodiscard]] QString searchGroupName();
/// The name of the current choice as a group of a filter.
[[nodiscard]] QString choiceGroupName();

} // namespace headscope::ui
