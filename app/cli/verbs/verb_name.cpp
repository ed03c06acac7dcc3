// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_process.h"
#include "app/cli/retrieval_input.h"
#include "app/cli/verb.h"
#include "app/commands/measures/name_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/measures/name_frame.h"
#include "app/results/provenance.h"
#include "model/analysis/words/named_vectors.h"
#include "model/base/file_ending.h"
#include "model/base/text/plural.h"
#include "model/data/model_digests.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <utility>

namespace headscope::cli
{
namespace
{

/// The texts that heads are named by, and their vectors.
struct OfferedTexts
{
    std::vector<std::string> texts;
    std::shared_ptr<const HeadVectors> vectors; ///< [M, H, D]
};

class NameVerb : public VerbOf<commands::NameCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        HEADSCOPE_CHECK(checkChoices());
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "name"));
        const LayerIndex layer = input.layers.front();
        const Stage stage = input.stages.front();
        HEADSCOPE_TRY(auto vectors, input.cache->load(layer, stage, {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        vectors = takeRows(vectors, input.rows);
        Answer answer;
        HEADSCOPE_TRY(OfferedTexts offered, offeredTexts(input, *vectors, answer, job));
        NamingResult result{layer, stage, {}, std::move(offered.texts), m_command.permutations};
        const NamingOptions options = optionsOf(common);
        for (const std::int64_t head : heads)
        {
            job.report("naming heads", result.heads.size(), heads.size(), "heads");
            JobContext inner(job.stopToken());
            auto named = nameVectors(vectors->head(HeadIndex(head)), offered.vectors->head(HeadIndex(head)), options,
                                     common.numThreads(), inner);
            if (!named)
                return std::move(named).error().atPlace(fmt::format("{} {}", unitName(stage), head + 1));
            result.heads.push_back({head, std::move(*named)});
        }
        Provenance provenance("name", input, m_command.input);
        tell(provenance, common, {"texts", "model", "prompt", "method", "steps", "rank", "permutations", "seed"});
        provenance.setInputHash(hashOfVectors(std::array{vectors.get(), offered.vectors.get()}));
        Members members = {{"heads", namedHeadsFrame(result)}, {"texts", result.texts.size()}};
        provenance.addTo(members);
        members.emplace_back("output", textOrNull(m_command.output));
        *answer.json = nodeJson(members);
        answer.text = fmt::format("{}; {} document{}, {} text{}\n\n{}", headingOf(*vectors), vectors->documents(),
                                  plural(vectors->documents()), result.texts.size(), plural(std::ssize(result.texts)),
                                  namingText(result));
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(
                writeFrameFile(m_command.output, namesFrame(result), provenance, {}, csvTexts(m_command.plainCsv)));
        return answer;
    }

private:
    [[nodiscard]] bool isCache() const { return hasHdf5Ending(m_command.texts); }

    [[nodiscard]] Status checkChoices() const
    {
        if (m_command.texts.empty() && !m_command.model.empty())
            return wrongUse("--model", "this option needs --texts");
        if (!m_command.texts.empty() && isCache() && !m_command.model.empty())
            return wrongUse("--model",
                            "this option embeds texts, but --texts names a cache, which has vectors already");
        if (!m_command.texts.empty() && !isCache() && m_command.model.empty())
            return wrongUse(
                "--texts",
                fmt::format("expected a cache (.h5), or --model to embed the texts, found \"{}\"", m_command.texts));
        if (!m_command.prompt.empty() && m_command.model.empty())
            return wrongUse("--prompt", "this option needs --model");
        if (!m_command.texts.empty() && !m_command.input.label.empty())
            return wrongUse("--label", "cannot be combined with --texts");
        return {};
    }

    [[nodiscard]] NamingOptions optionsOf(const CommonOptions& common) const
    {
        NamingOptions options;
        options.pursuit.method =
            m_command.method == commands::NamingMethod::Somp ? PursuitMethod::Somp : PursuitMethod::TextSpan;
        options.pursuit.steps = m_command.steps;
        options.pursuit.rank = m_command.rank;
        options.permutations = m_command.permutations;
        options.seed = common.seed;
        return options;
    }

    /// @param vectors  of the documents
    [[nodiscard]] Result<OfferedTexts> offeredTexts(const CacheInput& input, const HeadVectors& vectors, Answer& answer,
                                                    JobContext& job) const
    {
        if (m_command.texts.empty())
        {
            HEADSCOPE_TRY(const LabelColumn label, chooseLabel(input, m_command.input.label));
            HEADSCOPE_TRY(TopicVectors topics, input.cache->topics(label.name, vectors.layer(), vectors.stage(), job));
            return OfferedTexts{std::move(topics.names), std::move(topics.vectors)};
        }
        if (isCache())
        {
            HEADSCOPE_TRY(const auto reader, CacheReader::open(m_command.texts, job, CachePart::Queries));
            return textsOf(*reader, input, vectors, answer, job);
        }
        HEADSCOPE_TRY(const EmbeddedTexts embedded,
                      embedTexts({m_command.texts}, {}, m_command.model, m_command.prompt, enginePath(), input, job));
        return textsOf(*embedded.cache, input, vectors, answer, job);
    }

    [[nodiscard]] Result<OfferedTexts> textsOf(CacheReader& reader, const CacheInput& input, const HeadVectors& vectors,
                                               Answer& answer, JobContext& job) const
    {
        HEADSCOPE_CHECK(checkSameChanges(input.model(), reader.info().header.model, m_command.texts));
        OfferedTexts offered;
        HEADSCOPE_TRY(const auto documents, reader.documents(job));
        offered.texts = documents->texts.empty() ? documents->ids : documents->texts;
        HEADSCOPE_TRY(offered.vectors, reader.load(vectors.layer(), vectors.stage(), {}, job));
        if (offered.vectors->heads() != vectors.heads() || offered.vectors->dims() != vectors.dims())
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected texts of shape [{}, {}] as in the cache, found [{}, {}]",
                                     vectors.heads(), vectors.dims(), offered.vectors->heads(),
                                     offered.vectors->dims()),
                         m_command.texts,
                         {}};
        if (std::string notice = otherModelNotice(input.model(), reader.info().header.model, "texts"); !notice.empty())
            answer.notices.push_back(std::move(notice));
        return offered;
    }
};

} // namespace

std::unique_ptr<Verb> makeNameVerb()
{
    return std::make_unique<NameVerb>();
}

} // namespace headscope::cli
