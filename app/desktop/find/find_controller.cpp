// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/find_controller.h"

#include "app/desktop/find/filter_documents.h"
#include "app/desktop/find/keep_choice.h"
#include "app/desktop/find/search_texts.h"
#include "app/desktop/map/grow_choice.h"
#include "app/desktop/map/map_coloring.h"
#include "model/data/key_sharing.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/set_list_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/find/find_panel.h"
#include "ui/views/map/map_view.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kPanelId = QStringLiteral("find");

struct Grown
{
    std::vector<std::int64_t> documents;
    std::shared_ptr<const FullVectors> full; ///< kept for the next; null when a head was asked for
};

QKeySequence key(const char* keys)
{
    return QKeySequence(QLatin1StringView(keys));
}

} // namespace

FindController::FindController(Study& study, ui::MapView& map, QObject* parent)
    : Controller(parent), m_study(study), m_map(map)
{
    ui::MainWindow& window = m_study.window();
    m_panel = new ui::FindPanel(&window);
    window.addSidePanel(kPanelId, tr("Find"), m_panel);
    addFindCommands();
    addPointCommands();
    connectPanel();
    connectSets();
    connect(&m_study, &Study::cacheChanged, this, &FindController::takeCache);
    connect(&m_study, &Study::labelsChanged, this, &FindController::refreshFields);
    connect(&m_study, &Study::headsChanged, this, &FindController::filter);
    connect(&m_study, &Study::sourceLoaded, this, &FindController::refreshFields);
    ui::ScatterWidget* scatter = m_map.scatter();
    scatter->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(scatter, &QWidget::customContextMenuRequested, this, &FindController::showMapMenu);
    refreshChoice();
}

void FindController::addFindCommands()
{
    constexpr ui::MenuPlace kFind{ui::MenuId::Edit, 40};
    ui::Actions& actions = m_study.window().actions();
    actions.add({.id = QStringLiteral("actionFind"),
                 .text = tr("Find in texts…"),
                 .tip = tr("Find documents by words, phrases or a regular expression"),
                 .keys = key("Ctrl+F"),
                 .place = kFind,
                 .act = [this] {
                     showPage(static_cast<int>(ui::FindPanel::Page::Text));
                     m_panel->search()->focusField();
                 }});
    actions.add({.id = QStringLiteral("actionFilter"),
                 .text = tr("Filter documents…"),
                 .tip = tr("Find documents by label, length, strength or any number"),
                 .keys = key("Ctrl+Shift+F"),
                 .place = kFind,
                 .act = [this] {
                     showPage(static_cast<int>(ui::FindPanel::Page::Filter));
                     if (m_panel->filter()->rows().isEmpty())
                         m_panel->filter()->addButton()->click();
                 }});
    actions.add({.id = QStringLiteral("actionFindNext"),
                 .text = tr("Next document found"),
                 .tip = tr("Show the next document that the search found"),
                 .keys = key("F3"),
                 .place = kFind,
                 .act = [this] { m_panel->search()->showNext(1); }});
    actions.add({.id = QStringLiteral("actionFindPrevious"),
                 .text = tr("Previous document found"),
                 .tip = tr("Show the document before it that the search found"),
                 .keys = key("Shift+F3"),
                 .place = kFind,
                 .act = [this] { m_panel->search()->showNext(-1); }});
    m_keep = actions.add({.id = QStringLiteral("actionKeepSet"),
                          .text = tr("Keep choice as a set…"),
                          .tip = tr("Keep the chosen documents under a name and a colour"),
                          .keys = key("Ctrl+Shift+K"),
                          .place = kFind,
                          .act = [this] {
                              showPage(static_cast<int>(ui::FindPanel::Page::Sets));
                              m_panel->sets()->focusName();
                          }});
    m_grow = actions.add({.id = QStringLiteral("actionGrow"),
                          .text = tr("Grow to neighbours"),
                          .tip = tr("The nearest documents of each chosen one join the choice"),
                          .keys = key("Ctrl+Shift+G"),
                          .place = kFind,
                          .act = [this] { grow(m_panel->sets()->growNeighbors(), m_panel->sets()->growByHead()); }});
}

void FindController::addPointCommands()
{
    constexpr ui::MenuPlace kFind{ui::MenuId::Edit, 40};
    constexpr ui::MenuPlace kPoint{ui::MenuId::Heads, 10};
    ui::Actions& actions = m_study.window().actions();
    m_chooseDocument = actions.add({.id = QStringLiteral("actionChooseDocument"),
                                    .text = tr("Choose this document"),
                                    .tip = tr("All points of the document in the inspector join the choice"),
                                    .place = kFind,
                                    .act = [this] { hub().pick({*hub().selection().primary}, SetOperation::Add); }});
    m_headAlone = actions.add({.id = QStringLiteral("actionHeadAlone"),
                               .text = tr("This head alone"),
                               .tip = tr("Show the head of the clicked point, and no other"),
                               .place = kPoint,
                               .act = [this] { showHeads({*hub().selection().primaryHead}); }});
    m_groupAlone = actions.add({.id = QStringLiteral("actionGroupAlone"),
                                .text = tr("This KV group alone"),
                                .tip = tr("Show the heads that share keys and values with the one clicked"),
                                .place = kPoint,
                                .act = [this] { showHeads(groupHeads(*hub().selection().primaryHead)); }});
}

void FindController::connectPanel()
{
    ui::SelectionHub& hub = this->hub();
    const auto pick = [&hub](const std::vector<std::int64_t>& documents, SetOperation operation) {
        hub.pick(documents, operation);
    };
    const auto show = [&hub](std::int64_t document) { hub.setPrimary(document, hub.selection().primaryHead); };
    connect(m_panel->search(), &ui::SearchPage::searchRequested, this, &FindController::search);
    connect(m_panel->search(), &ui::SearchPage::documentClicked, this, show);
    connect(m_panel->search(), &ui::SearchPage::pickRequested, this, pick);
    connect(m_panel->filter(), &ui::FilterPage::pickRequested, this, pick);
    connect(m_panel->filter(), &ui::FilterPage::filterRequested, this,
            [this](const std::vector<FilterCondition>& conditions) {
                m_conditions = conditions;
                filter();
            });
    connect(m_panel->sets(), &ui::SetsPage::pickRequested, this, pick);
    connect(m_panel->sets(), &ui::SetsPage::growRequested, m_grow, &QAction::trigger);
    connect(&hub, &ui::SelectionHub::documentsChanged, this, [this] {
        refreshChoice();
        filter();
    });
    connect(&hub, &ui::SelectionHub::primaryChanged, this, [this, &hub] {
        m_panel->search()->setPrimary(hub.selection().primary);
        refreshChoice();
    });
    connect(&hub, &ui::SelectionHub::queryChanged, this,
            [this, &hub] { m_study.window().inspector().setQuery(hub.query()); });
}

void FindController::connectSets()
{
    ui::SetsPage* page = m_panel->sets();
    const auto change = [this](auto edit) {
        ui::NamedSets sets = hub().sets();
        edit(sets);
        hub().setSets(std::move(sets));
    };
    connect(page, &ui::SetsPage::keepRequested, this, [this](const QString& name) {
        // The list shows what was kept; that it is more than the chosen points it does not.
        const bool points = hub().selection().points != nullptr;
        if (const QString kept = keepChoice(hub(), name); points && !kept.isEmpty())
            m_study.window().showNotice(kept);
    });
    connect(page, &ui::SetsPage::renameRequested, this, [this, change](std::int64_t index, const QString& name) {
        bool renamed = false;
        change([&](ui::NamedSets& sets) { renamed = sets.rename(index, name); });
        if (!renamed)
            m_study.window().showNotice(tr("A set needs a name of its own."));
    });
    connect(page, &ui::SetsPage::recolorRequested, this, [change](std::int64_t index, const QColor& color) {
        change([&](ui::NamedSets& sets) { sets.recolor(index, color); });
    });
    connect(page, &ui::SetsPage::removeRequested, this,
            [change](std::int64_t index) { change([&](ui::NamedSets& sets) { sets.remove(index); }); });
    connect(page, &ui::SetsPage::ringRequested, this,
            [change](std::int64_t index, bool on) { change([&](ui::NamedSets& sets) { sets.setOnMap(index, on); }); });
    connect(page, &ui::SetsPage::showOnlyRequested, this, [this](std::int64_t index) {
        const ui::NamedSet& set = hub().sets().at(index);
        hub().showOnly({set.name, set.documents});
    });
    connect(&hub(), &ui::SelectionHub::setsChanged, this, &FindController::refreshSets);
    connect(&hub(), &ui::SelectionHub::setsChanged, this, &FindController::workChanged);
}

void FindController::stop()
{
    m_searchRunner.cancel();
    m_filterRunner.cancel();
    m_growRunner.cancel();
}

void FindController::leave()
{
    m_found.clear();
    m_lastSearch.reset();
}

void FindController::takeCache()
{
    const auto& overview = *m_study.cache()->overview;
    if (m_setsDocuments != nullptr)
        m_setsOf[m_setsPath] = hub().sets().toJson(*m_setsDocuments);
    m_setsPath = ui::toQString(overview.path);
    m_setsDocuments = overview.documents;
    const auto kept = setsOfLastTime();
    hub().restoreSets(kept.sets);
    if (kept.unknownIds > 0)
        m_study.window().showNotice(tr("%1 of the named sets are not in this cache any more.")
                                        .arg(ui::countText(kept.unknownIds, tr("document"), tr("documents"))));
    m_panel->search()->setDocuments(overview.documents);
    refreshFields();
}

void FindController::search(const ui::TextQuery& query)
{
    hub().setQuery(query);
    if (!m_study.cache() || query.isEmpty())
    {
        m_searchRunner.cancel();
        m_found.clear();
        m_lastSearch.reset();
        return filter();
    }
    // What was typed further is in what was found before.
    std::optional<std::vector<std::int64_t>> among;
    if (m_lastSearch != nullptr && query.narrows(m_lastSearch->query))
        among = m_found;
    m_study.run<std::shared_ptr<const ui::SearchResult>>(
        m_searchRunner,
        [documents = m_study.cache()->overview->documents, query, among = std::move(among), count = m_study.threads()](
            JobContext& job) { return searchTexts(*documents, query, among ? &*among : nullptr, count, job); },
        [this](Result<std::shared_ptr<const ui::SearchResult>> result) {
            if (!result)
                return m_study.report(result.error());
            m_lastSearch = *result;
            m_found = (*result)->documents();
            m_panel->search()->setResult(std::move(*result));
            m_panel->search()->setPrimary(hub().selection().primary);
            filter();
            Q_EMIT searched();
        });
}

FilterTable FindController::filterTable() const
{
    FilterTable table;
    table.documents = m_study.cache()->overview->documents;
    if (const auto& strengths = m_study.source().strengths)
        table.strengths = std::shared_ptr<const MatrixF>(strengths, &strengths->values);
    table.heads = m_study.heads();
    if (table.strengths != nullptr)
        std::erase_if(table.heads, [&table](std::int64_t head) { return head >= table.strengths->cols(); });
    for (const ui::NamedSet& set : hub().sets().all())
        table.groups.push_back({ui::toStdString(set.name), set.documents});
    table.groups.push_back({ui::toStdString(ui::searchGroupName()), m_found});
    table.groups.push_back({ui::toStdString(ui::choiceGroupName()), hub().selection().documents});
    return table;
}

void FindController::filter()
{
    if (!m_study.cache() || m_conditions.empty())
        return m_filterRunner.cancel();
    m_study.run<std::shared_ptr<const ui::FilterResult>>(
        m_filterRunner,
        [table = filterTable(), conditions = m_conditions](JobContext& job) {
            return filterDocuments(table, conditions, job);
        },
        [this](Result<std::shared_ptr<const ui::FilterResult>> result) {
            if (result)
                m_panel->filter()->setResult(std::move(*result));
            else
                m_panel->filter()->setProblem(ui::errorText(result.error()));
            Q_EMIT filtered();
        });
}

void FindController::grow(std::int64_t neighbors, bool byHead)
{
    const Selection& chosen = hub().selection();
    const SourceData& source = m_study.source();
    if (chosen.documents.empty())
        return m_study.window().showNotice(tr("Choose documents first: their neighbours join them."));
    if (source.vectors == nullptr)
        return m_study.window().showNotice(tr("The vectors are still being read."));
    if (byHead && (!chosen.primaryHead || *chosen.primaryHead >= source.vectors->heads()))
        return m_study.window().showNotice(
            tr("Click a point of the map first: it says which %1.").arg(ui::unitText(m_study.stage())));
    m_study.beginJob(QStringLiteral("grow"), tr("Growing the choice"), m_growRunner);
    m_study.run<Grown>(
        m_growRunner,
        [reader = m_study.cache()->reader, vectors = source.vectors, full = source.full, documents = chosen.documents,
         head = byHead ? chosen.primaryHead : std::nullopt, neighbors,
         count = m_study.threads()](JobContext& job) -> Result<Grown> {
            Grown grown;
            if (head)
            {
                HEADSCOPE_TRY(grown.documents, grownDocuments(vectors->head(*head), documents, neighbors, count, job));
                return grown;
            }
            grown.full = full;
            if (grown.full == nullptr)
            {
                HEADSCOPE_TRY(FullPair read,
                              fullVectors(*reader, vectors->layer(), vectors->stage(), std::nullopt, job));
                grown.full = std::make_shared<const FullVectors>(std::move(read.documents));
            }
            HEADSCOPE_TRY(grown.documents, grownDocuments(grown.full->matrix(), documents, neighbors, count, job));
            return grown;
        },
        [this](Result<Grown> grown) {
            if (!grown)
                return m_study.report(grown.error());
            if (grown->full != nullptr)
                m_study.keepFull(grown->full);
            const auto before = std::ssize(hub().selection().documents);
            hub().setDocuments(std::move(grown->documents));
            const auto more = std::ssize(hub().selection().documents) - before;
            m_study.noteResult(QStringLiteral("grow"),
                               tr("%1 more").arg(ui::countText(more, tr("document"), tr("documents"))));
            m_study.window().showNotice(
                more > 0 ? tr("%1 joined the choice.").arg(ui::countText(more, tr("document"), tr("documents")))
                         : tr("The choice holds its neighbours already."));
            Q_EMIT choiceGrown();
        });
}

void FindController::refreshFields()
{
    if (!m_study.cache())
        return;
    const auto& overview = *m_study.cache()->overview;
    ui::FilterFields fields;
    fields.documents = overview.documents;
    fields.heads = m_study.source().vectors != nullptr ? m_study.source().vectors->heads() : overview.model.heads;
    fields.stage = m_study.stage();
    for (const ui::NamedSet& set : hub().sets().all())
        fields.groups << set.name;
    fields.groups << ui::searchGroupName() << ui::choiceGroupName();
    m_panel->filter()->setFields(fields);
    refreshChoice();
}

void FindController::refreshChoice()
{
    const Selection& chosen = hub().selection();
    const auto count = std::ssize(chosen.documents);
    m_panel->sets()->setChosenCount(count);
    m_panel->sets()->setHead(
        ui::unitText(m_study.stage()),
        chosen.primaryHead ? ui::unitText(m_study.stage(), HeadIndex(*chosen.primaryHead)).toLower() : QString());
    m_grow->setEnabled(count > 0);
    m_keep->setEnabled(count > 0);
    m_chooseDocument->setEnabled(chosen.primary.has_value());
    const Stage stage = m_study.stage();
    m_headAlone->setText(tr("This %1 alone").arg(ui::unitText(stage)));
    m_headAlone->setStatusTip(tr("Show the %1 of the clicked point, and no other").arg(ui::unitText(stage)));
    m_headAlone->setEnabled(chosen.primaryHead.has_value());
    const bool grouped = m_study.cache() && hasKvGroups(m_study.cache()->overview->model, stage);
    m_groupAlone->setVisible(grouped); // segments, and heads with keys and values of their own, are in no group
    m_groupAlone->setEnabled(grouped && chosen.primaryHead.has_value());
}

void FindController::refreshSets()
{
    const ui::NamedSets& sets = hub().sets();
    m_panel->sets()->setSets(sets);
    std::vector<ui::DocumentRing> rings;
    for (const ui::NamedSet& set : sets.all())
        if (set.onMap)
            rings.push_back({set.color, set.documents});
    m_map.scatter()->setRings(std::move(rings));
    ui::Choices& choices = m_study.choices();
    std::vector<ui::ColorEntry> entries;
    if (!sets.isEmpty())
        entries = setColorEntries();
    const bool shown = coloringOf(choices.now().color).needs == colorings::Needs::Sets;
    choices.setColorGroup(tr("Sets"), std::move(entries));
    if (shown && !sets.isEmpty())
        choices.recolor();
    refreshFields();
}

std::vector<std::int64_t> FindController::groupHeads(std::int64_t head) const
{
    const ModelInfo& model = m_study.cache()->overview->model;
    std::vector<std::int64_t> heads;
    for (std::int64_t other = 0; other < model.heads; ++other)
        if (model.groupOf(HeadIndex(other)) == model.groupOf(HeadIndex(head)))
            heads.push_back(other);
    return heads;
}

void FindController::showHeads(const std::vector<std::int64_t>& heads)
{
    m_study.choices().setHeads(heads);
}

void FindController::showPage(int page)
{
    m_study.window().showSidePanel(kPanelId);
    m_panel->setPage(static_cast<ui::FindPanel::Page>(page));
}

void FindController::fillPointMenu(QMenu& menu, std::int64_t document, std::optional<std::int64_t> head)
{
    const DocumentSet& documents = *m_study.cache()->overview->documents;
    const auto add = [&menu, this](const QString& text, auto act) {
        connect(menu.addAction(text), &QAction::triggered, this, act);
    };
    add(tr("Choose this document"), [this, document] { hub().pick({document}, SetOperation::Replace); });
    add(tr("Add it to the choice"), [this, document] { hub().pick({document}, SetOperation::Add); });
    if (hub().selection().contains(document))
        add(tr("Take it out of the choice"), [this, document] { hub().pick({document}, SetOperation::Remove); });
    if (const LabelColumn* column = documents.label(m_study.labelColumn()))
    {
        const std::int32_t code = column->codes[static_cast<std::size_t>(document)];
        const QString name =
            code < 0 ? tr("no label") : ui::toQString(column->categories[static_cast<std::size_t>(code)]);
        std::vector<std::int64_t> same;
        for (std::size_t i = 0; i < column->codes.size(); ++i)
            if (column->codes[i] == code)
                same.push_back(static_cast<std::int64_t>(i));
        add(tr("Choose all %1 of “%2”").arg(ui::countText(std::ssize(same)), ui::firstLine(ui::toStdString(name), 40)),
            [this, same] { hub().pick(same, SetOperation::Replace); });
    }
    menu.addSeparator();
    if (head)
    {
        const QString unit = ui::unitText(m_study.stage(), HeadIndex(*head));
        add(tr("Show %1 alone").arg(unit.toLower()), [this, head] { showHeads({*head}); });
        const ModelInfo& model = m_study.cache()->overview->model;
        if (hasKvGroups(model, m_study.stage()))
            add(tr("Show KV group %1 alone").arg(shownNumber(model.groupOf(HeadIndex(*head)))),
                [this, head] { showHeads(groupHeads(*head)); });
    }
    add(tr("Show all %1").arg(ui::unitsText(m_study.stage())),
        [this] { m_study.window().dataPanel().headPicker()->chooseAll(); });
    menu.addSeparator();
    menu.addAction(m_grow);
    menu.addAction(m_keep);
}

void FindController::showMapMenu(QPoint place)
{
    ui::ScatterWidget* scatter = m_map.scatter();
    const auto map = scatter->map();
    const Selection& chosen = hub().selection();
    std::optional<std::int64_t> document = chosen.primary;
    std::optional<std::int64_t> head = chosen.primaryHead;
    if (const auto point = scatter->hoveredPoint(); point && map != nullptr)
    {
        document = map->points->document[static_cast<std::size_t>(*point)];
        head = map->points->head[static_cast<std::size_t>(*point)];
    }
    if (!m_study.cache() || !document)
        return;
    auto* menu = new QMenu(scatter);
    menu->setObjectName(QStringLiteral("pointMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillPointMenu(*menu, *document, head);
    menu->popup(scatter->mapToGlobal(place));
}

} // namespace headscope::desktop
