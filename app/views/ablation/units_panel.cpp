// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/units_panel.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <string>
#include <utility>

namespace headscope::ui
{

UnitsPanel::UnitsPanel(const QString& prefix, Words words, FieldForm::Declare declare, QWidget* parent)
    : QWidget(parent), m_prefix(prefix), m_words(std::move(words)), m_form(std::move(declare), prefix, this)
{
    setObjectName(prefix % QStringLiteral("Panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    m_of = new ElidedLabel({}, this);
    m_of->setObjectName(prefix % QStringLiteral("Of"));
    m_of->setProperty("role", QStringLiteral("muted"));
    top->addWidget(new SectionLabel(m_words.title, this));
    top->addWidget(m_of, 1);
    layout->addLayout(top);
    m_bar = new QWidget(this);
    m_controls = new WrapRow(m_bar);
    layout->addWidget(m_bar);
    connect(&m_form, &FieldForm::edited, this, [this](const QString& key) {
        m_layerChosen = m_layerChosen || key == QStringLiteral("layer");
        refresh();
    });
}

void UnitsPanel::addFields(std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys)
        m_controls->addWidget(m_form.makeNamed(key, m_bar));
    m_run = new QPushButton(m_words.run, m_bar);
    m_run->setObjectName(m_prefix % QStringLiteral("Run"));
    m_run->setToolTip(m_words.runTip);
    m_controls->addWidget(m_run);
    connect(m_run, &QPushButton::clicked, this, &UnitsPanel::runRequested);
}

QWidget* UnitsPanel::makePage()
{
    m_pages = new QStackedWidget(this);
    m_empty = new EmptyState(m_pages);
    m_page = new QWidget(m_pages);
    m_legend = makeMutedLabel({}, m_page);
    m_legend->setObjectName(m_prefix % QStringLiteral("Legend"));
    m_legend->setFont(Theme::smallFont());
    m_legend->setWordWrap(true);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_pages, 1);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_obstacle.isEmpty())
            Q_EMIT runRequested();
        else
            Q_EMIT obstacleActionRequested();
    });
    return m_page;
}

void UnitsPanel::setLayer(std::int64_t layer)
{
    if (!m_layerChosen)
        m_form.set("layer", std::to_string(layer));
}

void UnitsPanel::setObstacle(const QString& text, const QString& action)
{
    m_obstacle = text;
    m_obstacleAction = action;
    refresh();
}

void UnitsPanel::setBusy(bool busy)
{
    m_isBusy = busy;
    refresh();
}

void UnitsPanel::setProblem(const QString& title, const QString& text)
{
    m_pages->setCurrentWidget(m_empty);
    m_empty->setMessage(title, text, m_words.again, true);
}

void UnitsPanel::showState(bool hasResult, bool isReady, const QString& of)
{
    m_pages->setCurrentWidget(hasResult ? m_page : m_empty);
    if (m_isBusy)
        m_empty->setMessage(m_words.running, m_words.runningText);
    else if (!m_obstacle.isEmpty())
        m_empty->setMessage(m_words.obstructed, m_obstacle, m_obstacleAction);
    else
        m_empty->setMessage(m_words.empty, m_words.emptyText, m_words.emptyAction);
    m_run->setEnabled(!m_isBusy && m_obstacle.isEmpty() && isReady);
    m_of->setFullText(of);
}

QString UnitsPanel::ofText() const
{
    return m_of->fullText();
}

QString UnitsPanel::legendText() const
{
    return m_legend->text();
}

} // namespace headscope::ui
