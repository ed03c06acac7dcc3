// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/commands/probe_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/label_probe_frame.h"
#include "app/results/provenance.h"
#include "model/analysis/probe/label_probe.h"
#include "model/analysis/statistics/split_scores.h"

#include <nlohmann/json.hpp>

#include <array>

namespace headscope::cli
{
namespace
{

class LabelProbeVerb : public VerbOf<commands::LabelProbeCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "label-probe"));
        HEADSCOPE_TRY(const ChosenLabels chosen, loadLabels(input, m_command.input));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        ProbeOptions options = m_command.probe;
        options.seed = common.seed;
        auto told = probeLabels(*vectors, heads, chosen.labels.codes, options, common.numThreads(), job,
                                static_cast<int>(m_command.splits));
        if (!told)
            return std::move(told).error().inFile(m_command.input.cache);
        if (told->testDocuments > 0 && told->untrained >= told->testDocuments)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format(
                    "none of the {} test labels is among the {} training labels, so no prediction could be correct",
                    told->testDocuments, told->trainDocuments),
                m_command.input.cache, "--label"};
        told->label = chosen.labels.name;
        Provenance provenance(std::string(m_command.kVerb), input, m_command.input);
        provenance.setLabel(chosen.labels.name);
        tell(provenance, common, {"c", "split", "test", "splits", "seed"});
        provenance.add("ci95_method", splitIntervalMethod(told->splits));
        provenance.setInputHash(hashOfVectors(std::array{vectors.get()}));
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(
                writeFrameFile(m_command.output, labelProbeFrame(*told), provenance, {}, csvTexts(m_command.plainCsv)));
        Answer answer;
        *answer.json = labelProbeJson(*told);
        (*answer.json)["output"] = textJson(m_command.output);
        provenance.writeTo(*answer.json);
        answer.text = labelProbeText(*told);
        answer.notices = chosen.notices;
        for (std::string& notice : labelProbeNotices(*told))
            answer.notices.push_back(std::move(notice));
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeLabelProbeVerb()
{
    return std::make_unique<LabelProbeVerb>();
}

} // namespace headscope::cli
