// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/canvas_controller.h"

#include "app/views/map/map_view.h"
#include "model/base/output/output_file.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/figures/picture_dialog.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr int kRestMs = 500; ///< a run publishes more often than this

Status writePicture(const QImage& image, const QString& path)
{
    const std::string file = ui::toStdString(path);
    if (image.isNull())
        return Error{ErrorCode::InvalidArgument, "expected an image of at most 32,000 pixels per side", file, {}};
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return Error{ErrorCode::Resource, "the image could not be encoded", file, {}};
    return writeFileAtomically(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Empty: none is hidden.
std::vector<bool> hiddenOf(std::span<const viz::PointState> states)
{
    if (std::ranges::find(states, viz::PointState::Hidden) == states.end())
        return {};
    std::vector<bool> hidden(states.size());
    std::transform(states.begin(), states.end(), hidden.begin(),
                   [](viz::PointState state) { return state == viz::PointState::Hidden; });
    return hidden;
}

} // namespace

CanvasController::CanvasController(Study& study, ui::MapView& view, QObject* parent)
    : Controller(parent), m_study(study), m_view(view), m_save(study)
{
    addCommands();
    connectStudy();
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &CanvasController::lookAtMap);
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    scatter().setColoringSource(
        [this](const std::shared_ptr<const HeadMap>& map, viz::InkTheme theme) { return coloring(map, theme); });
    m_view.setAwaited([this] { return m_rest.isActive() || m_findRunner.running() || m_regionRunner.running(); });
    scatter().setValueSource([this](std::int64_t point) {
        const auto map = scatter().map();
        return map == nullptr || !m_study.cache() ? QString() : coloredValue(m_study, *map, findingsOf(*map), point);
    });
}

CanvasController::~CanvasController()
{
    scatter().setColoringSource({});
    scatter().setValueSource({});
    m_view.setAwaited({});
}

ui::ScatterWidget& CanvasController::scatter() const
{
    return *m_view.scatter();
}

void CanvasController::addCommands()
{
    constexpr ui::MenuPlace kCanvas{ui::MenuId::View, 30};
    ui::Actions& actions = m_study.window().actions();
    m_join = actions.add({.id = QStringLiteral("actionJoinDots"),
                          .text = tr("Connect document points"),
                          .tip = tr("Draw lines between the points of the same document"),
                          .keys = QKeySequence(QStringLiteral("Ctrl+Shift+J")),
                          .place = kCanvas,
                          .toggled = [this](bool on) { scatter().setJoined(on); }});
    m_regions = actions.add({.id = QStringLiteral("actionRegionNames"),
                             .text = tr("Region labels"),
                             .tip = tr("Show the most frequent label at each place of the map"),
                             .keys = QKeySequence(QStringLiteral("Ctrl+Shift+N")),
                             .place = kCanvas,
                             .toggled = [this](bool on) {
                                 scatter().setRegionsShown(on);
                                 refreshRegions();
                             }});
    connect(m_regions, &QAction::triggered, this, [this] { m_regionsAsked = true; });
    m_overview = actions.add({.id = QStringLiteral("actionOverview"),
                              .text = tr("Overview"),
                              .tip = tr("Show the whole map in a corner when zoomed in"),
                              .place = kCanvas,
                              .toggled = [this](bool on) { scatter().setMinimapShown(on); },
                              .on = true});
    actions.add({.id = QStringLiteral("actionSaveCanvas"),
                 .text = tr("Save canvas as image…"),
                 .tip = tr("Save the map as shown on screen, at any scale"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Shift+S")),
                 .place = {ui::MenuId::Map, 15},
                 .act = [this] { askPicture(); }});
}

void CanvasController::connectStudy()
{
    ui::SelectionHub& selection = m_study.window().selection();
    connect(&selection, &ui::SelectionHub::hoveredHeadChanged, this, &CanvasController::refreshLit);
    connect(&selection, &ui::SelectionHub::litHeadsChanged, this, &CanvasController::refreshLit);
    connect(&m_study.choices(), &ui::Choices::colorChanged, this, &CanvasController::changeColor);
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_findRunner.cancel();
        m_regionRunner.cancel();
    });
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        scatter().recolor();
        m_rest.start();
    });
    connect(&m_study, &Study::labelsChanged, this, [this] {
        scatter().recolor();
        refreshRegions();
    });
    connect(&scatter(), &ui::ScatterWidget::shownChanged, this, [this] {
        // Pale points have a part in the names, too: only other hidden ones change them.
        if (m_regions->isChecked() && hiddenOf(scatter().points().states()) != m_regionsWithout)
            refreshRegions();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { scatter().recolor(); });
    connect(&scatter(), &ui::ScatterWidget::mapChanged, this, [this](bool samePoints) {
        if (!samePoints && scatter().map() != nullptr && m_study.cache())
            scatter().recolor();
        m_rest.start();
    });
}

void CanvasController::stop()
{
    m_rest.stop();
    m_findRunner.cancel();
    m_regionRunner.cancel();
    m_save.stop();
}

void CanvasController::leave()
{
    m_rest.stop();
    m_findings.clear();
    scatter().setRegions({});
    scatter().forgetOrders();
}

bool CanvasController::busy() const
{
    return m_findRunner.running() || m_save.busy();
}

ui::ScatterWidget::ColoringTask CanvasController::coloring(const std::shared_ptr<const HeadMap>& map,
                                                           viz::InkTheme theme) const
{
    if (!m_study.cache())
        return [] { return viz::PointColoring(); };
    const ui::ColorChoice choice = m_study.choices().now().color;
    std::vector<std::int32_t> order;
    if (const LabelColumn* column = m_study.cache()->overview->documents->label(choice.column))
        order = scatter().orderOf(viz::legendTitle(*column));
    return mapColoring(m_study, map, theme, findingsOf(*map), order);
}

MapFindings CanvasController::findingsOf(const HeadMap& map) const
{
    for (const auto& [known, findings] : m_findings)
        if (const auto shared = known.lock(); shared.get() == &map)
            return findings;
    return {};
}

MapFindings& CanvasController::findings(const std::shared_ptr<const HeadMap>& map)
{
    std::erase_if(m_findings, [](const auto& entry) { return entry.first.expired(); });
    for (auto& [known, findings] : m_findings)
        if (known.lock() == map)
            return findings;
    return m_findings.emplace_back(map, MapFindings{}).second;
}

void CanvasController::changeColor()
{
    const bool named = coloringOf(m_study.choices().now().color).namesRegions;
    if (!m_regionsAsked)
        m_regions->setChecked(named);
    scatter().recolor();
    startMeasuring();
    if (named)
        refreshRegions();
}

void CanvasController::lookAtMap()
{
    startMeasuring();
    refreshRegions();
}

void CanvasController::startMeasuring()
{
    m_findRunner.cancel();
    const auto map = scatter().map();
    if (map == nullptr || !m_study.cache())
        return;
    const colorings::Coloring& coloring = coloringOf(m_study.choices().now().color);
    if (!coloring.finder)
        return;
    const colorings::Finder& finder = *coloring.finder;
    const auto vectors = m_study.source().vectors;
    const bool haveVectors = vectors != nullptr && vectors->stage() == map->stage && vectors->layer() == map->layer;
    if (findingsOf(*map).contains(finder.key) || (finder.needsVectors && !haveVectors))
        return;
    using Found = std::shared_ptr<const colorings::Found>;
    m_study.beginJob(QStringLiteral("findings"), finder.title, m_findRunner);
    m_study.run<Found>(
        m_findRunner,
        [find = finder.find, map, vectors = haveVectors ? vectors : nullptr,
         threads = m_study.threads()](JobContext& job) -> Result<Found> {
            HEADSCOPE_TRY(colorings::Found found, find(*map, vectors.get(), threads, job));
            return std::make_shared<const colorings::Found>(std::move(found));
        },
        [this, map, key = finder.key](Result<Found> found) {
            if (!found)
                return m_study.report(found.error());
            findings(map)[key] = std::move(*found);
            if (map == scatter().map())
                scatter().recolor();
        });
}

void CanvasController::refreshRegions()
{
    const auto map = scatter().map();
    if (!m_regions->isChecked() || map == nullptr || !m_study.cache())
        return;
    const ui::ColorChoice choice = m_study.choices().now().color;
    const std::string name = coloringOf(choice).namesRegions ? choice.column : m_study.labelColumn();
    const auto documents = m_study.cache()->overview->documents;
    if (documents->label(name) == nullptr)
        return scatter().setRegions({});
    const viz::PointStateBlock states = scatter().points().stateBlock();
    m_regionsWithout = hiddenOf(*states);
    m_study.run<std::vector<viz::Region>>(
        m_regionRunner,
        [map, documents, name, states](JobContext&) -> Result<std::vector<viz::Region>> {
            const LabelColumn& column = *documents->label(name);
            std::vector<std::int32_t> codes;
            codes.reserve(map->points->document.size());
            for (const std::int32_t document : map->points->document)
                codes.push_back(static_cast<std::size_t>(document) < column.codes.size()
                                    ? column.codes[static_cast<std::size_t>(document)]
                                    : -1);
            QStringList names;
            for (const std::string& category : column.categories)
                names << ui::toQString(category);
            return viz::findRegions(map->xy.values(), codes, names, map->points->document, *states);
        },
        [this, map](Result<std::vector<viz::Region>> regions) {
            if (regions && map == scatter().map())
                scatter().setRegions(std::move(*regions));
        });
}

void CanvasController::refreshLit()
{
    const ui::SelectionHub& selection = m_study.window().selection();
    if (const auto head = selection.hoveredHead())
        scatter().setLitHeads({head->value()});
    else
        scatter().setLitHeads(selection.litHeads());
}

void CanvasController::askPicture()
{
    ui::MainWindow& window = m_study.window();
    if (scatter().map() == nullptr)
        return window.showNotice(tr("There is no map to save yet."));
    auto* dialog = new ui::PictureDialog(scatter().size(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::PictureDialog::scaleChosen, this, [this](double scale) {
        ui::MainWindow& asking = m_study.window();
        const QString start = QDir(asking.settings().text(ui::SettingKey::LastFolder)).filePath(tr("canvas.png"));
        asking.dialogs().saveFile(
            &asking, tr("Save canvas"), start, tr("PNG image (*.png)"), [this, scale](const QString& path) {
                ui::withEnding(m_study.window().dialogs(), &m_study.window(), path, QStringLiteral("png"),
                               [this, scale](const QString& file) {
                                   m_save.start(file, [shot = scatter().shot(), scale, file]() -> Status {
                                       return writePicture(shot.render(scale), file);
                                   });
                               });
            });
    });
    dialog->open();
}

} // namespace headscope::desktop
