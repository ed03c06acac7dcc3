// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document/nearest_lists.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kRow = 24;
constexpr int kMark = 6;

} // namespace

NearestLists::NearestLists(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Metrics::kGrid, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    m_columns = new QBoxLayout(QBoxLayout::TopToBottom);
    m_columns->setSpacing(Metrics::kRelated);
    layout->addLayout(m_columns);
    m_byHead = makeList(tr("Nearest by one head or segment"), QStringLiteral("nearestHeadTable"));
    m_byFull = makeList(tr("Nearest by full vector"), QStringLiteral("nearestFullTable"));
    m_byFull.title->setDetail(tr("full vector"));
    m_legend = makeMutedLabel({}, this);
    m_legend->setFont(Theme::smallFont());
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setWordWrap(true);
    layout->addWidget(m_legend);
    onThemeChange(this, [this] {
        m_legend->setText(QStringLiteral("<span style=\"color: %1\">■</span> %2")
                              .arg(Theme::instance().colors().accent.name(), tr("only in this list")));
    });
}

NearestLists::List NearestLists::makeList(const QString& title, const QString& name)
{
    List list;
    list.part = new QWidget(this);
    auto* layout = new QVBoxLayout(list.part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    list.title = new SectionLabel(tr("Nearest"), list.part);
    layout->addWidget(list.title);
    list.whyNot = makeMutedLabel({}, list.part);
    list.whyNot->setFont(Theme::smallFont());
    list.whyNot->setWordWrap(true);
    layout->addWidget(list.whyNot);
    QVBoxLayout* card = nullptr;
    QFrame* frame = makeCard(list.part, &card);
    list.frame = frame;
    card->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(frame);
    layout->addStretch(0);
    list.model = new NearestModel(this);
    list.table = new QTableView(frame);
    list.table->setObjectName(name);
    list.table->setAccessibleName(title);
    list.table->setAccessibleDescription(QObject::tr("Nearest first. Return shows the document."));
    list.table->setModel(list.model);
    list.table->setFont(Theme::smallFont());
    list.table->setShowGrid(false);
    list.table->setWordWrap(false);
    list.table->setTextElideMode(Qt::ElideRight);
    list.table->setIconSize({kMark, kMark});
    list.table->setTabKeyNavigation(false);
    list.table->setSelectionBehavior(QAbstractItemView::SelectRows);
    list.table->setSelectionMode(QAbstractItemView::SingleSelection);
    list.table->horizontalHeader()->hide();
    list.table->verticalHeader()->hide();
    list.table->verticalHeader()->setDefaultSectionSize(kRow);
    list.table->horizontalHeader()->setMinimumSectionSize(44);
    list.table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    list.table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Fixed);
    list.table->setColumnWidth(1, 48);
    list.table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list.table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    card->addWidget(list.table);
    m_columns->addWidget(list.part, 1, Qt::AlignTop);
    const auto follow = [this](const QModelIndex& index) {
        Q_EMIT documentClicked(DocumentIndex(index.data(DocumentRole).toLongLong()));
    };
    connect(list.table, &QTableView::clicked, this, follow);
    connect(list.table, &QTableView::activated, this, follow);
    return list;
}

void NearestLists::show(const List& list, const std::shared_ptr<const DocumentSet>& documents,
                        const std::vector<NearDocument>& nearest, const std::vector<NearDocument>& other,
                        const QString& whyNot)
{
    list.model->setDocuments(documents, nearest, other);
    list.whyNot->setText(nearest.empty() ? whyNot : QString());
    list.whyNot->setVisible(!list.whyNot->text().isEmpty());
    list.frame->setVisible(!nearest.empty());
    list.part->setVisible(!nearest.empty() || !whyNot.isEmpty());
    fitRows();
}

void NearestLists::setMostRows(int rows)
{
    m_mostRows = rows;
    fitRows();
}

void NearestLists::fitRows()
{
    for (const List& list : {m_byHead, m_byFull})
        list.table->setFixedHeight(kRow * std::min(m_mostRows, list.model->rowCount()));
}

void NearestLists::setNearest(const std::shared_ptr<const DocumentSet>& documents,
                              const std::vector<NearDocument>& byHead, const std::vector<NearDocument>& byFull,
                              const QString& head, const QString& fullSource, const QString& whyNotByHead,
                              const QString& whyNotByFull)
{
    show(m_byHead, documents, byHead, byFull, whyNotByHead);
    show(m_byFull, documents, byFull, byHead, whyNotByFull);
    m_byHead.title->setDetail(tr("by %1").arg(head));
    m_byFull.title->setDetail(tr("by full vector"));
    m_byFull.title->setToolTip(fullSource);
    const auto marked = [](const List& list) {
        for (int row = 0; row < list.model->rowCount(); ++row)
            if (list.model->index(row, 0).data(NearestModel::OnlyRole).toBool())
                return true;
        return false;
    };
    m_legend->setVisible(marked(m_byHead) || marked(m_byFull));
    setVisible(!m_byHead.part->isHidden() || !m_byFull.part->isHidden());
}

bool NearestLists::isWide() const
{
    return m_columns->direction() == QBoxLayout::LeftToRight;
}

void NearestLists::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_columns->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace headscope::ui
