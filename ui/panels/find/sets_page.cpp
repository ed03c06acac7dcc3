// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/sets_page.h"

#include "ui/models/set_list_model.h"
#include "ui/panels/data/choice_buttons.h"
#include "ui/panels/find/hit_delegate.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

QIcon swatch(const QColor& color)
{
    QPixmap pixmap(24, 24);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QRectF(1, 1, 10, 10));
    return pixmap;
}

QToolButton* makeFlat(const QString& text, const QString& name, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setProperty("flat", true);
    button->setFont(Theme::smallFont());
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

SetsPage::SetsPage(QWidget* parent)
    : QWidget(parent), m_growth([this](Fields& f) { fields(f, m_grown); }, QStringLiteral("grow"), this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    buildKeep();
    buildList();
    buildTools();
    layout->addStretch(0);
    buildGrow();
    refresh();
}

void SetsPage::buildKeep()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    m_name = new QLineEdit(this);
    m_name->setObjectName(QStringLiteral("setName"));
    m_name->setAccessibleName(tr("Name of the set"));
    m_keep = new QPushButton(tr("Save selection as set"), this);
    m_keep->setObjectName(QStringLiteral("setKeep"));
    m_keep->setAccessibleName(tr("Save the selected documents with this name"));
    m_keep->setToolTip(tr("Save the selected documents with this name, replacing a set of the same name"));
    m_keep->setAutoDefault(false);
    row->addWidget(m_name, 1);
    row->addWidget(m_keep);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    const auto keep = [this] {
        if (!m_keep->isEnabled())
            return;
        Q_EMIT keepRequested(m_name->text());
        m_name->clear();
    };
    connect(m_keep, &QPushButton::clicked, this, keep);
    connect(m_name, &QLineEdit::returnPressed, this, keep);
}

void SetsPage::buildList()
{
    m_hint = makeMutedLabel(tr("Select documents, then save them as a set. You can select, combine, filter and show "
                               "sets, or outline them on the map."),
                            this);
    m_hint->setFont(Theme::smallFont());
    m_hint->setWordWrap(true);
    layout()->addWidget(m_hint);
    m_model = new SetListModel(this);
    m_list = new QListView(this);
    m_list->setObjectName(QStringLiteral("setList"));
    m_list->setAccessibleName(tr("Named sets"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new SetDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_list->setToolTip(tr("Return selects the documents, F2 renames the set, Delete removes it"));
    m_list->installEventFilter(this);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_list, 1);
    connect(m_model, &SetListModel::renameRequested, this, &SetsPage::renameRequested);
    connect(m_list, &QListView::activated, this, [this] { pick(SetOperation::Replace); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &SetsPage::refresh);
    connect(m_model, &SetListModel::modelReset, this, &SetsPage::refresh);
}

void SetsPage::buildTools()
{
    m_tools = new QWidget(this);
    auto* tools = new QVBoxLayout(m_tools);
    tools->setContentsMargins(0, 0, 0, 0);
    tools->setSpacing(Metrics::kGrid);
    m_buttons = new ChoiceButtons(tr("the documents of the set"), QStringLiteral("set"), m_tools);
    tools->addWidget(m_buttons);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    auto* rename = makeFlat(tr("Rename"), QStringLiteral("setRename"), tr("Rename the set"), m_tools);
    m_color = makeFlat(tr("Colour"), QStringLiteral("setColor"), tr("Colour of the set"), m_tools);
    m_color->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_color);
    fillColors(*menu);
    m_color->setMenu(menu);
    auto* forget =
        makeFlat(tr("Remove"), QStringLiteral("setRemove"), tr("Remove the set. Undo restores it."), m_tools);
    m_showOnly = makeFlat(tr("Show only"), QStringLiteral("setShowOnly"),
                          tr("Show only the documents of the set in every view"), m_tools);
    m_onMap = makeFlat(tr("On map"), QStringLiteral("setShow"),
                       tr("Outline the points of the set on the map, in the colour of the set"), m_tools);
    m_onMap->setCheckable(true);
    for (QToolButton* button : {rename, m_color, forget})
        row->addWidget(button);
    row->addStretch(1);
    auto* views = new QHBoxLayout;
    views->setSpacing(0);
    views->addWidget(m_showOnly);
    views->addWidget(m_onMap);
    views->addStretch(1);
    tools->addLayout(views);
    tools->addLayout(row);
    layout()->addWidget(m_tools);

    connect(m_buttons, &ChoiceButtons::chosen, this, &SetsPage::pick);
    connect(rename, &QToolButton::clicked, this, [this] {
        if (const auto index = current())
            m_list->edit(m_model->index(static_cast<int>(*index)));
    });
    connect(forget, &QToolButton::clicked, this, [this] {
        if (const auto index = current())
            Q_EMIT removeRequested(*index);
    });
    connect(m_onMap, &QToolButton::clicked, this, [this](bool on) {
        if (const auto index = current())
            Q_EMIT ringRequested(*index, on);
    });
    connect(m_showOnly, &QToolButton::clicked, this, [this] {
        if (const auto index = current())
            Q_EMIT showOnlyRequested(*index);
    });
}

void SetsPage::pick(SetOperation operation)
{
    if (const auto index = current())
        Q_EMIT pickRequested(m_model->sets().at(*index).documents, operation);
}

void SetsPage::fillColors(QMenu& menu)
{
    for (const QColor& color : setColors())
    {
        QAction* action = menu.addAction(swatch(color), setColorName(color));
        connect(action, &QAction::triggered, this, [this, color] {
            if (const auto index = current())
                Q_EMIT recolorRequested(*index, color);
        });
    }
}

void SetsPage::buildGrow()
{
    auto* outer = static_cast<QVBoxLayout*>(layout());
    outer->addSpacing(Metrics::kGrid);
    outer->addWidget(makeSectionLabel(tr("Expand selection"), this));
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    auto* neighbors = qobject_cast<QAbstractSpinBox*>(m_growth.makeAlone("neighbors", this));
    neighbors->setButtonSymbols(QAbstractSpinBox::NoButtons);
    neighbors->setFixedWidth(48);
    auto* space = qobject_cast<QComboBox*>(m_growth.makeAlone("space", this));
    space->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    space->setMinimumContentsLength(8);
    m_grow = new QPushButton(tr("Expand"), this);
    m_grow->setObjectName(QStringLiteral("growChoice"));
    m_grow->setAccessibleName(tr("Add the neighbours of the selected documents to the selection"));
    m_grow->setAutoDefault(false);
    row->addWidget(neighbors);
    row->addWidget(space, 1);
    row->addWidget(m_grow);
    outer->addLayout(row);
    connect(m_grow, &QPushButton::clicked, this, &SetsPage::growRequested);
}

void SetsPage::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("setName"), *m_name);
    bind(state, QStringLiteral("setShow"), *m_onMap);
    m_growth.bindTo(state);
}

void SetsPage::setHead(const QString& unit, const QString& head)
{
    qobject_cast<QComboBox*>(m_growth.editor("space"))
        ->setItemText(static_cast<int>(GrowSpace::Head), tr("by %1").arg(head.isEmpty() ? unit : head));
}

std::optional<std::int64_t> SetsPage::current() const
{
    if (m_model->rowCount() == 0)
        return {};
    return m_list->currentIndex().isValid() ? m_list->currentIndex().row() : 0;
}

void SetsPage::setSets(const NamedSets& sets)
{
    const int before = m_list->currentIndex().row();
    m_model->setSets(sets);
    if (!sets.isEmpty() && !m_list->currentIndex().isValid())
        m_list->setCurrentIndex(m_model->index(std::clamp(before, 0, m_model->rowCount() - 1)));
    refresh();
}

void SetsPage::setChosenCount(std::int64_t count)
{
    m_chosen = count;
    refresh();
}

void SetsPage::focusName()
{
    m_name->setFocus(Qt::ShortcutFocusReason);
    m_name->selectAll();
}

void SetsPage::refresh()
{
    if (m_grow == nullptr)
        return;
    const bool any = m_model->rowCount() > 0;
    m_hint->setVisible(!any);
    m_list->setVisible(any);
    // As tall as its rows, so that what can be done with them stands right below.
    m_list->setMaximumHeight(SetDelegate::kHeight * m_model->rowCount() + 2);
    m_tools->setVisible(any);
    const auto index = current();
    m_onMap->setChecked(index && m_model->sets().at(*index).onMap);
    m_showOnly->setEnabled(index && !m_model->sets().at(*index).documents.empty());
    setAccessibleDescription(tr("%1; %2 selected")
                                 .arg(countText(m_model->rowCount(), tr("set"), tr("sets")),
                                      countText(m_chosen, tr("document"), tr("documents"))));
    m_keep->setEnabled(m_chosen > 0);
    m_grow->setEnabled(m_chosen > 0);
    m_grow->setToolTip(m_chosen > 0 ? tr("Add the nearest documents of each selected document to the selection")
                                    : tr("Select documents first"));
    m_name->setPlaceholderText(m_chosen > 0 ? m_model->sets().freeName() : tr("Select documents first"));
}

bool SetsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete)
    {
        if (const auto index = current())
            Q_EMIT removeRequested(*index);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headscope::ui
