// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/filter_page.h"

#include "ui/panels/data/choice_buttons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{

FilterPage::FilterPage(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_rowLayout = new QVBoxLayout;
    m_rowLayout->setSpacing(Metrics::kPanel);
    layout->addLayout(m_rowLayout);
    m_add = new QPushButton(tr("Add a condition"), this);
    m_add->setObjectName(QStringLiteral("filterAdd"));
    m_add->setAccessibleName(tr("Add a condition"));
    m_add->setToolTip(tr("Documents must meet all conditions"));
    m_add->setAutoDefault(false);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    m_error = new QLabel(this);
    m_error->setObjectName(QStringLiteral("filterError"));
    m_error->setFont(Theme::smallFont());
    m_error->setProperty("role", QStringLiteral("warning"));
    m_error->setWordWrap(true);
    layout->addWidget(m_error);
    m_count = makeMutedLabel({}, this);
    m_count->setObjectName(QStringLiteral("filterCount"));
    m_count->setFont(Theme::smallFont());
    m_count->setWordWrap(true);
    layout->addWidget(m_count);
    m_buttons = new ChoiceButtons(tr("the documents that meet the conditions"), QStringLiteral("filtered"), this);
    layout->addWidget(m_buttons);
    layout->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, &FilterPage::addCondition);
    connect(m_buttons, &ChoiceButtons::chosen, this, [this](SetOperation operation) {
        if (m_result != nullptr)
            Q_EMIT pickRequested(m_result->documents, operation);
    });
    refresh();
}

void FilterPage::addCondition()
{
    if (!m_add->isEnabled())
        return;
    FilterRow* row = addRow();
    row->fieldBox()->setFocus(Qt::TabFocusReason);
    ask();
}

FilterRow* FilterPage::addRow()
{
    auto* row = new FilterRow(m_fields, static_cast<int>(m_rows.size()) + 1, this);
    m_rows << row;
    m_rowLayout->addWidget(row);
    connect(row, &FilterRow::changed, this, &FilterPage::ask);
    connect(row, &FilterRow::removeRequested, this, [this, row] { removeRow(row); });
    return row;
}

void FilterPage::removeRow(FilterRow* row)
{
    m_rows.removeOne(row);
    row->hide();
    row->deleteLater();
    for (int i = 0; i < m_rows.size(); ++i)
        m_rows.at(i)->setNumber(i + 1);
    m_add->setFocus(Qt::TabFocusReason);
    ask();
}

void FilterPage::setFields(const FilterFields& fields)
{
    const QScopedValueRollback<bool> filling(m_filling, true);
    m_fields = fields;
    for (FilterRow* row : m_rows)
        row->setFields(fields);
    ask();
}

void FilterPage::setConditions(const std::vector<FilterCondition>& conditions)
{
    const QScopedValueRollback<bool> filling(m_filling, true);
    while (!m_rows.isEmpty())
        delete m_rows.takeLast();
    for (const FilterCondition& condition : conditions)
        addRow()->setCondition(condition);
    ask();
}

void FilterPage::ask()
{
    if (!m_filling)
        Q_EMIT edited();
    m_problem.clear();
    std::vector<FilterCondition> conditions;
    for (const FilterRow* row : m_rows)
    {
        Result<FilterCondition> condition = row->condition();
        if (!condition)
        {
            m_problem = toQString(condition.error().message);
            break;
        }
        conditions.push_back(std::move(*condition));
    }
    if (!m_problem.isEmpty() || conditions.empty() || m_fields.documents == nullptr)
    {
        m_result = nullptr;
        conditions.clear();
    }
    refresh();
    Q_EMIT filterRequested(conditions);
}

void FilterPage::setResult(std::shared_ptr<const FilterResult> result)
{
    m_result = std::move(result);
    m_problem.clear();
    if (m_result != nullptr)
        for (std::size_t i = 0; i < m_result->limits.size() && i < static_cast<std::size_t>(m_rows.size()); ++i)
            if (const auto& limits = m_result->limits[i])
                m_rows.at(static_cast<qsizetype>(i))->setLimits(limits->first, limits->second);
    refresh();
}

void FilterPage::setProblem(const QString& problem)
{
    m_result = nullptr;
    m_problem = problem;
    refresh();
}

QString FilterPage::countLine() const
{
    return m_count->text();
}

void FilterPage::refresh()
{
    m_add->setEnabled(m_fields.documents != nullptr);
    m_error->setText(m_problem);
    m_error->setVisible(!m_problem.isEmpty());
    m_buttons->setVisible(m_result != nullptr);
    QString line;
    if (m_fields.documents == nullptr)
        line = tr("Open a cache to filter its documents.");
    else if (m_rows.isEmpty())
        line = tr("Filter by label, length, norm or any numeric column. Documents must meet all conditions.");
    else if (m_result != nullptr)
        line = tr("%1 of %2")
                   .arg(countText(std::ssize(m_result->documents)),
                        countText(m_result->searched, tr("document"), tr("documents")));
    m_count->setText(line);
    m_count->setVisible(!line.isEmpty());
    setAccessibleDescription(m_problem.isEmpty() ? line : m_problem);
}

} // namespace headscope::ui
