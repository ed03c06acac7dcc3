// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/chosen/chosen_panel.h"

#include "ui/models/chosen_bars_model.h"
#include "ui/models/chosen_model.h"
#include "ui/models/roles.h"
#include "ui/panels/chosen/chosen_bars.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 268;
constexpr int kTextWidth = 150;
constexpr int kNarrow = 88;

} // namespace

ChosenPanel::ChosenPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("chosenPanel"));
    setMinimumWidth(kPanelWidth);
    m_stack = new QStackedLayout(this);
    m_empty = new EmptyState(this);
    m_empty->setObjectName(QStringLiteral("chosenEmpty")); // on the panel's ground, as its neighbours
    m_empty->setMessage(
        tr("Nothing selected"),
        tr("Draw around points of the map with the lasso (L) or rectangle (R), or select documents in the Find tab."),
        tr("Select with lasso"));
    connect(m_empty, &EmptyState::actionRequested, this, &ChosenPanel::lassoRequested);
    m_stack->addWidget(m_empty);
    m_page = new QWidget(this);
    m_stack->addWidget(m_page);
    buildHead(m_page);
    auto* splitter = new QSplitter(Qt::Vertical, m_page);
    splitter->setObjectName(QStringLiteral("chosenSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    m_barsModel = new ChosenBarsModel(this);
    m_bars = new ChosenBars(m_barsModel, splitter);
    m_bars->setObjectName(QStringLiteral("chosenBars"));
    m_bars->setAccessibleName(tr("Composition of the selection"));
    m_bars->setToolTip(tr("Bar: proportion of the selection. Mark: proportion of all documents. Click: keep only these "
                          "documents. Shift+click: remove them."));
    m_bars->setMinimumHeight(3 * ChosenBarDelegate::kHeight);
    connect(m_bars, &ChosenBars::barClicked, this, &ChosenPanel::barClicked);
    splitter->addWidget(m_bars);
    auto* below = new QWidget(splitter);
    buildTable(below);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    m_page->layout()->addWidget(splitter);
}

void ChosenPanel::buildHead(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    m_counts = new QLabel(page);
    m_counts->setObjectName(QStringLiteral("chosenCounts"));
    m_counts->setFont(Theme::bodyFont(true));
    m_counts->setWordWrap(true);
    layout->addWidget(m_counts);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    m_name = new QLineEdit(page);
    m_name->setObjectName(QStringLiteral("chosenName"));
    m_name->setAccessibleName(tr("Name of the set"));
    m_name->setToolTip(tr("Name for the new set. Without a name, the next free name is used."));
    m_keep = new QPushButton(tr("Save selection as set"), page);
    m_keep->setObjectName(QStringLiteral("chosenKeep"));
    m_keep->setAccessibleName(tr("Save as named set"));
    m_keep->setToolTip(
        tr("Save the selected documents with this name (see Find › Sets), replacing a set of the same name"));
    m_keep->setAutoDefault(false);
    row->addWidget(m_name, 1);
    row->addWidget(m_keep);
    layout->addLayout(row);
    const auto keep = [this] {
        Q_EMIT keepRequested(m_name->text());
        m_name->clear();
    };
    connect(m_keep, &QPushButton::clicked, this, keep);
    connect(m_name, &QLineEdit::returnPressed, this, keep);
    auto* more = new QHBoxLayout;
    more->setSpacing(Metrics::kGrid);
    const auto make = [&](const QString& text, const QString& name, const QString& tip) {
        auto* button = new QToolButton(page);
        button->setText(text);
        button->setObjectName(name);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setProperty("boxed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        more->addWidget(button);
        return button;
    };
    m_showOnly =
        make(tr("Show only"), QStringLiteral("chosenShowOnly"), tr("Show only the selected documents in every view"));
    m_save = make(tr("Save CSV…"), QStringLiteral("chosenSave"), tr("Save the table as currently sorted and filtered"));
    more->addStretch(1);
    layout->addLayout(more);
    connect(m_showOnly, &QToolButton::clicked, this, &ChosenPanel::showOnlyRequested);
    connect(m_save, &QToolButton::clicked, this, &ChosenPanel::saveRequested);
}

void ChosenPanel::buildTable(QWidget* parent)
{
    auto* layout = new QVBoxLayout(parent);
    layout->setContentsMargins(0, Metrics::kRelated, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    m_filter = new QLineEdit(parent);
    m_filter->setObjectName(QStringLiteral("chosenFilter"));
    m_filter->setAccessibleName(tr("Filter the table"));
    m_filter->setPlaceholderText(tr("Filter: words, “a phrase”"));
    m_filter->setToolTip(
        tr("List only documents whose id, text or labels contain all these words. The selection does not change."));
    addClearButton(*m_filter);
    layout->addWidget(m_filter);
    m_listed = makeMutedLabel({}, parent);
    m_listed->setObjectName(QStringLiteral("chosenListed"));
    m_listed->setFont(Theme::smallFont());
    layout->addWidget(m_listed);
    m_model = new ChosenModel(this);
    m_table = new QTableView(parent);
    m_table->setObjectName(QStringLiteral("chosenTable"));
    m_table->setAccessibleName(tr("Selected documents"));
    m_table->setToolTip(tr("Click or press Return to show a document in every view; double-click to open its tab"));
    dressTable(m_table);
    m_table->setModel(m_model);
    m_table->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setMinimumHeight(120);
    layout->addWidget(m_table, 1);
    connect(m_model, &ChosenModel::sortRequested, this, [this](int column, bool descending) {
        if (std::exchange(m_sortColumn, column) != column || m_descending != descending)
        {
            m_descending = descending;
            Q_EMIT orderChanged();
        }
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ChosenPanel::orderChanged);
    const auto show = [this](const QModelIndex& index) {
        Q_EMIT documentClicked(DocumentIndex(index.data(DocumentRole).toLongLong()));
    };
    connect(m_table, &QTableView::clicked, this, show);
    connect(m_table, &QTableView::activated, this, show);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT documentOpened(DocumentIndex(index.data(DocumentRole).toLongLong()));
    });
}

void ChosenPanel::setCounts(std::int64_t documents, std::int64_t all, std::optional<std::int64_t> points)
{
    m_stack->setCurrentWidget(documents == 0 ? static_cast<QWidget*>(m_empty) : m_page);
    const QString text = tr("%1 of %2").arg(countText(documents), countText(all, tr("document"), tr("documents")));
    m_counts->setText(points ? tr("%1 in %2").arg(countText(*points, tr("point"), tr("points")), text) : text);
    setAccessibleDescription(documents == 0 ? tr("nothing selected") : m_counts->text());
}

void ChosenPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT shown();
}

QString ChosenPanel::countsText() const
{
    return m_counts->text();
}

bool ChosenPanel::isEmptyShown() const
{
    return m_stack->currentWidget() == m_empty;
}

void ChosenPanel::setTable(std::shared_ptr<const ChosenTable> table, std::vector<std::int64_t> rows)
{
    const int columns = m_model->columnCount();
    // Bars, widths and the sorted column stay where the columns are the same.
    m_barsModel->setSummary(table == nullptr ? nullptr : std::shared_ptr<const ChosenSummary>(table, &table->summary()),
                            table == nullptr ? Stage::HeadOutput : table->stage());
    m_model->setTable(std::move(table), std::move(rows));
    if (m_model->columnCount() != columns)
    {
        for (int column = 0; column < m_model->columnCount(); ++column)
            m_table->setColumnWidth(column,
                                    m_model->table()->kind(column) == ChosenTable::Kind::Text ? kTextWidth : kNarrow);
        if (m_sortColumn >= m_model->columnCount())
        {
            m_sortColumn = 0;
            m_descending = false;
            const QSignalBlocker quiet(m_table->horizontalHeader());
            m_table->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
        }
    }
    refreshShown();
}

void ChosenPanel::setRows(std::vector<std::int64_t> rows)
{
    m_model->setTable(m_model->table(), std::move(rows));
    refreshShown();
}

void ChosenPanel::refreshShown()
{
    const std::int64_t all = m_model->table() == nullptr ? 0 : m_model->table()->rowCount();
    const std::int64_t listed = m_model->rowCount();
    m_listed->setText(listed == all ? QString() : tr("%1 of %2 listed").arg(countText(listed), countText(all)));
    m_listed->setVisible(listed != all);
}

void ChosenPanel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_barsModel->setHeadPalette(palette);
}

void ChosenPanel::setPrimary(std::optional<DocumentIndex> document)
{
    const int row = document && m_model->table() != nullptr ? m_model->rowOf(*document) : -1;
    if (row < 0)
        return m_table->clearSelection();
    if (m_table->currentIndex().row() != row || !m_table->selectionModel()->hasSelection())
        m_table->setCurrentIndex(m_model->index(row, std::max(0, m_table->currentIndex().column())));
}

void ChosenPanel::setFreeName(const QString& name)
{
    m_name->setPlaceholderText(name);
}

ChosenOrder ChosenPanel::order() const
{
    const auto query = TextQuery::parse(m_filter->text(), TextQuery::Kind::Words);
    return {m_sortColumn, m_descending, query ? *query : TextQuery()};
}

} // namespace headscope::ui
