// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/documents_table.h"

#include "ui/dialogs/column_text.h"
#include "ui/dialogs/note_area.h"
#include "ui/dialogs/role_header.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QActionGroup>
#include <QEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kRow = 24;
constexpr int kShownRows = 5;
constexpr int kMinColumn = 72;
constexpr int kMaxColumn = 180;
constexpr int kMinText = 240;
constexpr int kSummaryLines = 2;

struct RoleKey
{
    ColumnRole role;
    Qt::Key key;
};
constexpr std::array kRoleKeys{RoleKey{ColumnRole::Text, Qt::Key_T}, RoleKey{ColumnRole::Id, Qt::Key_I},
                               RoleKey{ColumnRole::Label, Qt::Key_L}, RoleKey{ColumnRole::Number, Qt::Key_NumberSign},
                               RoleKey{ColumnRole::Unused, Qt::Key_N}};

/// Whether an error's place is this row: of Parquet a row, of the others a line.
bool isPlaceOf(const std::string& place, const PreviewRow& row)
{
    const std::string number = std::to_string(row.line);
    return place == "line " + number || place == "row " + number;
}

} // namespace

DocumentsTable::DocumentsTable(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    m_table = new QTableWidget(this);
    m_table->setObjectName(QStringLiteral("extractTable"));
    m_table->setAccessibleName(tr("First rows of the texts"));
    m_table->setAccessibleDescription(
        tr("Keys in a cell: T text, I id, L label, # number, N not used. Space opens the list."));
    m_header = new RoleHeader(m_table);
    m_table->setHorizontalHeader(m_header);
    m_table->verticalHeader()->setDefaultSectionSize(kRow);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setFixedHeight(RoleHeader::kHeight + kShownRows * kRow + 2 * m_table->frameWidth());
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    layout->addWidget(m_table);
    m_empty = makeMutedLabel({}, m_table->viewport());
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_summary = new NoteArea(QStringLiteral("extractColumns"), tr("Use of the columns"), kSummaryLines, this);
    layout->addWidget(m_summary);
    connect(m_header, &QHeaderView::sectionClicked, this, &DocumentsTable::chooseRole);
    connect(m_table, &QTableWidget::currentCellChanged, this,
            [this](int, int column) { m_header->setMarked(m_table->hasFocus() ? column : -1); });
    onThemeChange(this, [this] { showRoles(); });
    clear();
}

void DocumentsTable::clear()
{
    if (m_preview != nullptr)
    {
        m_before = std::move(m_preview);
        m_rolesBefore = m_roles;
    }
    m_preview.reset();
    m_roles.clear();
    m_fault.reset();
    m_reading.clear();
    fill();
    Q_EMIT changed();
}

void DocumentsTable::setReading(const QString& file)
{
    clear();
    m_reading = QFileInfo(file).fileName();
    showSummary();
    Q_EMIT changed();
}

void DocumentsTable::setFault(const Error& error)
{
    clear();
    m_fault = error;
    showSummary();
    Q_EMIT changed();
}

void DocumentsTable::setPreview(std::shared_ptr<const DocumentPreview> preview)
{
    // The same columns read anew (another limit, say) keep what was said of them.
    const auto names = [](const DocumentPreview& of) {
        std::vector<std::string> all;
        for (const ColumnFacts& column : of.columns)
            all.push_back(column.name);
        return all;
    };
    if (m_preview == nullptr)
    {
        m_preview = m_before;
        m_roles = m_rolesBefore;
    }
    const bool isSame =
        m_preview != nullptr && m_preview->file == preview->file && names(*m_preview) == names(*preview);
    m_preview = std::move(preview);
    m_fault.reset();
    m_reading.clear();
    if (!isSame)
        m_roles = guessedRoles(*m_preview);
    fill();
    Q_EMIT changed();
}

void DocumentsTable::setRole(int column, ColumnRole role)
{
    if (m_preview == nullptr || column < 0 || column >= static_cast<int>(m_roles.size()))
        return;
    headscope::setRole(*m_preview, m_roles, static_cast<std::size_t>(column), role);
    fill();
    Q_EMIT changed();
}

QStringList DocumentsTable::arguments() const
{
    return m_preview == nullptr ? QStringList() : columnArguments(*m_preview, m_roles);
}

const Error* DocumentsTable::fault() const
{
    if (m_fault)
        return &*m_fault;
    return m_preview != nullptr && m_preview->fault ? &*m_preview->fault : nullptr;
}

QString DocumentsTable::problem() const
{
    if (!m_reading.isEmpty())
        return tr("Reading the first rows of %1…").arg(m_reading);
    if (const Error* error = fault())
        return m_preview != nullptr
                   ? tr("In %1, %2").arg(QFileInfo(toQString(m_preview->file)).fileName(), faultText(*error))
                   : errorText(*error);
    if (m_preview != nullptr && std::ranges::find(m_roles, ColumnRole::Text) == m_roles.end())
        return tr("Select the text column.");
    return {};
}

void DocumentsTable::fill()
{
    const int current = m_table->currentColumn();
    const int scrolled = m_table->horizontalScrollBar()->value();
    m_table->clear();
    m_table->clearSpans();
    m_faultRow = -1;
    const int columns = m_preview == nullptr ? 0 : static_cast<int>(m_preview->columns.size());
    const int rows = m_preview == nullptr ? 0 : static_cast<int>(m_preview->rows.size());
    m_table->setColumnCount(columns);
    m_table->setRowCount(rows);
    for (int column = 0; column < columns; ++column)
    {
        const QString name = toQString(m_preview->columns[static_cast<std::size_t>(column)].name);
        auto* heading = new QTableWidgetItem(name);
        heading->setToolTip(tr("%1: click to set the use of this column").arg(name));
        m_table->setHorizontalHeaderItem(column, heading);
    }
    for (int row = 0; row < rows; ++row)
    {
        const PreviewRow& each = m_preview->rows[static_cast<std::size_t>(row)];
        auto* number = new QTableWidgetItem(QString::number(each.line > 0 ? each.line : row + 1));
        number->setToolTip(each.line > 0 ? tr("Line %1 of the file").arg(each.line) : tr("Document %1").arg(row + 1));
        m_table->setVerticalHeaderItem(row, number);
        for (int column = 0; column < columns; ++column)
        {
            const std::string& value = each.cells[static_cast<std::size_t>(column)];
            auto* cell = new QTableWidgetItem(toQString(value).simplified());
            cell->setToolTip(toQString(value));
            m_table->setItem(row, column, cell);
        }
    }
    if (m_preview != nullptr)
        m_fault = m_preview->fault ? std::nullopt : roleFault(*m_preview, m_roles);
    showFault();
    showRoles();
    fitColumns();
    if (columns > 0)
    {
        const auto text = std::ranges::find(m_roles, ColumnRole::Text) - m_roles.begin();
        m_table->setCurrentCell(0, current >= 0 && current < columns ? current
                                                                     : std::min(static_cast<int>(text), columns - 1));
        m_table->horizontalScrollBar()->setValue(scrolled);
    }
    m_header->setMarked(m_table->hasFocus() ? m_table->currentColumn() : -1);
    showSummary();
}

/// Marks the row that cannot be used, or adds it with the reason where it is not among the first.
void DocumentsTable::showFault()
{
    const Error* error = fault();
    m_faultRow = -1;
    if (m_preview == nullptr || error == nullptr)
        return;
    for (int row = 0; row < static_cast<int>(m_preview->rows.size()); ++row)
        if (isPlaceOf(error->place, m_preview->rows[static_cast<std::size_t>(row)]))
        {
            m_faultRow = row;
            m_table->verticalHeaderItem(row)->setToolTip(faultText(*error));
            return m_table->scrollToItem(m_table->item(row, 0));
        }
    const int row = m_table->rowCount();
    m_faultRow = row;
    m_table->insertRow(row);
    m_table->setVerticalHeaderItem(row, new QTableWidgetItem(toQString(error->place).section(u' ', 1)));
    auto* reason = new QTableWidgetItem(toQString(error->message));
    reason->setToolTip(faultText(*error));
    m_table->setItem(row, 0, reason);
    m_table->setSpan(row, 0, 1, std::max(1, m_table->columnCount()));
    m_table->scrollToBottom();
}

void DocumentsTable::showRoles()
{
    const Colors& colors = Theme::instance().colors();
    for (int column = 0; column < std::min(m_table->columnCount(), static_cast<int>(m_roles.size())); ++column)
    {
        const ColumnRole role = m_roles[static_cast<std::size_t>(column)];
        QTableWidgetItem* heading = m_table->horizontalHeaderItem(column);
        heading->setData(RoleHeader::kRole, static_cast<int>(role));
        heading->setData(Qt::AccessibleTextRole, tr("%1: %2").arg(heading->text(), roleName(role)));
        for (int row = 0; row < static_cast<int>(m_preview->rows.size()); ++row)
        {
            QTableWidgetItem* cell = m_table->item(row, column);
            cell->setForeground(row == m_faultRow            ? colors.warning
                                : role == ColumnRole::Unused ? colors.muted
                                                             : colors.text);
            cell->setData(Qt::AccessibleTextRole, tr("%1, %2: %3").arg(heading->text(), roleName(role), cell->text()));
        }
    }
    if (m_faultRow >= 0)
    {
        m_table->verticalHeaderItem(m_faultRow)->setForeground(colors.warning);
        m_table->item(m_faultRow, 0)->setForeground(colors.warning);
    }
    m_header->viewport()->update();
}

void DocumentsTable::showSummary()
{
    m_empty->setVisible(m_preview == nullptr);
    m_table->setEnabled(m_preview != nullptr);
    m_header->setVisible(m_preview != nullptr);
    m_empty->setText(!m_reading.isEmpty() ? tr("Reading the first rows of %1…").arg(m_reading)
                     : m_fault            ? tr("There are no rows to show.")
                               : tr("The first rows of the texts appear here. You can set the use of each column."));
    if (const Error* error = fault())
        return m_summary->setText(m_preview != nullptr ? faultText(*error) : errorText(*error), true);
    if (m_preview == nullptr)
        return m_summary->setText({});
    m_summary->setText(columnSummary(*m_preview, m_roles) % u'\n' %
                       tr("Click a column header to set its use, or press T, I, L, # or N in a cell."));
}

void DocumentsTable::fitColumns()
{
    const int columns = m_table->columnCount();
    if (columns != static_cast<int>(m_roles.size()))
        return;
    int others = 0;
    int text = -1;
    for (int column = 0; column < columns; ++column)
    {
        if (m_roles[static_cast<std::size_t>(column)] == ColumnRole::Text && text < 0)
        {
            text = column;
            continue;
        }
        m_table->resizeColumnToContents(column);
        const int width = std::clamp(m_table->columnWidth(column), kMinColumn, kMaxColumn);
        m_table->setColumnWidth(column, width);
        others += width;
    }
    if (text >= 0)
        m_table->setColumnWidth(text, std::max(kMinText, m_table->viewport()->width() - others));
}

void DocumentsTable::chooseRole(int column)
{
    if (m_preview == nullptr || column < 0 || column >= static_cast<int>(m_roles.size()))
        return;
    auto* menu = new QMenu(m_table);
    menu->setObjectName(QStringLiteral("extractRoleMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    auto* group = new QActionGroup(menu);
    const ColumnFacts& facts = m_preview->columns[static_cast<std::size_t>(column)];
    for (const auto& [role, key] : kRoleKeys)
    {
        QString title = roleName(role);
        title[0] = title[0].toUpper();
        QAction* action = menu->addAction(title % u'\t' % QKeySequence(key).toString(), this,
                                          [this, column, role = role] { setRole(column, role); });
        action->setActionGroup(group);
        action->setCheckable(true);
        action->setChecked(m_roles[static_cast<std::size_t>(column)] == role);
        action->setData(static_cast<int>(role));
        const std::optional<Error>* why = role == ColumnRole::Text     ? &facts.notText
                                          : role == ColumnRole::Id     ? &facts.notId
                                          : role == ColumnRole::Label  ? &facts.notLabel
                                          : role == ColumnRole::Number ? &facts.notNumber
                                                                       : nullptr;
        action->setToolTip(why != nullptr && *why ? faultText(**why) : roleTip(role));
        if (action->isChecked())
            menu->setActiveAction(action);
    }
    const QPoint corner(m_header->sectionViewportPosition(column), m_header->height());
    menu->popup(m_header->viewport()->mapToGlobal(corner));
}

bool DocumentsTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
    {
        m_empty->setGeometry(m_table->viewport()->rect().adjusted(Metrics::kGroups, 0, -Metrics::kGroups, 0));
        fitColumns();
    }
    if (watched == m_table && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
        m_header->setMarked(event->type() == QEvent::FocusIn ? m_table->currentColumn() : -1);
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->modifiers() & ~Qt::KeypadModifier & ~Qt::ShiftModifier) != 0)
        return false;
    const int pressed = key->key();
    for (const auto& [role, letter] : kRoleKeys)
        if (pressed == letter)
        {
            setRole(m_table->currentColumn(), role);
            return true;
        }
    if (pressed == Qt::Key_Space || pressed == Qt::Key_Return || pressed == Qt::Key_Enter || pressed == Qt::Key_F2 ||
        pressed == Qt::Key_Menu)
    {
        chooseRole(m_table->currentColumn());
        return true;
    }
    return false;
}

} // namespace headscope::ui
