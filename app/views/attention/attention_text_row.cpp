// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_text_row.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui
{

AttentionTextRow::AttentionTextRow(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kGrid);
    lines->setSpacing(Metrics::kGrid);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_text = new QLineEdit(this);
    m_text->setObjectName(QStringLiteral("attentionText"));
    m_text->setAccessibleName(tr("Text to show attention for"));
    m_text->setPlaceholderText(tr("Type a sentence…"));
    addClearButton(*m_text);
    m_text->setMinimumWidth(180);
    m_show = new QPushButton(tr("Show"), this);
    m_show->setObjectName(QStringLiteral("attentionShow"));
    m_document = new QPushButton(tr("Document…"), this);
    m_document->setObjectName(QStringLiteral("attentionDocument"));
    m_stored = new QPushButton(tr("Stored"), this);
    m_stored->setObjectName(QStringLiteral("attentionStored"));
    m_stored->setToolTip(tr("Show a stored run. No model is needed."));
    m_runs = new QMenu(m_stored);
    m_runs->setToolTipsVisible(true);
    m_stored->setMenu(m_runs);
    m_stored->hide();
    row->addWidget(m_text, 1);
    for (QPushButton* button : {m_show, m_document, m_stored})
        row->addWidget(button);
    lines->addLayout(row);
    lines->addWidget(buildNeed());
    lines->addWidget(buildBusy());
    m_wrong = new QLabel(this);
    m_wrong->setObjectName(QStringLiteral("attentionWrong"));
    m_wrong->setTextFormat(Qt::PlainText);
    m_wrong->setProperty("role", QStringLiteral("warning"));
    m_wrong->setWordWrap(true);
    lines->addWidget(m_wrong);
    m_noteLine = new ElidedLabel({}, this);
    m_noteLine->setObjectName(QStringLiteral("attentionNote"));
    m_noteLine->setProperty("role", QStringLiteral("muted"));
    lines->addWidget(m_noteLine);
    connect(m_text, &QLineEdit::returnPressed, this, &AttentionTextRow::ask);
    connect(m_text, &QLineEdit::textChanged, this, &AttentionTextRow::refresh);
    connect(m_show, &QPushButton::clicked, this, &AttentionTextRow::ask);
    connect(m_document, &QPushButton::clicked, this, &AttentionTextRow::documentWanted);
    setDocumentAllowed(false, tr("Open a cache first"));
}

void AttentionTextRow::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("attentionText"), *m_text);
}

QWidget* AttentionTextRow::buildNeed()
{
    m_needLine = new QWidget(this);
    auto* need = new QHBoxLayout(m_needLine);
    need->setContentsMargins(0, 0, 0, 0);
    need->setSpacing(Metrics::kRelated);
    m_need = makeMutedLabel({}, m_needLine);
    m_need->setObjectName(QStringLiteral("attentionNeed"));
    m_need->setWordWrap(true);
    m_choose = new QPushButton(tr("Open model…"), m_needLine);
    m_choose->setObjectName(QStringLiteral("attentionModel"));
    m_choose->setToolTip(tr("Open the file or folder of the model. The path is remembered for caches of this model."));
    need->addWidget(m_need, 1);
    need->addWidget(m_choose);
    connect(m_choose, &QPushButton::clicked, this, &AttentionTextRow::modelRequested);
    return m_needLine;
}

QWidget* AttentionTextRow::buildBusy()
{
    m_busyLine = new QWidget(this);
    auto* busy = new QHBoxLayout(m_busyLine);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->setSpacing(Metrics::kRelated);
    m_busyText = new ElidedLabel({}, m_busyLine);
    m_busyText->setProperty("role", QStringLiteral("muted"));
    auto* stop = new QPushButton(tr("Stop"), m_busyLine);
    stop->setObjectName(QStringLiteral("attentionStop"));
    busy->addWidget(m_busyText, 1);
    busy->addWidget(stop);
    connect(stop, &QPushButton::clicked, this, &AttentionTextRow::stopRequested);
    return m_busyLine;
}

void AttentionTextRow::ask()
{
    const QString text = m_text->text();
    if (text.trimmed().isEmpty())
        return setProblem(tr("Type a sentence first."));
    if (m_show->isEnabled())
        Q_EMIT textAsked(text);
    else if (m_model.isEmpty())
        m_choose->setFocus(); // what is missing
}

void AttentionTextRow::setText(const QString& text)
{
    m_text->setText(text);
    m_text->setCursorPosition(0);
}

QString AttentionTextRow::text() const
{
    return m_text->text();
}

void AttentionTextRow::setModel(const QString& model, const QString& need)
{
    m_model = model;
    m_need->setText(need);
    refresh();
}

void AttentionTextRow::setStoredRuns(const std::vector<StoredRunEntry>& runs)
{
    m_runs->clear();
    for (const StoredRunEntry& run : runs)
    {
        // A single & would be taken for the mark of a key.
        QAction* action = m_runs->addAction(QString(run.title).replace(u'&', QStringLiteral("&&")));
        action->setToolTip(run.tip);
        connect(action, &QAction::triggered, this, [this, name = run.name] { Q_EMIT storedWanted(name); });
    }
    m_stored->setVisible(!runs.empty());
}

void AttentionTextRow::setDocumentAllowed(bool allowed, const QString& why)
{
    m_document->setEnabled(allowed);
    m_document->setToolTip(allowed ? tr("Show the attention of the selected document, or select another one") : why);
}

void AttentionTextRow::setBusy(const QString& text)
{
    m_busy = text;
    if (!text.isEmpty())
        m_problem.clear();
    refresh();
}

void AttentionTextRow::setProblem(const QString& sentence)
{
    m_problem = sentence;
    refresh();
}

void AttentionTextRow::setNote(const QString& text)
{
    m_note = text;
    refresh();
}

QString AttentionTextRow::said() const
{
    return !m_busy.isEmpty() ? m_busy : !m_problem.isEmpty() ? m_problem : m_note;
}

QString AttentionTextRow::need() const
{
    return m_needLine->isHidden() ? QString() : m_need->text();
}

void AttentionTextRow::refresh()
{
    const bool ready = !m_model.isEmpty() && m_busy.isEmpty();
    m_show->setEnabled(ready && !m_text->text().trimmed().isEmpty());
    const QString tip = m_model.isEmpty() ? tr("Open the model first: it processes the text")
                                          : tr("%1 processes the text").arg(m_model);
    m_text->setToolTip(tip);
    m_show->setToolTip(tip);
    const bool hadFocus = m_choose->hasFocus();
    m_needLine->setVisible(m_model.isEmpty() && !m_need->text().isEmpty());
    if (hadFocus && m_needLine->isHidden())
        m_text->setFocus(); // not whatever comes next
    const bool wrong = m_busy.isEmpty() && !m_problem.isEmpty();
    m_busyText->setFullText(m_busy);
    m_busyLine->setVisible(!m_busy.isEmpty());
    m_wrong->setText(m_problem);
    m_wrong->setVisible(wrong);
    m_noteLine->setFullText(m_note);
    m_noteLine->setVisible(m_busy.isEmpty() && !wrong && !m_note.isEmpty());
}

} // namespace headscope::ui
