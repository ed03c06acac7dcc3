// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of lessons that are computed from the open cache: probes, topics and stored maps of its heads.
#include "app/desktop/lesson/lesson_pictures.h"
#include "app/views/heads/describe_heads.h"
#include "app/views/probe/train_probes.h"
#include "model/analysis/heads/head_report.h"
#include "model/analysis/probe/group_errors.h"
#include "model/data/key_sharing.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope::desktop
{
namespace
{

using ui::tr;

constexpr double kSignificant = 0.05;
constexpr double kSelectivityEnd = 0.2; ///< of the scale, where no interval goes beyond

viz::LessonPicture needsCache()
{
    return why(tr("This drawing is computed from a cache. Open one, or press “Use the demo model”."));
}

/// The last layer that has this stage: lessons speak of its numbers, whatever is selected.
std::optional<LayerIndex> lastWith(CacheReader& reader, Stage stage)
{
    for (std::int64_t layer = reader.info().header.model.layers - 1; layer >= 0; --layer)
        if (reader.find(LayerIndex(layer), stage) != nullptr)
            return LayerIndex(layer);
    return std::nullopt;
}

Stage stageOf(const LessonPictureSpec& spec)
{
    const double number = spec.number("stage", 1);
    return number < 2 ? Stage::HeadOutput : number < 3 ? Stage::ProjectedSegment : Stage::OutputSegment;
}

int numberOf(Stage stage)
{
    return stage == Stage::HeadOutput ? 1 : stage == Stage::ProjectedSegment ? 2 : 3;
}

Result<ProbeFits> probesOf(const LessonSource& source, std::vector<std::pair<LayerIndex, Stage>> places, bool baselines,
                           JobContext& job)
{
    ProbeRequest probe;
    probe.places = std::move(places);
    probe.heads.resize(static_cast<std::size_t>(source.reader->info().header.model.heads));
    std::iota(probe.heads.begin(), probe.heads.end(), std::int64_t{0});
    probe.baselines = baselines;
    probe.numThreads = source.threads;
    HEADSCOPE_TRY(ProbeFits fits, trainProbes(
                                      *source.reader, probe, [](const ProbeFits&) {}, job));
    if (fits.stopped || fits.fits.empty())
        return JobContext::cancelled();
    return fits;
}

viz::LessonPicture errorsOf(const ProbeResult& probe, const ModelInfo& model, LayerIndex layer)
{
    viz::LessonPicture picture;
    picture.heading = tr("A probe predicts the head of a vector: %1, layer %2, stage 1")
                          .arg(ui::toQString(model.name))
                          .arg(layer.value());
    viz::ErrorShare errors{model, probe.confusion, {}, probe.testRows, numTestDocuments(probe), probe.accuracy};
    picture.note = tr("Trained now on the open cache, split by documents, seed %1.").arg(probe.options.seed);
    if (keySharing(model) == KeySharing::Groups)
    {
        std::vector<std::int64_t> groupOf;
        for (std::int64_t head = 0; head < model.heads; ++head)
            groupOf.push_back(model.groupOf(HeadIndex(head)).value());
        errors.groups = groupErrors(probe, groupOf, probe.options.seed);
        picture.note += tr(" 95% CI over documents. How much of the confusion comes from the shared values is not "
                           "measured.");
    }
    picture.content = std::move(errors);
    return picture;
}

/// A probe's accuracy at a stage, or one of its baselines.
viz::ShareRow accuracyRow(const QString& name, double accuracy, const Interval& ci95, double chance, bool strong)
{
    return {name, accuracy, ci95, chance, strong, {}};
}

QString baselineText(ProbeBaselineKind kind)
{
    switch (kind)
    {
    case ProbeBaselineKind::MeansRemoved:
        return tr("Means subtracted");
    case ProbeBaselineKind::Gaussian:
        return tr("Gaussian noise");
    case ProbeBaselineKind::RandomCut:
        return tr("Random partition");
    case ProbeBaselineKind::ControlTask:
        break;
    }
    return tr("Arbitrary labels");
}

void addBaselines(viz::ShareRows& rows, const ProbeResult& probe)
{
    if (!probe.baselines)
        return;
    for (const ProbeBaseline& each : probe.baselines->baselines)
        rows.rows.push_back(accuracyRow(baselineText(each.kind), each.accuracy, each.ci95,
                                        1.0 / static_cast<double>(probe.classes), false));
}

} // namespace

Result<viz::LessonPicture> makeErrorPicture(const LessonPictureRequest& request, JobContext& job)
{
    const LessonSource& source = request.source;
    if (source.reader == nullptr)
        return needsCache();
    const ModelInfo& model = source.reader->info().header.model;
    const auto layer = lastWith(*source.reader, Stage::HeadOutput);
    if (!layer)
        return why(tr("The open cache has no stage 1 (outputs of the heads)."));
    HEADSCOPE_TRY(const ProbeFits fits, probesOf(source, {{*layer, Stage::HeadOutput}}, false, job));
    return errorsOf(*fits.fits.front().result, model, *layer);
}

Result<viz::LessonPicture> makeProbeRows(const LessonPictureRequest& request, JobContext& job)
{
    const LessonSource& source = request.source;
    if (source.reader == nullptr)
        return needsCache();
    const bool baselines = request.spec.word("compare", "stages") == "baselines";
    std::vector<std::pair<LayerIndex, Stage>> places;
    for (const Stage stage : {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment})
        if (const auto layer = lastWith(*source.reader, stage); layer && (!baselines || stage == stageOf(request.spec)))
            places.emplace_back(*layer, stage);
    if (places.empty())
        return why(tr("The open cache does not have this stage."));
    HEADSCOPE_TRY(const ProbeFits fits, probesOf(source, places, baselines, job));
    viz::ShareRows rows;
    rows.digits = 3;
    rows.title = tr("Accuracy of a head-index probe");
    for (const ProbeFit& fit : fits.fits)
    {
        const ProbeResult& probe = *fit.result;
        rows.rows.push_back(accuracyRow(probe.stage ? tr("Stage %1").arg(numberOf(*probe.stage)) : tr("Probe"),
                                        probe.accuracy, {probe.ci95Low, probe.ci95High},
                                        1.0 / static_cast<double>(probe.classes), true));
        addBaselines(rows, probe);
    }
    const ProbeResult& first = *fits.fits.front().result;
    rows.below = tr("Bars: 95% CI. Dashed: chance.");
    viz::LessonPicture picture;
    picture.heading = tr("%1, layer %2: can a linear probe predict the head?")
                          .arg(ui::toQString(source.reader->info().header.model.name))
                          .arg(places.front().first.value());
    picture.content = std::move(rows);
    picture.note = tr("Computed now from the open cache: %1 test vectors of %2 held-out documents, seed %3.")
                       .arg(ui::countText(first.testRows), ui::countText(numTestDocuments(first)))
                       .arg(first.options.seed);
    return picture;
}

Result<viz::LessonPicture> makeTopicRows(const LessonPictureRequest& request, JobContext& job)
{
    const LessonSource& source = request.source;
    if (source.reader == nullptr)
        return needsCache();
    const Stage stage = stageOf(request.spec);
    const auto layer = lastWith(*source.reader, stage);
    if (!layer)
        return why(tr("The open cache does not have this stage."));
    HEADSCOPE_TRY(const auto vectors, source.reader->load(*layer, stage, {}, job));
    HEADSCOPE_TRY(const auto base, makeHeadBase(*source.reader, vectors, source.labels, source.threads, job));
    if (!base->labels)
        return why(ui::toQString(base->notice));
    const HeadAnswerOptions asked;
    const TopicInput input = topicInput(*base->vectors, *base->topics.vectors, base->full, &*base->labels);
    HEADSCOPE_TRY(const HeadTopicStatistics answers, headAnswers(input, asked, source.threads, job));
    const TestedNumbers& tested = answers.selectivity;
    viz::ShareRows rows;
    rows.title = tr("Topic selectivity (epsilon squared)");
    rows.below = tr("Bars: 95% CI. Dashed: mean with permuted labels. Grey: q above 0.05.");
    for (std::size_t head = 0; head < tested.value.size(); ++head)
    {
        const bool clear = tested.q[head] <= kSignificant;
        rows.least = std::min(rows.least, std::floor(tested.ci95[head].low * 10) / 10);
        rows.rows.push_back({numberOf(stage) == 1 ? tr("Head %1").arg(head + 1) : tr("Segment %1").arg(head + 1),
                             tested.value[head], tested.ci95[head], tested.null[head].mean, clear,
                             tr("q = %1").arg(tested.q[head], 0, 'g', 2)});
    }
    rows.most = kSelectivityEnd;
    for (const viz::ShareRow& row : rows.rows)
        rows.most = std::max(rows.most, std::ceil(row.ci95.high * 10) / 10);
    viz::LessonPicture picture;
    picture.heading = tr("%1, layer %2, stage %3: do heads differ between topics?")
                          .arg(ui::toQString(source.reader->info().header.model.name))
                          .arg(layer->value())
                          .arg(numberOf(stage));
    picture.content = std::move(rows);
    picture.note = tr("Computed now from the open cache: %1 labelled documents, %2 permutations, seed %3.")
                       .arg(ui::countText(answers.documents), ui::countText(asked.permutations))
                       .arg(asked.seed);
    return picture;
}

Result<viz::LessonPicture> makeStageMaps(const LessonPictureRequest& request, JobContext& job)
{
    const LessonSource& source = request.source;
    if (source.reader == nullptr)
        return needsCache();
    const ModelInfo& model = source.reader->info().header.model;
    viz::CloudMaps maps;
    for (const std::string& name : source.reader->info().maps)
    {
        HEADSCOPE_TRY(const HeadMap map, source.reader->map(name, job));
        const bool heads = map.stage == Stage::HeadOutput;
        if ((!heads && map.stage != Stage::ProjectedSegment) || maps.panels.size() == 2 ||
            (!maps.clouds.empty() && maps.clouds != map.points->head))
            continue;
        maps.clouds = map.points->head;
        viz::CloudPanel panel{tr("Stage %1").arg(numberOf(map.stage)),
                              heads ? tr("One point per document and head; one colour per head.")
                                    : tr("One point per document and segment. Segments are not heads, so they have no "
                                         "colours."),
                              map.xy, !heads, !heads};
        maps.panels.push_back(std::move(panel));
    }
    if (maps.panels.empty())
        return why(
            tr("The open cache has no stored maps. Run maps of stages 1 and 2 and store them, or open the demo."));
    const viz::HeadPalette palette(model);
    for (std::int64_t head = 0; head < model.heads; ++head)
        maps.colors.push_back(palette.color(HeadIndex(head)));
    std::ranges::reverse(maps.panels); // first what everybody sees: the clusters of stage 2
    viz::LessonPicture picture;
    picture.heading =
        tr("The same documents, before and after the output projection: %1").arg(ui::toQString(model.name));
    picture.content = std::move(maps);
    picture.note = tr("t-SNE maps that are stored in the open cache.");
    return picture;
}

} // namespace headscope::desktop
