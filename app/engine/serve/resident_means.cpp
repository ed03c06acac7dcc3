// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/resident_means.h"

#include "app/engine/ablation/ablated_extractor.h"
#include "app/engine/encode_options.h"
#include "model/data/input_digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace headscope::engine
{
namespace
{

/// Which means these are: of which documents, by the contents of their file, read and taken how. Empty: of a folder,
/// whose means are not kept.
Result<std::string> keyOfMeans(const MeansReading& reading, const ExtractionOptions& options, const Ablation& ablation,
                               JobContext& job)
{
    const std::string& reference = reading.choices.reference;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(reference, ignored))
        return std::string();
    HEADSCOPE_TRY(const InputDigest documents, InputDigest::ofFile(reference, job));
    // A file of the same contents is the same reference, wherever it is; its ending says how it is read.
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", std::filesystem::path(reference).extension().string(),
                       documents.text(), fmt::join(options.layers, ","), ablation.kvHeads, reading.encoding,
                       options.backend.device);
}

} // namespace

Status measureMeans(const MeansReading& reading, const ExtractionOptions& options, ResidentModel& resident,
                    Ablation& ablation, JobContext& job)
{
    const auto averaging = optionsForMeans(options, ablation.layersUpTo(*std::ranges::max_element(options.layers)));
    if (averaging.layers.empty())
        return {}; // nothing that is kept depends on them
    HEADSCOPE_TRY(const std::string key, keyOfMeans(reading, averaging, ablation, job));
    if (const TokenMeans* there = resident.means(key))
    {
        ablation.take(*there, resident.config().headDim);
        return {};
    }
    ExtractionRequest request;
    request.ablation = reading.choices;
    // The layers of the vectors, which are at least as deep, come with those of the means.
    HEADSCOPE_CHECK(toStatus(resident.extractor(options, reading.maxTokens, Hashes::Needed, job)));
    HEADSCOPE_TRY(const HeadExtractor* extractor,
                  resident.extractor(averaging, reading.maxTokens, Hashes::Needed, job));
    HEADSCOPE_TRY(auto measured, meansOfReference(request, *extractor, reading.encoder, job));
    ablation.take(measured, resident.config().headDim);
    resident.keepMeans(key, std::move(measured));
    return {};
}

} // namespace headscope::engine
