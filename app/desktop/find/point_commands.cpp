// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/point_commands.h"

#include "app/views/map/map_view.h"
#include "model/data/key_sharing.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/state/selection_hub.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QMenu>

#include <utility>

namespace headscope::desktop
{

PointCommands::PointCommands(Study& study, ui::MapView& map, QList<QAction*> more, QObject* parent)
    : QObject(parent), m_study(study), m_map(map), m_more(std::move(more))
{
    addCommands();
    ui::ScatterWidget* scatter = m_map.scatter();
    scatter->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(scatter, &QWidget::customContextMenuRequested, this, &PointCommands::showMenu);
}

void PointCommands::addCommands()
{
    constexpr ui::MenuPlace kFind{ui::MenuId::Edit, 40};
    constexpr ui::MenuPlace kPoint{ui::MenuId::Heads, 10};
    ui::Actions& actions = m_study.window().actions();
    m_chooseDocument =
        actions.add({.id = QStringLiteral("actionChooseDocument"),
                     .text = tr("Select this document"),
                     .tip = tr("Add all points of the document in the Document tab to the selection"),
                     .place = kFind,
                     .act = [this] { hub().pick({hub().selection().primary->value()}, SetOperation::Add); }});
    m_headAlone = actions.add({.id = QStringLiteral("actionHeadAlone"),
                               .text = tr("Only this head"),
                               .tip = tr("Show only the head of the clicked point"),
                               .place = kPoint,
                               .act = [this] { showHeads({hub().selection().primaryHead->value()}); }});
    m_groupAlone = actions.add({.id = QStringLiteral("actionGroupAlone"),
                                .text = tr("Only this KV group"),
                                .tip = tr("Show only the heads that share keys and values with the clicked head"),
                                .place = kPoint,
                                .act = [this] { showHeads(groupHeads(*hub().selection().primaryHead)); }});
}

void PointCommands::refresh()
{
    const Selection& chosen = hub().selection();
    m_chooseDocument->setEnabled(chosen.primary.has_value());
    const Stage stage = m_study.stage();
    m_headAlone->setText(tr("Only this %1").arg(ui::unitText(stage)));
    m_headAlone->setStatusTip(tr("Show only the %1 of the clicked point").arg(ui::unitText(stage)));
    m_headAlone->setEnabled(chosen.primaryHead.has_value());
    const bool grouped = m_study.cache() && hasKvGroups(m_study.cache()->overview->model, stage);
    m_groupAlone->setVisible(grouped); // segments, and heads with keys and values of their own, are in no group
    m_groupAlone->setEnabled(grouped && chosen.primaryHead.has_value());
}

std::vector<std::int64_t> PointCommands::groupHeads(HeadIndex head) const
{
    const ModelInfo& model = m_study.cache()->overview->model;
    std::vector<std::int64_t> heads;
    for (std::int64_t other = 0; other < model.heads; ++other)
        if (model.groupOf(HeadIndex(other)) == model.groupOf(head))
            heads.push_back(other);
    return heads;
}

void PointCommands::showHeads(const std::vector<std::int64_t>& heads)
{
    m_study.choices().setHeads(heads);
}

void PointCommands::fill(QMenu& menu, DocumentIndex document, std::optional<HeadIndex> head)
{
    const DocumentSet& documents = *m_study.cache()->overview->documents;
    const auto add = [&menu, this](const QString& text, auto act) {
        connect(menu.addAction(text), &QAction::triggered, this, act);
    };
    add(tr("Select this document"), [this, document] { hub().pick({document.value()}, SetOperation::Replace); });
    add(tr("Add to selection"), [this, document] { hub().pick({document.value()}, SetOperation::Add); });
    if (hub().selection().contains(document))
        add(tr("Remove from selection"), [this, document] { hub().pick({document.value()}, SetOperation::Remove); });
    if (const LabelColumn* column = documents.label(m_study.labelColumn()))
    {
        const std::int32_t code = column->codes[document.index()];
        const QString name =
            code < 0 ? tr("no label") : ui::toQString(column->categories[static_cast<std::size_t>(code)]);
        std::vector<std::int64_t> same;
        for (std::size_t i = 0; i < column->codes.size(); ++i)
            if (column->codes[i] == code)
                same.push_back(static_cast<std::int64_t>(i));
        add(tr("Select all %1 of “%2”").arg(ui::countText(std::ssize(same)), ui::firstLine(ui::toStdString(name), 40)),
            [this, same] { hub().pick(same, SetOperation::Replace); });
    }
    menu.addSeparator();
    Q_EMIT menuMade(&menu, document);
    menu.addSeparator();
    if (head)
    {
        const QString unit = ui::unitText(m_study.stage(), *head);
        add(tr("Show only %1").arg(unit.toLower()), [this, head] { showHeads({head->value()}); });
        QAction* const switchOff = m_study.window().actions().find(QStringLiteral("actionSwitchOffInModel"));
        if (switchOff != nullptr && unitName(m_study.stage()) == "head")
            add(tr("Ablate %1 in the model…").arg(unit.toLower()), [this, head, switchOff] {
                hub().setLitHeads({head->value()});
                switchOff->trigger();
            });
        const ModelInfo& model = m_study.cache()->overview->model;
        if (hasKvGroups(model, m_study.stage()))
            add(tr("Show only KV group %1").arg(shownNumber(model.groupOf(*head))),
                [this, head] { showHeads(groupHeads(*head)); });
    }
    add(tr("Show all %1").arg(ui::unitsText(m_study.stage())),
        [this] { m_study.window().dataPanel().headPicker()->chooseAll(); });
    menu.addSeparator();
    menu.addActions(m_more);
}

void PointCommands::showMenu(QPoint place)
{
    ui::ScatterWidget* scatter = m_map.scatter();
    const auto map = scatter->map();
    const Selection& chosen = hub().selection();
    std::optional<DocumentIndex> document = chosen.primary;
    std::optional<HeadIndex> head = chosen.primaryHead;
    if (const auto point = scatter->hoveredPoint(); point && map != nullptr)
    {
        document = map->points->documentOf(*point);
        head = map->points->headOf(*point);
    }
    if (!m_study.cache() || !document)
        return;
    auto* menu = new QMenu(scatter);
    menu->setObjectName(QStringLiteral("pointMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(*menu, *document, head);
    menu->popup(scatter->mapToGlobal(place));
}

} // namespace headscope::desktop
