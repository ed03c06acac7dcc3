// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/figure_list_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 860;
constexpr int kHeight = 420;
constexpr std::size_t kMaxPanels = 26; ///< as many as there are letters

enum ListColumn
{
    File,
    Shows,
    Size,
    State,
    Columns
};

QPushButton* makeButton(const QString& text, const char* name, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1StringView(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

} // namespace

FigureListDialog::FigureListDialog(QWidget* parent)
    : QDialog(parent), m_form([this](Fields& f) { fields(f, m_layout); }, QStringLiteral("figure"), this)
{
    setObjectName(QStringLiteral("figureListDialog"));
    setWindowTitle(tr("Figures of this project"));
    resize(kWidth, kHeight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kRelated);
    makeList();
    m_note = makeMutedLabel({}, this);
    m_note->setObjectName(QStringLiteral("figureListNote"));
    m_note->setWordWrap(true);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_show =
        makeButton(tr("Show"), "figureShow", tr("Restore the window to its state when this figure was saved"), this);
    m_remove =
        makeButton(tr("Remove from list"), "figureRemove", tr("Remove from this list; files are not deleted"), this);
    makePanels();
    m_close = makeButton(tr("Close"), "figureClose", {}, this);
    m_some = makeButton(tr("Save selected again"), "figureSaveChosen",
                        tr("Save the selected figures again from the current data, replacing their files"), this);
    m_all = makeButton(tr("Save all again"), "figureSaveAll",
                       tr("Save every figure again from the current data, replacing its file"), this);
    m_all->setDefault(true);
    row->addWidget(m_show);
    row->addWidget(m_remove);
    row->addSpacing(Metrics::kGroups);
    row->addWidget(m_panels);
    row->addWidget(m_form.editor("columns"));
    row->addStretch(1);
    for (QPushButton* button : {m_close, m_some, m_all})
        row->addWidget(button);
    layout->addLayout(row);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &FigureListDialog::refresh);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(chosen().front()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { Q_EMIT removeRequested(chosen()); });
    connect(m_some, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(chosen()); });
    connect(m_all, &QPushButton::clicked, this, [this] {
        std::vector<int> all;
        for (int each = 0; each < m_list->topLevelItemCount(); ++each)
            all.push_back(each);
        Q_EMIT saveRequested(all);
    });
    connect(m_close, &QPushButton::clicked, this, [this] {
        if (m_busy)
            Q_EMIT stopRequested();
        else
            close();
    });
    refresh();
}

void FigureListDialog::makePanels()
{
    m_panels = makeButton(
        tr("Save as panels…"), "figurePanels",
        tr("Save one figure with the selected views as panels (a), (b), (c), redrawn in the order of the list"), this);
    m_form.makeAlone("columns", this);
    connect(m_panels, &QPushButton::clicked, this,
            [this] { Q_EMIT panelsRequested(chosen(), static_cast<int>(m_layout.columns)); });
}

void FigureListDialog::makeList()
{
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("figureList"));
    m_list->setAccessibleName(tr("Figures"));
    m_list->setColumnCount(Columns);
    m_list->setHeaderLabels({tr("Figure"), tr("Shows"), tr("Size"), tr("State")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(true);
    m_list->header()->setSectionsClickable(false);
    constexpr int kFileWidth = 190;
    constexpr int kShowsWidth = 240;
    constexpr int kSizeWidth = 180;
    m_list->header()->resizeSection(File, kFileWidth);
    m_list->header()->resizeSection(Shows, kShowsWidth);
    m_list->header()->resizeSection(Size, kSizeWidth);
    auto* inside = new QVBoxLayout(m_list->viewport());
    m_empty =
        makeMutedLabel(tr("No figures saved in this project. Use File > Save view… to save one."), m_list->viewport());
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    inside->addWidget(m_empty);
}

void FigureListDialog::setRows(const std::vector<FigureRow>& rows)
{
    const auto count = static_cast<int>(rows.size());
    while (m_list->topLevelItemCount() > count)
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    while (m_list->topLevelItemCount() < count)
        m_list->addTopLevelItem(new QTreeWidgetItem);
    m_isPage.clear();
    for (int each = 0; each < count; ++each)
    {
        const FigureRow& row = rows[static_cast<std::size_t>(each)];
        m_isPage.push_back(row.isPage);
        QTreeWidgetItem* item = m_list->topLevelItem(each);
        item->setText(File, QFileInfo(row.file).fileName());
        item->setToolTip(File, row.file);
        item->setText(Shows, row.shows);
        item->setToolTip(Shows, row.shows);
        item->setText(Size, row.size);
        item->setToolTip(Size, row.size);
        item->setText(State, row.state);
        item->setToolTip(State, row.state);
        item->setForeground(State, row.failed ? QBrush(Theme::instance().colors().warning) : QBrush());
    }
    refresh();
}

void FigureListDialog::setBusy(const QString& text)
{
    m_busy = !text.isEmpty();
    if (m_busy)
        setNote(text);
    refresh();
}

void FigureListDialog::setNote(const QString& note)
{
    m_note->setText(note);
}

QString FigureListDialog::note() const
{
    return m_note->text();
}

std::vector<int> FigureListDialog::chosen() const
{
    std::vector<int> rows;
    for (int each = 0; each < m_list->topLevelItemCount(); ++each)
        if (m_list->topLevelItem(each)->isSelected())
            rows.push_back(each);
    return rows;
}

void FigureListDialog::refresh()
{
    const std::vector<int> rows = chosen();
    const std::size_t count = rows.size();
    const bool areViews = std::ranges::none_of(rows, [this](int row) {
        return static_cast<std::size_t>(row) < m_isPage.size() && m_isPage[static_cast<std::size_t>(row)];
    });
    m_empty->setVisible(m_list->topLevelItemCount() == 0);
    m_show->setEnabled(!m_busy && count == 1 && areViews);
    m_panels->setEnabled(!m_busy && count > 1 && count <= kMaxPanels && areViews);
    m_form.editor("columns")->setEnabled(m_panels->isEnabled());
    m_remove->setEnabled(!m_busy && count > 0);
    m_some->setEnabled(!m_busy && count > 0);
    m_all->setEnabled(!m_busy && m_list->topLevelItemCount() > 0);
    m_close->setText(m_busy ? tr("Stop") : tr("Close"));
}

void FigureListDialog::done(int result)
{
    if (m_busy)
        Q_EMIT stopRequested();
    QDialog::done(result);
}

} // namespace headscope::ui
