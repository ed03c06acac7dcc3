// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/backend.h"
#include "model/net/forward/network.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string>

namespace headscope::test
{

/// Token ids and truth of one vector group of an expected.h5.
class VectorGroup
{
public:
    VectorGroup(const GoldenFile& file, const std::string& group) : m_file(file), m_group(group)
    {
        m_offsets = file.integers(group + "/offsets");
        m_ids = file.integers(group + "/ids");
    }

    [[nodiscard]] std::int64_t documents() const { return static_cast<std::int64_t>(m_offsets.size()) - 1; }
    [[nodiscard]] std::vector<std::int32_t> ids(std::int64_t document) const
    {
        const auto at = static_cast<std::size_t>(document);
        return {m_ids.begin() + m_offsets[at], m_ids.begin() + m_offsets[at + 1]};
    }
    /// The documents that have tokens, packed into one step.
    [[nodiscard]] StepInput step(std::vector<std::int64_t>& documents) const
    {
        StepInput input;
        input.offsets.push_back(0);
        for (std::int64_t n = 0; n < this->documents(); ++n)
        {
            const auto own = ids(n);
            if (own.empty())
                continue;
            documents.push_back(n);
            input.ids.insert(input.ids.end(), own.begin(), own.end());
            input.offsets.push_back(static_cast<std::int64_t>(input.ids.size()));
        }
        return input;
    }
    [[nodiscard]] const GoldenFile& file() const { return m_file; }
    [[nodiscard]] std::string path(const std::string& dataset) const { return m_group + "/" + dataset; }

private:
    const GoldenFile& m_file;
    std::string m_group;
    std::vector<std::int64_t> m_offsets;
    std::vector<std::int64_t> m_ids;
};

/// Largest error of the rows of a tap, relative to their norm, by the tap's name.
using StageErrors = std::map<std::string, double>;

/// max |a - b| over the L2 norm of b.
inline double rowError(std::span<const float> found, std::span<const float> expected)
{
    double largest = 0;
    double squares = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const double difference = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
        squares += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    }
    return largest / std::sqrt(squares);
}

inline double cosineOf(std::span<const float> a, std::span<const float> b)
{
    const double ab = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    const double aa = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
    const double bb = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
    return ab / std::sqrt(aa * bb);
}

/// 1 - cosine; infinite where it is not a number, which std::max would pass over.
inline double lossOfAngle(std::span<const float> found, std::span<const float> expected)
{
    const double loss = 1 - cosineOf(found, expected);
    return std::isnan(loss) ? INFINITY : loss;
}

/// Takes every tap of every layer of one step and compares it with the group's truth.
///
/// @param layers  model layers in the order of the truth's layer axis
/// @param folder  of the truth of this pooling: "" for the last token, "mean/", "first/"
inline Status compareStep(Operations& ops, const Network& network, const VectorGroup& group,
                          std::span<const std::int64_t> layers, Pooling pooling, const std::string& folder,
                          StageErrors& errors)
{
    const ModelConfig& config = network.config();
    std::vector<std::int64_t> documents;
    const StepInput input = group.step(documents);
    TapPlan plan;
    plan.pooling = pooling;
    plan.layers.resize(static_cast<std::size_t>(config.layers));
    for (const std::int64_t layer : layers)
        plan.layers[static_cast<std::size_t>(layer)] = {
            .headOutput = true, .projected = true, .output = true, .preNorm = false, .contribution = true};
    if (config.traits().hasFinalNorm())
        plan.layers.back().preNorm = true;
    std::map<std::string, std::vector<float>> truth;
    for (const std::string name : {"stage1", "stage2", "stage3"})
        truth[name] = group.file().floats(group.path(folder + name));
    if (config.traits().hasFinalNorm())
        truth["prenorm"] = group.file().floats(group.path(folder + "prenorm"));

    const TapSink sink = [&](LayerIndex layer, Tap tap, const Tensor& pooled) {
        std::vector<float> values(static_cast<std::size_t>(pooled.rows() * pooled.cols()));
        ops.download(pooled, values);
        if (pooled.rows() != static_cast<std::int64_t>(documents.size()))
            errors["rows"] = INFINITY;
        const auto slot = static_cast<std::size_t>(std::ranges::find(layers, layer.value()) - layers.begin());
        const auto width = static_cast<std::size_t>(pooled.cols());
        for (std::size_t s = 0; s < documents.size(); ++s)
        {
            const auto n = static_cast<std::size_t>(documents[s]);
            const std::span<const float> found = std::span(values).subspan(s * width, width);
            const auto compare = [&](const std::string& name, std::size_t row, std::size_t rows) {
                for (std::size_t r = 0; r < rows; ++r)
                {
                    const std::size_t piece = width / rows;
                    const auto expected = std::span<const float>(truth[name]).subspan(row * width + r * piece, piece);
                    errors[name] = std::max(errors[name], rowError(found.subspan(r * piece, piece), expected));
                    double& angle = errors[name + " 1-cos"];
                    angle = std::max(angle, lossOfAngle(found.subspan(r * piece, piece), expected));
                }
            };
            const std::size_t layerRow = n * layers.size() + slot;
            if (tap == Tap::HeadOutput)
            {
                compare("stage1", layerRow, static_cast<std::size_t>(config.heads));
                double& angle = errors["stage1 row 1-cos"]; // of all heads together
                angle = std::max(
                    angle,
                    lossOfAngle(found, std::span<const float>(truth["stage1"]).subspan(layerRow * width, width)));
            }
            else if (tap == Tap::Projected)
                compare("stage2", layerRow, 1);
            else if (tap == Tap::Output)
                compare("stage3", layerRow, 1);
            else if (tap == Tap::PreNorm)
                compare("prenorm", n, 1);
            else
            {
                // The heads' contributions and the bias of o_proj add up to stage 2.
                const auto dims = static_cast<std::size_t>(config.modelDim);
                const ConstMatrixView bias = network.weights->matrix({TensorRole::O, layer.value(), true});
                std::vector<float> sum(dims, 0.0F);
                if (bias.data() != nullptr)
                    std::ranges::copy(bias.row(0), sum.begin());
                for (std::size_t i = 0; i < width; ++i)
                    sum[i % dims] += found[i];
                errors["contribution"] =
                    std::max(errors["contribution"],
                             rowError(sum, std::span<const float>(truth["stage2"]).subspan(layerRow * dims, dims)));
            }
        }
    };
    return runStep(ops, network, input, plan, sink, {}, {});
}

/// A model of the user's cache folder, or the one an environment variable names; an empty path
/// where this machine does not have it.
inline std::filesystem::path cachedModel(const char* variable, const std::string& name)
{
    if (const char* named = std::getenv(variable))
        return named;
    const char* home = std::getenv("HOME");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const auto folder = cache != nullptr ? std::filesystem::path(cache)
                                         : std::filesystem::path(home != nullptr ? home : "/nonexistent") / ".cache";
    const auto path = folder / "headscope/models" / name;
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? path : std::filesystem::path();
}

inline void printErrors(const std::string& model, const StageErrors& errors)
{
    std::printf("%-28s", model.c_str());
    for (const auto& [name, error] : errors)
        std::printf("  %s %.1e", name.c_str(), error);
    std::printf("\n");
}

/// A loaded model with its backend.
struct Loaded
{
    ModelFiles files;
    std::unique_ptr<Weights> weights;
    std::unique_ptr<Operations> ops;
    Network network;
};

inline Result<Loaded> load(const std::filesystem::path& path, const std::string& backend,
                           Precision precision = Precision::F32, const std::string& device = "cpu")
{
    JobContext job;
    Loaded loaded;
    HEADSCOPE_TRY(loaded.files, openModel(path));
    HEADSCOPE_TRY(Backend chosen, chooseBackend(backend, device));
    chosen.precision = precision;
    HEADSCOPE_TRY(Weights weights,
                  Weights::load(loaded.files, {.lastLayer = -1, .threads = 2, .packed = packsWeights(chosen)}, job));
    loaded.weights = std::make_unique<Weights>(std::move(weights));
    HEADSCOPE_TRY(loaded.ops, makeOperations(chosen, 1, {}));
    HEADSCOPE_TRY(loaded.network, makeNetwork(*loaded.ops, *loaded.weights));
    return loaded;
}

inline std::vector<std::int64_t> allLayers(const ModelConfig& config)
{
    std::vector<std::int64_t> layers(static_cast<std::size_t>(config.layers));
    std::iota(layers.begin(), layers.end(), 0);
    return layers;
}

/// Errors of every tap of a golden folder's vector groups (under `prefix`), in every pooling that the truth holds.
inline Result<StageErrors> compareModel(const std::filesystem::path& model, const std::filesystem::path& truth,
                                        const std::string& prefix, const std::string& backend,
                                        Precision precision = Precision::F32, const std::string& device = "cpu",
                                        const std::vector<std::string>& groups = {"texts", "raw"})
{
    HEADSCOPE_TRY(const Loaded loaded, load(model, backend, precision, device));
    const GoldenFile golden(truth);
    StageErrors errors;
    for (const std::string& group : groups)
        for (const Pooling pooling : {Pooling::Last, Pooling::Mean, Pooling::First})
        {
            const std::string folder = pooling == Pooling::Last ? "" : std::string(poolingName(pooling)) + "/";
            if (golden.has(prefix + group + "/" + folder + "stage1"))
                HEADSCOPE_CHECK(compareStep(*loaded.ops, loaded.network, VectorGroup(golden, prefix + group),
                                            allLayers(loaded.files.config), pooling, folder, errors));
        }
    return errors;
}

/// Largest difference of the probabilities of a golden folder; infinite where a masked entry is not 0.
inline Result<double> compareProbabilities(const std::filesystem::path& folder, const std::string& backend,
                                           const std::string& device = "cpu")
{
    HEADSCOPE_TRY(const Loaded loaded, load(folder, backend, Precision::F32, device));
    const GoldenFile golden(folder / "expected.h5");
    const auto stored = golden.integers("attention/ids");
    const std::vector<std::int32_t> ids(stored.begin(), stored.end());
    HEADSCOPE_TRY(const auto found, attentionProbabilities(*loaded.ops, loaded.network, ids, {}));
    const auto expected = golden.floats("attention/probs");
    if (found.size() != expected.size())
        return static_cast<double>(INFINITY);
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const double difference = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        const bool unmasked = expected[i] == 0.0F && found[i] != 0.0F;
        largest = std::isnan(difference) || unmasked ? INFINITY : std::max(largest, difference);
    }
    return largest;
}

/// Where more golden models lie than the repository holds, by HEADSCOPE_FAMILIES; "": nowhere (families.sh).
inline std::filesystem::path moreGoldenModels()
{
    const char* const named = std::getenv("HEADSCOPE_FAMILIES");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named) / "models" : std::filesystem::path();
}

/// The folder of a golden model.
inline std::filesystem::path goldenModel(const std::string& name)
{
    const std::filesystem::path own = golden("models/" + name);
    return std::filesystem::exists(own) || moreGoldenModels().empty() ? own : moreGoldenModels() / name;
}

/// Names of the golden models.
inline std::vector<std::string> goldenModels()
{
    std::vector<std::string> names;
    for (const std::filesystem::path& folder : {golden("models"), moreGoldenModels()})
        if (!folder.empty())
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    const auto twice = std::ranges::unique(names);
    names.erase(twice.begin(), twice.end());
    return names;
}

/// (folder, type) of the files below tests/golden/gguf.
inline std::vector<std::pair<std::string, std::string>> goldenGgufs()
{
    std::vector<std::pair<std::string, std::string>> names;
    for (const std::string folder : {"llama", "mistral", "qwen2", "qwen3", "kquant"})
        for (const std::string& type : GoldenFile(golden("gguf/" + folder + "/expected.h5")).names("/"))
            names.emplace_back(folder, type);
    return names;
}

/// A model whose truth holds some of its layers, in the group "texts".
/// @param poolings  with the prefix of their data sets
inline Result<StageErrors> compareListedLayers(const std::filesystem::path& path, const std::string& truth,
                                               const std::vector<std::pair<Pooling, std::string>>& poolings,
                                               const std::string& backend)
{
    HEADSCOPE_TRY(const Loaded loaded, load(path, backend));
    const GoldenFile file(golden(truth));
    StageErrors errors;
    for (const auto& [pooling, prefix] : poolings)
        HEADSCOPE_CHECK(compareStep(*loaded.ops, loaded.network, VectorGroup(file, "texts"), file.integers("layers"),
                                    pooling, prefix, errors));
    return errors;
}

} // namespace headscope::test
