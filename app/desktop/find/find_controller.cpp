// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/find_controller.h"

#include "app/desktop/find/filter_documents.h"
#include "app/desktop/find/keep_choice.h"
#include "app/desktop/find/point_commands.h"
#include "app/desktop/find/search_texts.h"
#include "app/views/map/grow_choice.h"
#include "app/views/map/map_coloring.h"
#include "app/views/map/map_view.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/set_list_model.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/find/find_panel.h"
#include "ui/words/wording.h"

#include <QAction>
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
    m_points = new PointCommands(study, map, {m_grow, m_keep}, this);
    connect(m_points, &PointCommands::menuMade, this, &FindController::pointMenuMade);
    connectPanel();
    connectSets();
    connect(&m_study, &Study::cacheChanged, this, &FindController::onCacheOpened);
    connect(&m_study, &Study::labelsChanged, this, &FindController::refreshFields);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        if (!m_wanted.empty())
            filterAsWanted();
    });
    connect(&m_study, &Study::headsChanged, this, &FindController::filter);
    connect(&m_study, &Study::sourceLoaded, this, &FindController::refreshFields);
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
                 .tip = tr("Find documents by label, length, norm or any numeric column"),
                 .keys = key("Ctrl+Shift+F"),
                 .place = kFind,
                 .act = [this] {
                     showPage(static_cast<int>(ui::FindPanel::Page::Filter));
                     if (m_panel->filter()->rows().isEmpty())
                         m_panel->filter()->addCondition();
                 }});
    actions.add({.id = QStringLiteral("actionFindNext"),
                 .text = tr("Next search result"),
                 .tip = tr("Show the next document that the search found"),
                 .keys = key("F3"),
                 .place = kFind,
                 .act = [this] { m_panel->search()->showNext(1); }});
    actions.add({.id = QStringLiteral("actionFindPrevious"),
                 .text = tr("Previous search result"),
                 .tip = tr("Show the previous document that the search found"),
                 .keys = key("Shift+F3"),
                 .place = kFind,
                 .act = [this] { m_panel->search()->showNext(-1); }});
    m_keep = actions.add({.id = QStringLiteral("actionKeepSet"),
                          .text = tr("Save selection as set…"),
                          .tip = tr("Save the selected documents with a name and a colour"),
                          .keys = key("Ctrl+Shift+K"),
                          .place = kFind,
                          .act = [this] {
                              showPage(static_cast<int>(ui::FindPanel::Page::Sets));
                              m_panel->sets()->focusName();
                          }});
    m_grow = actions.add({.id = QStringLiteral("actionGrow"),
                          .text = tr("Expand to neighbours"),
                          .tip = tr("Add the nearest documents of each selected document to the selection"),
                          .keys = key("Ctrl+Shift+G"),
                          .place = kFind,
                          .act = [this] { grow(m_panel->sets()->growOptions()); }});
}

void FindController::connectPanel()
{
    ui::SelectionHub& hub = this->hub();
    const auto pick = [&hub](const std::vector<std::int64_t>& documents, SetOperation operation) {
        hub.pick(documents, operation);
    };
    const auto show = [&hub](DocumentIndex document) { hub.setPrimary(document, hub.selection().primaryHead); };
    connect(m_panel->search(), &ui::SearchPage::searchRequested, this, &FindController::search);
    connect(m_panel->search(), &ui::SearchPage::documentClicked, this, show);
    connect(m_panel->search(), &ui::SearchPage::pickRequested, this, pick);
    connect(m_panel->filter(), &ui::FilterPage::pickRequested, this, pick);
    connect(m_panel->filter(), &ui::FilterPage::filterRequested, this,
            [this](const std::vector<FilterCondition>& conditions) {
                m_conditions = conditions;
                if (!m_filtersAsWanted && conditions != m_setAsWanted)
                    m_wanted.clear(); // the user goes on from here
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
            m_study.window().showNotice(tr("A set needs a name that no other set has."));
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
    m_wanted.clear();
}

void FindController::onCacheOpened()
{
    const auto& overview = *m_study.cache()->overview;
    if (m_setsDocuments != nullptr)
        m_setsOf[m_setsPath] = hub().sets().toJson(*m_setsDocuments);
    m_setsPath = ui::toQString(overview.path);
    m_setsDocuments = overview.documents;
    const auto kept = setsOfLastTime();
    hub().restoreSets(kept.sets);
    if (kept.unknownIds > 0)
        m_study.window().showNotice(tr("%1 of the named sets no longer exist in this cache.")
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

void FindController::grow(const GrowOptions& options)
{
    const bool byHead = options.space == GrowSpace::Head;
    const Selection& chosen = hub().selection();
    const SourceData& source = m_study.source();
    if (chosen.documents.empty())
        return m_study.window().showNotice(tr("Select documents first. Their neighbours are then added."));
    if (source.vectors == nullptr)
        return m_study.window().showNotice(tr("Please wait until the vectors are read."));
    if (byHead && (!chosen.primaryHead || chosen.primaryHead->value() >= source.vectors->heads()))
        return m_study.window().showNotice(
            tr("Click a point of the map first, to select the %1 whose vectors are compared.")
                .arg(ui::unitText(m_study.stage())));
    m_study.beginJob(QStringLiteral("grow"), tr("Expanding the selection"), m_growRunner);
    m_study.run<Grown>(
        m_growRunner,
        [reader = m_study.cache()->reader, vectors = source.vectors, full = source.full, documents = chosen.documents,
         head = byHead ? chosen.primaryHead : std::nullopt, neighbors = options.neighbors,
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
                more > 0 ? tr("Added %1 to the selection.").arg(ui::countText(more, tr("document"), tr("documents")))
                         : tr("The selection already includes its neighbours."));
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
    m_panel->sets()->setHead(ui::unitText(m_study.stage()),
                             chosen.primaryHead ? ui::unitText(m_study.stage(), *chosen.primaryHead).toLower()
                                                : QString());
    m_grow->setEnabled(count > 0);
    m_keep->setEnabled(count > 0);
    m_points->refresh();
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

void FindController::showPage(int page)
{
    m_study.window().showSidePanel(kPanelId);
    m_panel->setPage(static_cast<ui::FindPanel::Page>(page));
}

} // namespace headscope::desktop
