// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/export_maps.h"
#include "app/commands/export_command.h"
#include "app/results/cache_input.h"
#include "app/results/provenance.h"
#include "model/base/free_memory.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/text_table.h"
#include "model/io/results/vector_export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::cli
{
namespace
{

struct Format
{
    std::string_view name;
    std::string_view ending;
    bool several; ///< layers and stages
    bool maps;    ///< beside the vectors
    int bytes;    ///< of memory that a number of the vectors takes while it is written, beside itself
    Status (*write)(const std::filesystem::path&, const VectorExport&);
};

constexpr std::array kFormats = {
    Format{"npy", ".npy", false, false, 12, writeVectorsNpy},
    Format{"csv", ".csv", false, true, 36, writeVectorsCsv},
    Format{"jsonl", ".jsonl", false, true, 36, writeVectorsJsonl},
    Format{"safetensors", ".safetensors", true, true, 12, writeVectorsSafetensors},
    Format{"h5ad", ".h5ad", false, true, 0, writeVectorsAnnData},
    Format{"h5ad", ".h5", false, true, 0, writeVectorsAnnData},
};

std::vector<std::string> namesOf(const std::vector<PlacedMap>& maps)
{
    std::vector<std::string> names;
    for (const PlacedMap& map : maps)
        names.push_back(map.name);
    return names;
}

Status checkMemoryFor(const Format& format, const VectorExport& all)
{
    double numbers = 0;
    for (const auto& vectors : all.vectors)
        numbers += static_cast<double>(vectors->values().size());
    return checkMemory(
        {numbers * format.bytes,
         fmt::format("writing {} values as {}", withCommas(static_cast<std::int64_t>(numbers)), format.name),
         "select fewer --heads or --documents, or use .h5ad, which needs less memory"});
}

class ExportVerb : public VerbOf<commands::ExportCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const std::string ending = std::filesystem::path(m_command.output).extension().string();
        const auto format = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& each) {
            return m_command.format.empty() ? each.ending == ending : each.name == m_command.format;
        });
        if (format == kFormats.end())
            return wrongUse("-o", fmt::format("expected a name ending in .npy, .csv, .jsonl, .safetensors or .h5ad, or "
                                              "--format, found \"{}\"",
                                              m_command.output));
        if (!m_command.maps.empty() && !format->maps)
            return wrongUse(
                "--map", fmt::format("expected .csv, .jsonl, .safetensors or .h5ad, which can hold maps, found \"{}\"",
                                     m_command.output));
        HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        if (!format->several)
            HEADSCOPE_CHECK(oneLayerAndStage(input, format->name));
        Answer answer;
        HEADSCOPE_TRY(VectorExport all, load(input, answer.notices, job));
        HEADSCOPE_TRY(all.maps, mapsToExport(input, m_command.maps, all, job));
        if (all.maps.empty() && !m_command.maps.empty())
            answer.notices.emplace_back("the cache has no map of these vectors");
        const Provenance provenance = provenanceOf(input, all);
        for (const auto& [name, value] : provenance.parameters())
            all.facts.emplace_back(name, std::visit([](const auto& each) { return fmt::format("{}", each); }, value));
        all.facts.emplace_back("input_hash", provenance.inputHash());
        HEADSCOPE_CHECK(checkMemoryFor(*format, all));
        HEADSCOPE_CHECK(format->write(m_command.output, all));
        const HeadVectors& first = *all.vectors.front();
        *answer.json = {{"format", format->name}, {"documents", first.documents()}, {"heads", first.heads()},
                        {"dims", first.dims()},   {"arrays", all.vectors.size()},   {"output", m_command.output}};
        if (!m_command.maps.empty())
            (*answer.json)["maps"] = namesOf(all.maps);
        provenance.writeTo(*answer.json);
        answer.text = fmt::format(
            "{}: {} documents x {} {}s x {} values{}{} written to {}\n", format->name, withCommas(first.documents()),
            first.heads(), unitName(first.stage()), first.dims(),
            all.vectors.size() > 1 ? fmt::format(", {} arrays,", all.vectors.size()) : "",
            all.maps.empty() ? "" : fmt::format(" and {} map{}", all.maps.size(), all.maps.size() > 1 ? "s" : ""),
            m_command.output);
        return answer;
    }

private:
    /// The vectors that are asked for.
    [[nodiscard]] Result<VectorExport> load(const CacheInput& input, std::vector<std::string>& notices, JobContext& job)
    {
        VectorExport all;
        all.rows = input.rows;
        all.documents = input.documents;
        all.model = input.model();
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
                HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
                if (!all.vectors.empty() && heads != all.heads)
                    return Error{ErrorCode::InvalidArgument,
                                 "expected stages with the same heads for one file, found full vectors among the "
                                 "stages",
                                 m_command.input.cache, "--stage"};
                all.heads = heads;
                all.vectors.push_back(takeHeads(takeRows(vectors, input.rows), heads));
                if (notices.empty())
                    notices = notFiniteNotice(*vectors, input.rows);
            }
        }
        return all;
    }

    [[nodiscard]] Provenance provenanceOf(const CacheInput& input, const VectorExport& all) const
    {
        Provenance provenance("export", input, m_command.input);
        if (!all.maps.empty())
            provenance.add("maps", fmt::format("{}", fmt::join(namesOf(all.maps), ", ")));
        std::vector<const HeadVectors*> hashed;
        for (const auto& vectors : all.vectors)
            hashed.push_back(vectors.get());
        provenance.setInputHash(hashOfVectors(hashed));
        return provenance;
    }

    [[nodiscard]] static std::vector<std::string> notFiniteNotice(const HeadVectors& vectors,
                                                                  const std::vector<std::int64_t>& rows)
    {
        const auto notices = vectorNotices(vectors, rows);
        return notices.empty()
                   ? notices
                   : std::vector<std::string>{
                         "some vectors are zero or not finite; they are written unchanged (see inspect and heads)"};
    }
};

} // namespace

std::unique_ptr<Verb> makeExportVerb()
{
    return std::make_unique<ExportVerb>();
}

} // namespace headscope::cli
