// SPDX-License-Identifier: GPL-3.0-or-later
// What the heatmap tab gives out: files, the clipboard, the line of the shell.
#include "app/commands/command_line.h"
#include "app/commands/heatmap_command.h"
#include "app/commands/similarity_command.h"
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/view_files.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "app/results/topics/heatmap_frame.h"
#include "app/results/topics/similarity_frame.h"
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_controller.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_chooser.h"
#include "app/views/heatmap/topic_means_page.h"
#include "model/base/output/output_file.h"
#include "model/io/results/result_writer.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/models/topic_list_model.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/export/figure_text.h"
#include "viz/export/heatmap_figures.h"
#include "viz/heatmap/heatmap_scale.h"
#include "viz/heatmap/matrix_tables.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPixmap>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using Panels = ui::HeatmapWidget::Panels;

std::filesystem::path pathOf(const QString& path)
{
    return ui::toStdString(path);
}

using Heads = std::vector<std::int64_t>;

/// Whether the row (0 full, 1 + head) is of the heads that are chosen. A stage that is not cut into heads has
/// one row beside the full one.
bool hasRow(const Heads& heads, std::int64_t row)
{
    return row == 0 || std::binary_search(heads.begin(), heads.end(), row - 1);
}

/// What the rows of the heatmaps say, as `headscope heatmap` prints it.
Frame rowsTable(const Panels& panels, const Heads& heads)
{
    std::vector<HeatmapLines> rows;
    for (const auto& panel : panels)
        rows.push_back({panel->heatmap.get(),
                        &panel->statistics,
                        heads,
                        panel->null.contrast.empty() ? nullptr : &panel->null,
                        {}});
    addContrastRates(rows);
    return heatmapFrame(rows, true);
}

Frame meansTable(const Panels& panels, TopicMeans what, const Heads& heads)
{
    const auto& topics = panels.front()->heatmap->topicNames;
    Column::Wholes layers;
    Column::Texts stages;
    Column::Texts rows;
    std::vector<Column::Reals> means(topics.size());
    for (const auto& panel : panels)
    {
        const Heatmap& heatmap = *panel->heatmap;
        const MatrixD values = topicMeans(*panel, what);
        for (std::int64_t row = 0; row < values.rows(); ++row)
        {
            if (!hasRow(heads, row))
                continue;
            layers.push_back(heatmap.layer.value());
            stages.emplace_back(stageName(heatmap.stage));
            rows.push_back(heatmapRowName(heatmap.stage, static_cast<std::size_t>(row)));
            for (std::size_t topic = 0; topic < topics.size(); ++topic)
                means[topic].push_back(values(row, static_cast<std::int64_t>(topic)));
        }
    }
    Frame frame(kTopicMeansFrame);
    frame.add("layer", std::move(layers));
    frame.add("stage", std::move(stages));
    frame.add("row", std::move(rows));
    for (std::size_t topic = 0; topic < topics.size(); ++topic)
        frame.add("mean", std::move(means[topic])).named(topics[topic]);
    return frame;
}

QStringList keyOf(const std::vector<std::string>& topics, const std::vector<std::int32_t>& order)
{
    QStringList key;
    for (std::size_t i = 0; i < topics.size(); ++i)
    {
        const std::size_t topic = order.size() == topics.size() ? static_cast<std::size_t>(order[i]) : i;
        key << viz::topicLetter(static_cast<std::int64_t>(i)) + QStringLiteral("  ") + ui::toQString(topics[topic]);
    }
    return key;
}

/// The tables that are shown, for paper, in their scale.
std::vector<viz::MatrixFigure> figuresOf(const viz::MatrixTables& shown, const QString& scaleTitle)
{
    std::vector<viz::MatrixFigure> figures;
    for (const viz::MatrixTables::Table& table : shown.tables())
    {
        figures.push_back({*table.values, table.rowNames, table.columnNames, table.style, scaleTitle});
        figures.back().style.scale = viz::scaleOf(shown.scale(), viz::InkTheme::Light);
    }
    return figures;
}

} // namespace

std::optional<ViewOutput> HeatmapController::output(const QString& path, const viz::FigureOptions&)
{
    if (!m_study.cache())
        return std::nullopt;
    switch (view().mode())
    {
    case ui::HeatmapView::Mode::Documents:
        return outputDocuments(path);
    case ui::HeatmapView::Mode::Similarity:
        return outputSimilarity(path);
    case ui::HeatmapView::Mode::Means:
        return outputMeans(path);
    }
    return std::nullopt;
}

std::optional<ViewOutput> HeatmapController::outputDocuments(const QString& path) const
{
    const Panels panels = view().heatmap()->panels();
    if (panels.empty() || m_study.heads().empty())
        return nothing(tr("There is no heatmap to save yet."));
    const auto target = pathOf(path);
    if (path.endsWith(QLatin1StringView(".csv"), Qt::CaseInsensitive))
        return ViewOutput{{},
                          [panels, documents = m_study.cache()->overview->documents, target, heads = m_study.heads()] {
                              std::vector<std::shared_ptr<const Heatmap>> heatmaps;
                              for (const auto& panel : panels)
                                  heatmaps.push_back(panel->heatmap);
                              return writeHeatmapsCsv(target, heatmaps, heads, *documents);
                          }};
    if (isTextTable(target))
        return ViewOutput{{}, [panels, target, heads = m_study.heads()] {
                              Provenance provenance;
                              provenance.add("topic_vectors", panels.front()->vectorsText);
                              provenance.setInputHash(panels.front()->heatmap->inputHash);
                              return writeFrameFile(target, rowsTable(panels, heads), provenance);
                          }};
    viz::HeatmapFigure figure;
    figure.scale = view().scale();
    figure.rows = view().heatmap()->rows();
    if (!m_study.allHeads())
        figure.heads = m_study.heads();
    figure.pooling = view().heatmap()->pooling();
    figure.window = view().heatmap()->window();
    figure.lit = view().heatmap()->litDocuments();
    if (view().matchWanted())
        figure.match = view().match()->picture().match();
    return ViewOutput{viz::figureOfHeatmapPanels(panels, m_study.cache()->overview->model, std::move(figure))};
}

std::optional<ViewOutput> HeatmapController::outputSimilarity(const QString& path) const
{
    const auto shownPath = view().similarity()->path();
    if (shownPath == nullptr)
        return nothing(tr("There are no similarities to save yet."));
    const auto target = pathOf(path);
    if (isTextTable(target))
        return ViewOutput{{}, [shownPath, target] {
                              Provenance provenance;
                              provenance.add("vectors", shownPath->source);
                              provenance.setInputHash(shownPath->similarity.inputHash);
                              return writeFrameFile(target, similarityFrame(shownPath->similarity), provenance);
                          }};
    return ViewOutput{viz::describedFigure(
        viz::figureOfMatrices(figuresOf(view().similarity()->matrix()->picture(), tr("cosine")), {}),
        tr("Cosines between topic vectors (%1). Frames: topics whose mean cosine reaches %2.")
            .arg(ui::toQString(shownPath->source))
            .arg(view().similarity()->threshold(), 0, 'f', 3),
        {{QStringLiteral("input"), ui::toQString(shownPath->similarity.inputHash)}})};
}

std::optional<ViewOutput> HeatmapController::outputMeans(const QString& path) const
{
    const Panels panels = view().heatmap()->panels();
    if (panels.empty() || m_study.heads().empty() || panels.front()->statistics.topicMean.empty())
        return nothing(tr("There are no means to save yet."));
    const auto target = pathOf(path);
    const TopicMeans what = view().means()->what();
    if (isTextTable(target))
        return ViewOutput{{}, [panels, what, target, heads = m_study.heads()] {
                              Provenance provenance;
                              provenance.add("topic_vectors", panels.front()->vectorsText);
                              provenance.setInputHash(panels.front()->heatmap->inputHash);
                              return writeFrameFile(target, meansTable(panels, what, heads), provenance);
                          }};
    const QString contrast =
        what == TopicMeans::AgainstRest   ? tr(", minus the mean over documents of the other topics shown")
        : what == TopicMeans::AgainstFull ? tr(", minus the mean of the full vector in the same topic")
                                          : QString();
    const QString caption = tr("Mean cosine of a topic’s documents with the topic%1 (layer %2; %3; topics: %4).")
                                .arg(contrast)
                                .arg(panels.front()->heatmap->layer.value())
                                .arg(view().means()->caption(), ui::toQString(panels.front()->vectorsText));
    return ViewOutput{viz::describedFigure(
        viz::figureOfMatrices(figuresOf(view().means()->matrix()->picture(), view().means()->scaleTitle()),
                              keyOf(panels.front()->heatmap->topicNames, {})),
        caption, {{QStringLiteral("input"), ui::toQString(panels.front()->heatmap->inputHash)}})};
}

void HeatmapController::applyMerge()
{
    if (!m_study.cache() || m_mergeRunner.running())
        return;
    m_study.beginJob(QStringLiteral("labels"), tr("Merging labels"), m_mergeRunner);
    m_study.run<MergedOverview>(
        m_mergeRunner,
        [cache = *m_study.cache(), column = m_study.labelColumn(),
         names = view().similarity()->labelMap()](JobContext&) { return mergeColumn(cache, column, names); },
        [this](Result<MergedOverview> made) {
            if (!made)
                return m_study.report(made.error());
            m_appliedNames = view().similarity()->labelMap();
            m_study.setLabels(*made);
            const auto count = std::ssize(made->overview->documents->label(made->name)->categories);
            m_study.window().showNotice(
                tr("Labels merged into %1.").arg(ui::countText(count, tr("topic"), tr("topics"))));
        });
}

void HeatmapController::saveLabelMap()
{
    m_study.window().dialogs().saveFile(
        &m_study.window(), tr("Save label map"), proposedLabelMap(), tr("Label map (*.json)"),
        [this](const QString& path) {
            QJsonObject names;
            for (const auto& [from, to] : view().similarity()->labelMap())
                names[ui::toQString(from)] = ui::toQString(to);
            m_save.start(path, [text = QJsonDocument(names).toJson().toStdString(), target = pathOf(path)] {
                return writeFileAtomically(target, text);
            });
            m_savedNames = view().similarity()->labelMap();
            m_savedMap = QFileInfo(path).absoluteFilePath();
        });
}

std::optional<Frame> HeatmapController::shownTable() const
{
    const Panels& panels = view().heatmap()->panels();
    if (view().mode() == ui::HeatmapView::Mode::Similarity)
        return view().similarity()->path() == nullptr
                   ? std::nullopt
                   : std::optional(similarityFrame(view().similarity()->path()->similarity));
    if (panels.empty() || m_study.heads().empty())
        return std::nullopt;
    const auto heads = m_study.heads();
    return view().mode() == ui::HeatmapView::Mode::Means ? meansTable(panels, view().means()->what(), heads)
                                                         : rowsTable(panels, heads);
}

void HeatmapController::copy()
{
    const std::optional<Frame> shown = shownTable();
    if (!shown)
        return m_study.window().showNotice(tr("There is nothing to copy yet."));
    QWidget* picture = view().mode() == ui::HeatmapView::Mode::Similarity
                           ? static_cast<QWidget*>(view().similarity()->matrix())
                       : view().mode() == ui::HeatmapView::Mode::Means ? view().means()->matrix()
                                                                       : nullptr;
    copyView(m_study.window(), *shown, picture != nullptr ? picture->grab().toImage() : view().heatmap()->picture());
}

QString HeatmapController::labelMapFile() const
{
    const auto merged = m_study.cache()->merged.find(m_study.labelColumn());
    if (merged != m_study.cache()->merged.end() && !merged->second.labelMap.empty())
        return ui::toQString(merged->second.labelMap);
    // Merged here: the file it was saved to, or the one that saving would propose.
    return !m_savedMap.isEmpty() && m_savedNames == m_appliedNames ? m_savedMap : proposedLabelMap();
}

QString HeatmapController::proposedLabelMap() const
{
    return QFileInfo(ui::toQString(m_study.cache()->overview->path)).absolutePath() + QStringLiteral("/label-map.json");
}

QString HeatmapController::commandLine() const
{
    if (!m_study.cache() || !labels())
        return {};
    const HeatmapLabels source = *labels();
    commands::InputOptions input;
    input.cache = m_study.cache()->overview->path;
    input.layer = std::to_string(m_study.layer().value());
    input.stage = stageName(m_study.stage());
    input.label = source.topicColumn;
    if (view().mode() != ui::HeatmapView::Mode::Similarity)
        input.topics = source.vectors;
    if (view().mode() == ui::HeatmapView::Mode::Similarity)
    {
        commands::CommandLine<commands::SimilarityCommand> line;
        line.command.input = input;
        constexpr double kShown = 1000; // digits of the threshold's field
        line.command.merge = std::round(view().similarity()->threshold() * kShown) / kShown;
        line.command.output = ui::toStdString(proposedLabelMap());
        return ui::toQString(line.text());
    }
    commands::CommandLine<commands::HeatmapCommand> line;
    line.command.input = input;
    std::vector<std::string_view> stages;
    for (const auto& panel : view().heatmap()->panels())
        stages.push_back(stageName(panel->heatmap->stage));
    if (!stages.empty())
        line.command.input.stage = fmt::format("{}", fmt::join(stages, ","));
    line.command.input.heads = chosenHeads(m_study);
    if (source.column != source.topicColumn)
        line.command.input.labelMap = ui::toStdString(labelMapFile());
    const HeatmapOptions options = view().options();
    line.command.heatmap = options;
    line.command.sort = options.order.name();
    std::vector<std::string> names;
    for (const std::int32_t topic : options.topics)
        names.push_back(source.documents->label(source.column)->categories[static_cast<std::size_t>(topic)]);
    line.command.topics = fmt::format("{}", fmt::join(names, ","));
    if (!line.command.input.heads.empty())
        return ui::toQString(line.text()) % QStringLiteral("  # without a figure, which would show all heads");
    line.command.output = "heatmap.pdf";
    line.command.figure.palette = ui::toStdString(viz::paletteId(ui::Theme::instance().palette()));
    const std::string scale = view().scaleWords();
    if (!scale.empty())
        line.command.scale = scale;
    return ui::toQString(line.text()) % (scale.empty() ? QStringLiteral("  # without the colour scale of the window")
                                                       : QString());
}

void HeatmapController::saveState(QJsonObject& state) const
{
    const LabelColumn* column =
        m_study.cache() ? m_study.cache()->overview->documents->label(m_study.labelColumn()) : nullptr;
    QJsonArray topics; // by name: codes are of one column
    if (column != nullptr)
        for (const std::int32_t code : view().options().topics)
            if (code >= 0 && code < std::ssize(column->categories))
                topics.append(ui::toQString(column->categories[static_cast<std::size_t>(code)]));
    if (!topics.isEmpty())
        state[QStringLiteral("heatmap_topics")] = topics;
}

void HeatmapController::restoreState(const QJsonObject& state)
{
    const LabelColumn* column = m_study.cache()->overview->documents->label(m_study.labelColumn());
    const QJsonArray topics = state.value(QStringLiteral("heatmap_topics")).toArray();
    if (column == nullptr || (topics.isEmpty() && view().options().topics.empty()))
        return;
    std::vector<std::int32_t> codes;
    for (const QJsonValue& topic : topics)
        if (const auto found = std::ranges::find(column->categories, ui::toStdString(topic.toString()));
            found != column->categories.end())
            codes.push_back(static_cast<std::int32_t>(found - column->categories.begin()));
    view().bar()->chooser()->topics()->choose(codes);
}

} // namespace headscope::desktop
