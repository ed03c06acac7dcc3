// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/query_row.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui
{

QueryRow::QueryRow(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    lines->setSpacing(Metrics::kGrid);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_text = new QLineEdit(this);
    m_text->setObjectName(QStringLiteral("queryText"));
    m_text->setAccessibleName(tr("Query text"));
    m_text->setPlaceholderText(tr("Type a query…"));
    addClearButton(*m_text);
    m_text->setMinimumWidth(140);
    m_ask = new QPushButton(tr("Search"), this);
    m_ask->setObjectName(QStringLiteral("queryAsk"));
    m_askDocument = new QPushButton(tr("Search with selected document"), this);
    m_askDocument->setObjectName(QStringLiteral("queryDocument"));
    m_askDocument->setToolTip(tr("Use the document in the Document tab as the query"));
    row->addWidget(m_text, 1);
    row->addWidget(m_ask);
    row->addWidget(m_askDocument);
    lines->addLayout(row);

    m_needLine = new QWidget(this);
    auto* need = new QHBoxLayout(m_needLine);
    need->setContentsMargins(0, 0, 0, 0);
    need->setSpacing(Metrics::kRelated);
    m_need = makeMutedLabel({}, m_needLine);
    m_need->setObjectName(QStringLiteral("queryNeed"));
    m_need->setWordWrap(true); // a sentence is read whole
    m_choose = new QPushButton(tr("Open model…"), m_needLine);
    m_choose->setObjectName(QStringLiteral("queryModel"));
    m_choose->setToolTip(tr("Open the file or folder of the model. The path is remembered for caches of this model."));
    need->addWidget(m_need, 1);
    need->addWidget(m_choose);
    lines->addWidget(m_needLine);

    m_query = new ElidedLabel({}, this);
    m_query->setObjectName(QStringLiteral("queryShown"));
    lines->addWidget(m_query);
    m_wrong = new QLabel(this);
    m_wrong->setObjectName(QStringLiteral("queryWrong"));
    m_wrong->setTextFormat(Qt::PlainText);
    m_wrong->setProperty("role", QStringLiteral("warning"));
    m_wrong->setWordWrap(true);
    lines->addWidget(m_wrong);
    const auto ask = [this] {
        if (const QString text = m_text->text().trimmed(); !text.isEmpty() && m_ask->isEnabled())
            Q_EMIT textAsked(text);
        else if (!text.isEmpty() && m_model.isEmpty())
            m_choose->setFocus(); // what is missing
    };
    connect(m_text, &QLineEdit::returnPressed, this, ask);
    connect(m_text, &QLineEdit::textChanged, this, &QueryRow::refresh);
    connect(m_ask, &QPushButton::clicked, this, ask);
    connect(m_askDocument, &QPushButton::clicked, this, &QueryRow::chosenDocumentAsked);
    connect(m_choose, &QPushButton::clicked, this, &QueryRow::modelRequested);
    refresh();
}

void QueryRow::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("queryText"), *m_text);
}

void QueryRow::setOpen(bool open)
{
    m_open = open;
    refresh();
}

void QueryRow::setDocumentAllowed(bool allowed)
{
    m_askDocument->setEnabled(allowed);
}

void QueryRow::setModel(const QString& model, const QString& need)
{
    m_model = model;
    m_need->setText(need);
    refresh();
}

void QueryRow::setBusy(const QString& text)
{
    m_busy = text;
    if (!text.isEmpty())
        m_problem.clear();
    refresh();
}

void QueryRow::setQuery(const QString& query)
{
    m_asked = query;
    m_problem.clear();
    refresh();
}

void QueryRow::setProblem(const QString& sentence)
{
    m_problem = sentence;
    refresh();
}

QString QueryRow::query() const
{
    return m_wrong->isHidden() ? m_query->fullText() : m_wrong->text();
}

QString QueryRow::need() const
{
    return m_needLine->isHidden() ? QString() : m_need->text();
}

void QueryRow::refresh()
{
    m_text->setEnabled(m_open);
    const bool ready = m_open && !m_model.isEmpty() && m_busy.isEmpty();
    m_ask->setEnabled(ready && !m_text->text().trimmed().isEmpty());
    const QString tip =
        !m_open ? tr("Open a cache first")
        : m_model.isEmpty()
            ? tr("Open the model first: it embeds the text")
            : tr("%1 embeds the text; the search then runs as for a document").arg(QFileInfo(m_model).fileName());
    m_text->setToolTip(tip);
    m_ask->setToolTip(tip);
    const bool hadFocus = m_choose->hasFocus();
    m_needLine->setVisible(m_open && m_model.isEmpty());
    if (hadFocus && m_needLine->isHidden())
        m_text->setFocus(); // not whatever comes next
    const bool wrong = m_busy.isEmpty() && !m_problem.isEmpty();
    m_wrong->setText(m_problem);
    m_wrong->setVisible(wrong);
    m_query->setFullText(!m_busy.isEmpty() ? m_busy : m_asked);
    m_query->setVisible(!wrong && !m_query->fullText().isEmpty());
}

} // namespace headscope::ui
