// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/layers_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/layers_frame.h"
#include "app/results/measures/geometry_frame.h"
#include "app/results/provenance.h"
#include "model/analysis/geometry/layer_similarity.h"
#include "model/analysis/geometry/vector_geometry.h"
#include "model/analysis/heads/layer_measures.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/hash.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/last_layer.h"
#include "viz/export/layer_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace headscope::cli
{
namespace
{

class LayersVerb : public VerbOf<commands::LayersCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const bool picture = viz::figureFormat(m_command.output).has_value();
        if (!picture || m_command.geometry)
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common,
                                             m_command.geometry ? OutputKinds::Tables : OutputKinds::TablesAndFigures));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        m_options = m_command.layers;
        m_options.probe.seed = common.seed;
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        Answer answer;
        if (m_command.geometry)
        {
            HEADSCOPE_TRY(const Places places, placesOf(input, answer));
            return runGeometry(input, places, std::move(answer), common, job);
        }
        HEADSCOPE_TRY(const std::vector<std::int32_t> labels, labelsOf(input, answer));
        HEADSCOPE_TRY(const Places places, placesOf(input, answer));
        LayerList all;
        std::vector<std::string> hashes;
        for (const auto& [layer, stage] : places.held)
        {
            job.report("measuring", all.size(), places.held.size(), "stages");
            JobContext inner(job.stopToken());
            HEADSCOPE_TRY(LayerMeasures one, measureOne(input, labels, layer, stage, common, inner, hashes));
            one.afterFinalNorm = afterFinalNorm(input.model(), layer, stage);
            for (const std::string& sentence : one.missing)
                answer.notices.push_back(
                    fmt::format("layer {} stage {}: {}", layer.value(), stageName(stage), sentence));
            all.push_back(std::make_shared<const LayerMeasures>(std::move(one)));
        }
        return finish(input, all, places, fmt::format("{}", fmt::join(hashes, " ")), std::move(answer), common, job);
    }

private:
    /// Places that were asked for, and whether the cache holds them.
    struct Places
    {
        std::vector<std::pair<LayerIndex, Stage>> held;
        std::vector<std::pair<LayerIndex, Stage>> absent;

        [[nodiscard]] NodeList absentNodes() const
        {
            NodeList list;
            for (const auto& [layer, stage] : absent)
                list.emplace_back(Members{{"layer", layer.value()}, {"stage", stageNode(stageName(stage))}});
            return list;
        }
    };

    /// What is there is measured, and what is not is said.
    /// @errors InvalidArgument (nothing is there)
    [[nodiscard]] Result<Places> placesOf(const CacheInput& input, Answer& answer) const
    {
        Places places;
        std::map<Stage, std::vector<std::int64_t>> lacking;
        for (const LayerIndex layer : input.layers)
            for (const Stage stage : input.stages)
            {
                const bool held = input.cache->find(layer, stage) != nullptr;
                (held ? places.held : places.absent).emplace_back(layer, stage);
                if (!held)
                    lacking[stage].push_back(layer.value());
            }
        if (places.held.empty())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("there are no vectors of stage {} in these layers", m_command.input.stage),
                         m_command.input.cache, "--stage"};
        for (const auto& [stage, layers] : lacking)
            answer.notices.push_back(
                layers.size() == input.layers.size()
                    ? fmt::format("the cache has no stage {}, so this stage is not measured", stageName(stage))
                    : fmt::format("the cache has no stage {} of layers {}, so this stage is not measured there",
                                  stageName(stage), fmt::join(layers, ", ")));
        return places;
    }

    /// Codes of the chosen documents, in their order; none without labels.
    [[nodiscard]] Result<std::vector<std::int32_t>> labelsOf(const CacheInput& input, Answer& answer) const
    {
        std::vector<std::int32_t> codes;
        if (input.documents->labels.empty() && m_command.input.label.empty())
            return codes;
        HEADSCOPE_TRY(const ChosenLabels chosen, loadLabels(input, m_command.input));
        answer.notices = chosen.notices;
        for (const std::int64_t row : input.rows)
            codes.push_back(chosen.labels.codes[static_cast<std::size_t>(row)]);
        return codes;
    }

    /// Answer and output of what was measured.
    /// @param hash  of the vectors
    [[nodiscard]] Result<Answer> finish(const CacheInput& input, const LayerList& all, const Places& places,
                                        const std::string& hash, Answer answer, const CommonOptions& common,
                                        JobContext& job) const
    {
        const Frame table = sortedLayersFrame(all);
        Provenance provenance("layers", input, m_command.input);
        provenance.setLabel(usedLabel(input, m_command.input.label));
        tell(provenance, common, {"c", "neighbors", "seed", "permutations", "cka"});
        provenance.add("ci95_method", fmt::format("{}; purity: {}; redundancy: {}", kClusterWilson, kJackknife,
                                                  m_options.cka == CkaMethod::Debiased ? kJackknife : "none"));
        provenance.setInputHash(hash);
        Members result = {
            {"results", layersFrame(all)}, {"absent", places.absentNodes()}, {"output", textOrNull(m_command.output)}};
        provenance.addTo(result);
        *answer.json = nodeJson(result);
        answer.text = fmt::format("{} documents\n\n{}\n{}", withCommas(static_cast<std::int64_t>(input.rows.size())),
                                  frameText(table), layersLegend(all));
        if (m_command.output.empty())
            return answer;
        const CsvTexts texts = csvTexts(m_command.plainCsv);
        if (!viz::figureFormat(m_command.output))
        {
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, table, provenance, {}, texts));
            return answer;
        }
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::figureOfLayers(all, purityQ(all), input.model())));
        HEADSCOPE_CHECK(files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, table, provenance, {}, texts);
        }));
        return answer;
    }

    /// What is measured of a place.
    struct Loaded
    {
        std::shared_ptr<const HeadVectors> vectors; ///< of the chosen documents
        std::vector<std::int64_t> heads;
    };

    [[nodiscard]] Result<Loaded> load(const CacheInput& input, LayerIndex layer, Stage stage, JobContext& job) const
    {
        HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
        HEADSCOPE_TRY(auto heads, input.headsOf(*vectors, m_command.input.heads));
        return Loaded{takeRows(vectors, input.rows), std::move(heads)};
    }

    [[nodiscard]] Error atPlace(Error error, LayerIndex layer, Stage stage) const
    {
        return std::move(error)
            .inFile(m_command.input.cache)
            .atPlace(fmt::format("layer {} stage {}", layer.value(), stageName(stage)));
    }

    [[nodiscard]] Result<LayerMeasures> measureOne(const CacheInput& input, const std::vector<std::int32_t>& labels,
                                                   LayerIndex layer, Stage stage, const CommonOptions& common,
                                                   JobContext& job, std::vector<std::string>& hashes) const
    {
        HEADSCOPE_TRY(const Loaded loaded, load(input, layer, stage, job));
        hashes.push_back(hashOfVectors(std::array{loaded.vectors.get()}));
        auto measured = measureLayer(*loaded.vectors, loaded.heads, input.model().groupSize(), labels, m_options,
                                     common.numThreads(), job);
        if (!measured)
            return atPlace(std::move(measured).error(), layer, stage);
        return measured;
    }

    /// The shapes of the vectors, in place of all other measures.
    [[nodiscard]] Result<Answer> runGeometry(const CacheInput& input, const Places& places, Answer answer,
                                             const CommonOptions& common, JobContext& job) const
    {
        std::vector<PlacedGeometry> all;
        std::vector<std::string> hashes;
        for (const auto& [layer, stage] : places.held)
        {
            job.report("measuring", all.size(), places.held.size(), "stages");
            JobContext inner(job.stopToken());
            HEADSCOPE_TRY(const Loaded loaded, load(input, layer, stage, inner));
            hashes.push_back(hashOfVectors(std::array{loaded.vectors.get()}));
            auto geometry = layerGeometry(*loaded.vectors, loaded.heads, common.seed, common.numThreads(), inner);
            if (!geometry)
                return atPlace(std::move(geometry).error(), layer, stage);
            all.push_back({layer, stage, loaded.vectors->heads() == 1, afterFinalNorm(input.model(), layer, stage),
                           std::move(*geometry)});
        }
        Provenance provenance("layers", input, m_command.input);
        tell(provenance, common, {"geometry", "seed"});
        provenance.add("ci95_method", std::string(kJackknife));
        provenance.setInputHash(fmt::format("{}", fmt::join(hashes, " ")));
        const Frame table = geometryFrame(all);
        Members result = {{"results", table}, {"absent", places.absentNodes()}};
        provenance.addTo(result);
        result.emplace_back("output", textOrNull(m_command.output));
        *answer.json = nodeJson(result);
        answer.text = fmt::format("{} documents\n\n{}\n{}", withCommas(static_cast<std::int64_t>(input.rows.size())),
                                  frameText(shownGeometry(table)), geometryLegend(all));
        if (m_command.output.empty())
            return answer;
        std::vector<LayerSimilarity> similarities;
        if (!isTextTable(m_command.output))
        {
            HEADSCOPE_TRY(similarities, compareLayers(input, places, common, answer, job));
        }
        std::vector<NamedMatrix> matrices;
        for (const LayerSimilarity& each : similarities)
        {
            matrices.push_back({fmt::format("cka/{}/heads", stageName(each.stage)), &each.headCka});
            matrices.push_back({fmt::format("cka/{}/layers", stageName(each.stage)), &each.layerCka});
        }
        HEADSCOPE_CHECK(writeFrameFile(m_command.output, table, provenance, matrices, csvTexts(m_command.plainCsv)));
        return answer;
    }

    /// The CKA of every head with every head of a stage, for each stage; where there are too few documents a notice.
    [[nodiscard]] Result<std::vector<LayerSimilarity>> compareLayers(const CacheInput& input, const Places& places,
                                                                     const CommonOptions& common, Answer& answer,
                                                                     JobContext& job) const
    {
        std::vector<LayerSimilarity> all;
        for (const Stage stage : input.stages)
        {
            std::vector<std::shared_ptr<const HeadVectors>> layers;
            std::vector<std::int64_t> heads;
            for (const auto& [layer, of] : places.held)
                if (of == stage)
                {
                    HEADSCOPE_TRY(Loaded loaded, load(input, layer, stage, job));
                    layers.push_back(std::move(loaded.vectors));
                    heads = std::move(loaded.heads);
                }
            if (layers.empty())
                continue;
            auto similarity = layerSimilarity(layers, heads, common.numThreads(), job);
            if (similarity)
                all.push_back(std::move(*similarity));
            else if (similarity.error().code == ErrorCode::InvalidArgument)
                answer.notices.push_back(
                    fmt::format("the CKA of stage {} is omitted: {}", stageName(stage), similarity.error().message));
            else
                return std::move(similarity).error().inFile(m_command.input.cache);
        }
        return all;
    }

    LayerOptions m_options;
};

} // namespace

std::unique_ptr<Verb> makeLayersVerb()
{
    return std::make_unique<LayersVerb>();
}

} // namespace headscope::cli
