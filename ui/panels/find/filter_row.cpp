// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/filter_row.h"

#include "model/data/documents/document_numbers.h"
#include "model/data/head_ranges.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kColumnRole = Qt::UserRole + 1;

QLineEdit* makeLimit(const QString& name, QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setObjectName(name);
    field->setMinimumWidth(40);
    return field;
}

/// A list of choices that is as wide as so many letters, whatever they are.
QComboBox* makeShortBox(const QString& name, int letters, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setObjectName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(letters);
    return box;
}

QToolButton* makeRemoveButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("filterRemove"));
    button->setText(QStringLiteral("×"));
    button->setProperty("boxed", true);
    button->setProperty("square", true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolTip(FilterRow::tr("Remove this condition"));
    return button;
}

/// "" is no limit; the user's own decimal point is understood, and a plain one too.
Result<double> limitOf(const QLineEdit& field, double none)
{
    const QString text = field.text().trimmed();
    if (text.isEmpty())
        return none;
    bool isNumber = false;
    double value = QLocale().toDouble(text, &isNumber);
    if (!isNumber)
        value = QLocale::c().toDouble(text, &isNumber);
    if (isNumber)
        return value;
    return Error{ErrorCode::WrongUse, "expected a number, found \"" + toStdString(text) + "\"", {}, {}};
}

/// Language first, where there is one: it is what most filters begin with.
std::vector<const LabelColumn*> labelOrder(const DocumentSet& documents)
{
    std::vector<const LabelColumn*> columns;
    for (const LabelColumn& column : documents.labels)
        columns.push_back(&column);
    std::ranges::stable_partition(columns, [](const LabelColumn* column) {
        const QString name = toQString(column->name).toLower();
        return name == QLatin1StringView("language") || name == QLatin1StringView("lang");
    });
    return columns;
}

} // namespace

QString searchGroupName()
{
    return FilterRow::tr("found by text search");
}

QString choiceGroupName()
{
    return FilterRow::tr("current selection");
}

FilterRow::FilterRow(const FilterFields& fields, int number, QWidget* parent) : QWidget(parent), m_fields(fields)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    m_field = makeShortBox(QStringLiteral("filterField"), 8, this);
    m_remove = makeRemoveButton(this);
    top->addWidget(m_field, 1);
    top->addWidget(m_remove);
    layout->addLayout(top);

    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(Metrics::kGrid);
    m_operator = new QComboBox(this);
    m_operator->setObjectName(QStringLiteral("filterOperator"));
    m_operator->addItems({tr("is"), tr("is not")});
    m_value = makeShortBox(QStringLiteral("filterValue"), 6, this);
    m_value->setMaxVisibleItems(20);
    m_head = new QSpinBox(this);
    m_head->setObjectName(QStringLiteral("filterHead"));
    m_head->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_head->setFixedWidth(44);
    m_least = makeLimit(QStringLiteral("filterLeast"), this);
    m_dash = new QLabel(QStringLiteral("–"), this);
    m_most = makeLimit(QStringLiteral("filterMost"), this);
    m_heads = new QLineEdit(this);
    m_heads->setObjectName(QStringLiteral("filterHeads"));
    m_heads->setPlaceholderText(QStringLiteral("1-4,9"));
    bottom->addWidget(m_operator);
    bottom->addWidget(m_value, 1);
    bottom->addWidget(m_head);
    bottom->addWidget(m_least, 1);
    bottom->addWidget(m_dash);
    bottom->addWidget(m_most, 1);
    bottom->addWidget(m_heads, 1);
    layout->addLayout(bottom);
    setNumber(number);
    fillFields();
    connect(m_field, &QComboBox::currentIndexChanged, this, [this] {
        m_least->clear();
        m_most->clear();
        fillValues();
        showEditor();
        Q_EMIT changed();
    });
    connect(m_operator, &QComboBox::currentIndexChanged, this, &FilterRow::changed);
    connect(m_value, &QComboBox::currentIndexChanged, this, &FilterRow::changed);
    connect(m_head, &QSpinBox::valueChanged, this, &FilterRow::changed);
    for (QLineEdit* field : {m_least, m_most, m_heads})
        connect(field, &QLineEdit::textChanged, this, &FilterRow::changed);
    connect(m_remove, &QToolButton::clicked, this, &FilterRow::removeRequested);
}

void FilterRow::setNumber(int number)
{
    const std::pair<QWidget*, QString> names[] = {{m_field, tr("Condition %1: property")},
                                                  {m_remove, tr("Condition %1: remove")},
                                                  {m_operator, tr("Condition %1: is or is not")},
                                                  {m_value, tr("Condition %1: value")},
                                                  {m_head, tr("Condition %1: head")},
                                                  {m_least, tr("Condition %1: at least")},
                                                  {m_most, tr("Condition %1: at most")},
                                                  {m_heads, tr("Condition %1: heads as ranges")}};
    for (const auto& [widget, name] : names)
        widget->setAccessibleName(name.arg(number));
}

void FilterRow::fillFields()
{
    const QSignalBlocker quiet(m_field);
    m_field->clear();
    const auto add = [this](const QString& text, Field field, const std::string& column = {}) {
        m_field->addItem(text, static_cast<int>(field));
        m_field->setItemData(m_field->count() - 1, toQString(column), kColumnRole);
        m_field->setItemData(m_field->count() - 1, text, Qt::ToolTipRole);
    };
    if (m_fields.documents != nullptr)
    {
        for (const LabelColumn* column : labelOrder(*m_fields.documents))
            add(toQString(column->name), Field::Label, column->name);
        if (!m_fields.documents->tokens.empty())
            add(tr("Length in tokens"), Field::Tokens);
        for (const std::string& name : documentNumberNames(*m_fields.documents))
            if (name != "tokens" || m_fields.documents->label(name) != nullptr)
                add(name == "characters" ? tr("Length in characters") : tr("%1 (number)").arg(toQString(name)),
                    Field::Number, name);
    }
    const QString unit = unitText(m_fields.stage);
    add(tr("Norm, mean of selected %1").arg(unitsText(m_fields.stage)), Field::MeanStrength);
    add(tr("Norm of one %1").arg(unit), Field::HeadStrength);
    add(tr("%1 with the largest norm").arg(unit), Field::Strongest);
    if (!m_fields.groups.isEmpty())
        add(tr("Set"), Field::Group);
    m_head->setRange(1, static_cast<int>(std::max<std::int64_t>(1, m_fields.heads)));
    m_heads->setToolTip(
        tr("Documents in which the %1 with the largest norm is one of these. Count from 1, for example 1-4,9.")
            .arg(unit));
    fillValues();
    showEditor();
}

void FilterRow::fillValues()
{
    const QSignalBlocker quiet(m_value);
    const QString before = m_value->currentData().toString();
    m_value->clear();
    if (field() == Field::Group)
    {
        for (const QString& group : m_fields.groups)
            m_value->addItem(group, group);
    }
    else if (field() == Field::Label)
    {
        const LabelColumn* column = m_fields.documents->label(this->column());
        const auto counts = column->counts();
        std::int64_t labelled = 0;
        for (const std::int32_t code : column->byFrequency())
        {
            const auto at = static_cast<std::size_t>(code);
            const QString name = toQString(column->categories[at]);
            labelled += counts[at];
            m_value->addItem(QStringLiteral("%1  (%2)").arg(name, countText(counts[at])), name);
            m_value->setItemData(m_value->count() - 1, name, Qt::ToolTipRole);
        }
        if (labelled < m_fields.documents->count())
            m_value->addItem(tr("no label  (%1)").arg(countText(m_fields.documents->count() - labelled)), QString());
    }
    if (const int at = m_value->findData(before); at >= 0)
        m_value->setCurrentIndex(at);
}

void FilterRow::showEditor()
{
    const Field now = field();
    const bool names = now == Field::Label || now == Field::Group;
    m_operator->setVisible(names);
    m_value->setVisible(names);
    m_head->setVisible(now == Field::HeadStrength);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_least, m_most, m_dash})
        widget->setVisible(isNumber());
    m_heads->setVisible(now == Field::Strongest);
    m_least->setPlaceholderText(tr("min"));
    m_most->setPlaceholderText(tr("max"));
}

FilterRow::Field FilterRow::field() const
{
    return static_cast<Field>(m_field->currentData().toInt());
}

std::string FilterRow::column() const
{
    return toStdString(m_field->currentData(kColumnRole).toString());
}

bool FilterRow::isNumber() const
{
    const Field now = field();
    return now == Field::Tokens || now == Field::MeanStrength || now == Field::HeadStrength || now == Field::Number;
}

void FilterRow::setFields(const FilterFields& fields)
{
    const Field chosen = field();
    const std::string name = column();
    const QVariant value = m_value->currentData();
    m_fields = fields;
    const QSignalBlocker quiet(this);
    fillFields(); // which shows the values of others for a moment
    choose(chosen, name);
    if (const int at = value.isValid() ? m_value->findData(value) : -1; at >= 0)
        m_value->setCurrentIndex(at);
}

void FilterRow::choose(Field field, const std::string& column)
{
    for (int i = 0; i < m_field->count(); ++i)
    {
        if (m_field->itemData(i).toInt() != static_cast<int>(field) ||
            m_field->itemData(i, kColumnRole).toString() != toQString(column))
            continue;
        const QSignalBlocker quiet(m_field);
        m_field->setCurrentIndex(i);
    }
    fillValues();
    showEditor();
}

void FilterRow::setLimits(double least, double most)
{
    const auto text = [](double value) { return QLocale().toString(value, 'g', 4); };
    m_least->setPlaceholderText(text(least));
    m_most->setPlaceholderText(text(most));
}

Result<FilterCondition> FilterRow::condition() const
{
    const bool negated = m_operator->currentIndex() == 1;
    switch (field())
    {
    case Field::Label:
        return FilterCondition(LabelCondition{column(), {toStdString(m_value->currentData().toString())}, negated});
    case Field::Group:
        return FilterCondition(GroupCondition{toStdString(m_value->currentData().toString()), negated});
    case Field::Strongest:
    {
        HEADSCOPE_TRY(auto heads, parseHeadRanges(toStdString(m_heads->text()), m_fields.heads));
        return FilterCondition(StrongestCondition{std::move(heads)});
    }
    default:
        break;
    }
    NumberCondition number;
    number.column = column();
    number.head = m_head->value() - 1;
    const std::pair<Field, NumberSource> sources[] = {{Field::Tokens, NumberSource::Tokens},
                                                      {Field::MeanStrength, NumberSource::MeanStrength},
                                                      {Field::HeadStrength, NumberSource::HeadStrength},
                                                      {Field::Number, NumberSource::Column}};
    for (const auto& [field, source] : sources)
        if (field == this->field())
            number.source = source;
    HEADSCOPE_TRY(number.least, limitOf(*m_least, number.least));
    HEADSCOPE_TRY(number.most, limitOf(*m_most, number.most));
    return FilterCondition(number);
}

void FilterRow::setCondition(const FilterCondition& condition)
{
    const QSignalBlocker quiet(this);
    if (const auto* label = std::get_if<LabelCondition>(&condition))
    {
        choose(Field::Label, label->column);
        m_operator->setCurrentIndex(label->negated ? 1 : 0);
        if (!label->values.empty())
            m_value->setCurrentIndex(std::max(0, m_value->findData(toQString(label->values.front()))));
    }
    else if (const auto* group = std::get_if<GroupCondition>(&condition))
    {
        choose(Field::Group, {});
        m_operator->setCurrentIndex(group->negated ? 1 : 0);
        m_value->setCurrentIndex(std::max(0, m_value->findData(toQString(group->group))));
    }
    else if (const auto* strongest = std::get_if<StrongestCondition>(&condition))
    {
        choose(Field::Strongest, {});
        m_heads->setText(toQString(formatHeadRanges(strongest->heads)));
    }
    else if (const auto* number = std::get_if<NumberCondition>(&condition))
    {
        constexpr std::array kFields{Field::Tokens, Field::MeanStrength, Field::HeadStrength, Field::Number};
        choose(kFields[static_cast<std::size_t>(number->source)], number->column);
        m_head->setValue(static_cast<int>(number->head) + 1);
        const auto text = [](double value) { return std::isfinite(value) ? QLocale().toString(value) : QString(); };
        m_least->setText(text(number->least));
        m_most->setText(text(number->most));
    }
}

} // namespace headscope::ui
