// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/join_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 640;
constexpr int kRow = 24;
constexpr int kTreeHeight = 190;
constexpr int kUnmatchedHeight = 96;
constexpr std::size_t kMaxShownIds = 200;

QString idsText(const std::vector<std::string>& ids)
{
    QStringList shown;
    for (std::size_t i = 0; i < std::min(ids.size(), kMaxShownIds); ++i)
        shown << (ids[i].empty() ? JoinDialog::tr("(empty)") : toQString(ids[i]));
    QString text = shown.join(QStringLiteral(", "));
    if (ids.size() > kMaxShownIds)
        text += JoinDialog::tr(" and %1 more").arg(countText(std::ssize(ids) - std::ssize(shown)));
    return text;
}

/// The columns of the file, each with a tick.
QTreeWidget* makeColumnTree(QWidget* parent)
{
    auto* tree = new QTreeWidget(parent);
    tree->setObjectName(QStringLiteral("joinColumns"));
    tree->setAccessibleName(JoinDialog::tr("Columns to add"));
    tree->setColumnCount(4);
    tree->setHeaderLabels(
        {JoinDialog::tr("Column"), JoinDialog::tr("Kind"), JoinDialog::tr("Documents"), JoinDialog::tr("Note")});
    tree->setRootIsDecorated(false);
    tree->setFixedHeight(kTreeHeight);
    tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    tree->setColumnWidth(0, 170);
    tree->setColumnWidth(1, 110);
    tree->setColumnWidth(2, 90);
    tree->setTextElideMode(Qt::ElideMiddle);
    return tree;
}

/// Ids to be read and copied, not changed.
QPlainTextEdit* makeIdList(QWidget* parent)
{
    auto* ids = new QPlainTextEdit(parent);
    ids->setObjectName(QStringLiteral("joinUnmatched"));
    ids->setAccessibleName(JoinDialog::tr("Unmatched ids"));
    ids->setReadOnly(true);
    ids->setTabChangesFocus(true);
    ids->setFont(Theme::smallFont());
    ids->setFixedHeight(kUnmatchedHeight);
    return ids;
}

} // namespace

JoinDialog::JoinDialog(QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("joinDialog"));
    setWindowTitle(tr("Add labels from file"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kRelated);
    setMinimumWidth(kWidth);
    m_file = new ElidedLabel({}, this);
    m_file->setFont(Theme::bodyFont(true));
    layout->addWidget(m_file);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    auto* title = new QLabel(tr("Id column"), this);
    m_id = new QComboBox(this);
    m_id->setObjectName(QStringLiteral("joinId"));
    m_id->setAccessibleName(tr("Id column"));
    m_id->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_id->setMinimumContentsLength(16);
    title->setBuddy(m_id);
    row->addWidget(title);
    row->addWidget(m_id, 1);
    layout->addLayout(row);
    m_match = new QLabel(this);
    m_match->setObjectName(QStringLiteral("joinMatch"));
    m_match->setWordWrap(true);
    layout->addWidget(m_match);
    layout->addSpacing(Metrics::kGrid);
    layout->addWidget(makeSectionLabel(tr("Columns to add"), this));
    m_columns = makeColumnTree(this);
    layout->addWidget(m_columns);
    m_unmatchedTitle = makeSectionLabel(tr("Unmatched"), this);
    layout->addWidget(m_unmatchedTitle);
    m_unmatched = makeIdList(this);
    layout->addWidget(m_unmatched);
    layout->addSpacing(Metrics::kGrid);
    m_problem = makeMutedLabel({}, this);
    m_problem->setObjectName(QStringLiteral("joinProblem"));
    m_problem->setWordWrap(true);
    const DialogButtons buttons = makeDialogButtons(*this, tr("Add"), QStringLiteral("joinApply"), m_problem);
    m_apply = buttons.act;
    layout->addLayout(buttons.row);
    connect(m_apply, &QPushButton::clicked, this, [this] {
        const auto chosen = columns();
        accept();
        Q_EMIT applyRequested(chosen);
    });
    connect(m_id, &QComboBox::currentTextChanged, this, &JoinDialog::idColumnChosen);
    connect(m_columns, &QTreeWidget::itemChanged, this, &JoinDialog::refresh);
    refresh();
}

void JoinDialog::setJoin(std::shared_ptr<const LabelJoin> join)
{
    m_join = std::move(join);
    m_file->setFullText(toQString(std::filesystem::path(m_join->file).filename().string()));
    {
        const QSignalBlocker quiet(m_id);
        m_id->clear();
        for (const std::string& column : m_join->allColumns)
            m_id->addItem(toQString(column));
        m_id->setCurrentText(toQString(m_join->idColumn));
    }
    const auto documents = m_join->matched + std::ssize(m_join->documentsWithout);
    QString line = tr("<b>%1 of %2</b> have a row in the file, which has %3.")
                       .arg(countText(m_join->matched), countText(documents, tr("document"), tr("documents")),
                            countText(m_join->rows, tr("row"), tr("rows")));
    if (m_join->repeated > 0)
        line += u' ' % tr("%1 an earlier id; the first row is used.")
                           .arg(countText(m_join->repeated, tr("row repeats"), tr("rows repeat")));
    m_match->setTextFormat(Qt::RichText); // numbers and words of ours
    m_match->setText(line);
    showColumns();
    showUnmatched();
    refresh();
}

void JoinDialog::showColumns()
{
    const QSignalBlocker quiet(m_columns);
    m_columns->clear();
    for (const JoinedColumn& column : m_join->columns)
    {
        const auto values = countText(std::ssize(column.labels.categories), tr("value"), tr("values"));
        QStringList notes;
        if (column.replaces)
            notes << tr("replaces an existing column");
        if (column.filled == 0)
            notes << tr("no values");
        else if (!column.proposed)
            notes << tr("almost every value is unique");
        auto* item = new QTreeWidgetItem(m_columns, {toQString(column.name),
                                                     column.isNumber ? tr("number") : tr("label, %1").arg(values),
                                                     countText(column.filled), notes.join(QStringLiteral("; "))});
        item->setCheckState(0, column.proposed ? Qt::Checked : Qt::Unchecked);
        item->setSizeHint(0, {0, kRow});
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        for (int part = 0; part < 4; ++part)
            item->setToolTip(part, item->text(part));
    }
    m_columns->resizeColumnToContents(1);
}

void JoinDialog::showUnmatched()
{
    QStringList parts;
    if (!m_join->rowsWithout.empty())
        parts << tr("Only in the file (%1): %2")
                     .arg(countText(std::ssize(m_join->rowsWithout)), idsText(m_join->rowsWithout));
    if (!m_join->documentsWithout.empty())
        parts << tr("Only in the cache (%1): %2")
                     .arg(countText(std::ssize(m_join->documentsWithout)), idsText(m_join->documentsWithout));
    m_unmatchedTitle->setVisible(!parts.isEmpty());
    m_unmatched->setVisible(!parts.isEmpty());
    m_unmatched->setPlainText(parts.join(QStringLiteral("\n\n")));
}

std::vector<std::string> JoinDialog::columns() const
{
    std::vector<std::string> chosen;
    for (int i = 0; i < m_columns->topLevelItemCount(); ++i)
        if (m_columns->topLevelItem(i)->checkState(0) == Qt::Checked)
            chosen.push_back(m_join->columns[static_cast<std::size_t>(i)].name);
    return chosen;
}

QString JoinDialog::matchLine() const
{
    return m_match->text();
}

QString JoinDialog::unmatchedText() const
{
    return m_unmatched->toPlainText();
}

void JoinDialog::refresh()
{
    QString why;
    if (m_join == nullptr)
        why = tr("Reading…");
    else if (m_join->matched == 0)
        why = tr("No id in this column matches a document. Select another column.");
    else if (columns().empty())
        why = tr("Select at least one column.");
    m_problem->setText(why);
    m_apply->setEnabled(why.isEmpty());
}

} // namespace headscope::ui
