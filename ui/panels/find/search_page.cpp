// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/search_page.h"

#include "ui/models/roles.h"
#include "ui/panels/data/choice_buttons.h"
#include "ui/panels/find/hit_delegate.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{
namespace
{

QLineEdit* makeSearchField(QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setObjectName(QStringLiteral("findText"));
    field->setAccessibleName(SearchPage::tr("Search the texts and ids"));
    field->setPlaceholderText(SearchPage::tr("Words, “a phrase”"));
    field->setToolTip(SearchPage::tr("Find texts or ids that contain all these words and “quoted phrases”; case is "
                                     "ignored. Return: next document. Down: list."));
    addClearButton(*field);
    return field;
}

QToolButton* makePatternButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("findPattern"));
    button->setText(QStringLiteral(".*"));
    button->setCheckable(true);
    button->setProperty("boxed", true);
    button->setProperty("square", true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(SearchPage::tr("Regular expression"));
    button->setToolTip(
        SearchPage::tr("Search by regular expression. Case is ignored unless the expression starts with (?-i)."));
    return button;
}

QListView* makeHitList(HitListModel* model, QWidget* parent)
{
    auto* list = new QListView(parent);
    list->setObjectName(QStringLiteral("findList"));
    list->setAccessibleName(SearchPage::tr("Documents found"));
    list->setModel(model);
    list->setItemDelegate(new HitDelegate(list));
    list->setUniformItemSizes(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return list;
}

} // namespace

SearchPage::SearchPage(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    m_field = makeSearchField(this);
    m_field->installEventFilter(this);
    m_pattern = makePatternButton(this);
    row->addWidget(m_field, 1);
    row->addWidget(m_pattern);
    layout->addLayout(row);
    m_error = new QLabel(this);
    m_error->setObjectName(QStringLiteral("findError"));
    m_error->setFont(Theme::smallFont());
    m_error->setProperty("role", QStringLiteral("warning"));
    m_error->setWordWrap(true);
    layout->addWidget(m_error);
    m_count = makeMutedLabel({}, this);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setFont(Theme::smallFont());
    m_count->setWordWrap(true);
    layout->addWidget(m_count);
    m_buttons = new ChoiceButtons(tr("the documents found"), QStringLiteral("found"), this);
    layout->addWidget(m_buttons);
    m_model = new HitListModel(this);
    m_list = makeHitList(m_model, this);
    layout->addWidget(m_list, 1);
    layout->addStretch(0);

    connect(m_field, &QLineEdit::textChanged, this, &SearchPage::ask);
    connect(m_pattern, &QToolButton::toggled, this, &SearchPage::ask);
    connect(m_buttons, &ChoiceButtons::chosen, this, [this](SetOperation operation) {
        if (m_model->result() != nullptr)
            Q_EMIT pickRequested(m_model->result()->documents(), operation);
    });
    const auto show = [this](const QModelIndex& index) {
        Q_EMIT documentClicked(DocumentIndex(index.data(DocumentRole).toLongLong()));
    };
    connect(m_list, &QListView::clicked, this, show);
    connect(m_list, &QListView::activated, this, show);
    refresh();
}

void SearchPage::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("findText"), *m_field);
    bind(state, QStringLiteral("findPattern"), *m_pattern);
}

void SearchPage::setDocuments(std::shared_ptr<const DocumentSet> documents)
{
    m_documents = std::move(documents);
    m_primary.reset();
    m_model->setResult(m_documents, nullptr);
    ask();
}

void SearchPage::ask()
{
    const auto kind = m_pattern->isChecked() ? TextQuery::Kind::Pattern : TextQuery::Kind::Words;
    const Result<TextQuery> query = TextQuery::parse(m_field->text(), kind);
    m_problem = query ? QString() : toQString(query.error().message);
    m_field->setProperty("invalid", !query.has_value());
    m_field->style()->unpolish(m_field);
    m_field->style()->polish(m_field);
    const TextQuery wanted = query ? *query : TextQuery();
    m_waiting = m_documents != nullptr && !wanted.isEmpty();
    if (!m_waiting)
        m_model->setResult(m_documents, nullptr);
    refresh();
    m_isNew = true;
    Q_EMIT searchRequested(wanted);
}

void SearchPage::setResult(std::shared_ptr<const SearchResult> result)
{
    m_waiting = false;
    m_model->setResult(m_documents, result != nullptr && result->query.isEmpty() ? nullptr : std::move(result));
    refresh();
    // What another search is for is read from its first document on, wherever that of the last one stands in it.
    const bool isNew = std::exchange(m_isNew, false);
    m_list->setAutoScroll(!isNew);
    markPrimary();
    m_list->setAutoScroll(true);
    if (isNew)
        m_list->scrollToTop();
}

QString SearchPage::countLine() const
{
    return m_count->text();
}

void SearchPage::refresh()
{
    m_error->setText(m_problem);
    m_error->setVisible(!m_problem.isEmpty());
    const auto& result = m_model->result();
    const bool any = result != nullptr && !result->hits.empty();
    m_buttons->setVisible(any);
    m_list->setVisible(any);
    QString line;
    if (m_documents == nullptr)
        line = tr("Open a cache to search its texts.");
    else if (result != nullptr)
    {
        line =
            tr("%1 of %2 · %3")
                .arg(countText(std::ssize(result->hits)), countText(result->searched, tr("document"), tr("documents")),
                     countText(result->occurrences, tr("hit"), tr("hits")));
        if (result->gaveUp > 0)
            line += tr("\nThe expression was too slow to search %1.")
                        .arg(countText(result->gaveUp, tr("document"), tr("documents")));
        if (m_documents->texts.empty())
            line += tr("\nThe cache holds no texts, so only ids were searched.");
    }
    else if (m_waiting)
        line = tr("Searching…");
    else if (m_problem.isEmpty())
        line = tr("Find documents whose text or id contains all the words that you type. You can select them; matches "
                  "are marked in the text.");
    m_count->setText(line);
    m_count->setVisible(!line.isEmpty());
    setAccessibleDescription(m_problem.isEmpty() ? line : m_problem);
}

void SearchPage::setPrimary(std::optional<DocumentIndex> document)
{
    m_primary = document;
    markPrimary();
}

void SearchPage::markPrimary()
{
    const int row = m_primary ? m_model->rowOf(*m_primary) : -1;
    if (row < 0)
        m_list->clearSelection();
    else if (m_list->currentIndex().row() != row || !m_list->selectionModel()->isRowSelected(row))
        m_list->setCurrentIndex(m_model->index(row));
}

void SearchPage::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void SearchPage::showNext(int step)
{
    const int rows = m_model->rowCount();
    if (rows == 0)
        return;
    const int now = m_list->selectionModel()->hasSelection() ? m_list->currentIndex().row() : step > 0 ? -1 : rows;
    const QModelIndex next = m_model->index((now + step + rows) % rows);
    m_list->setCurrentIndex(next);
    Q_EMIT documentClicked(DocumentIndex(next.data(DocumentRole).toLongLong()));
}

bool SearchPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key())
    {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        showNext(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
        return true;
    case Qt::Key_Down:
        if (m_model->rowCount() > 0)
        {
            if (!m_list->currentIndex().isValid())
                m_list->setCurrentIndex(m_model->index(0));
            m_list->setFocus(Qt::TabFocusReason);
        }
        return true;
    case Qt::Key_Escape:
        if (m_field->text().isEmpty())
            return false;
        m_field->clear();
        return true;
    default:
        return false;
    }
}

} // namespace headscope::ui
