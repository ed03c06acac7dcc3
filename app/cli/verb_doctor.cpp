// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/neighbors.h"
#include "model/base/parallel.h"
#include "model/base/random.h"

#include <CLI/CLI.hpp>
#include <QtGlobal>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace headscope::cli
{
namespace
{

std::vector<std::string> cpuFeatures()
{
    std::vector<std::string> found;
    __builtin_cpu_init();
    const auto add = [&found](bool there, const char* name) {
        if (there)
            found.emplace_back(name);
    };
    add(__builtin_cpu_supports("avx2") != 0, "avx2");
    add(__builtin_cpu_supports("fma") != 0, "fma");
    add(__builtin_cpu_supports("f16c") != 0, "f16c");
    add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
    add(__builtin_cpu_supports("avx512bf16") != 0, "avx512bf16");
    return found;
}

/// Billions of multiply-adds a second that one thread reaches in an exact neighbour search, which is
/// float32 matrix products for the most part.
double productSpeed(JobContext& job)
{
    constexpr std::int64_t kRows = 2048;
    constexpr std::int64_t kDims = 256;
    const CounterRandom random(1);
    MatrixF rows(kRows, kDims);
    for (std::size_t i = 0; i < rows.values().size(); ++i)
        rows.values()[i] = static_cast<float>(random.uniform(i));
    const auto search = [&] { return findNeighbors(rows.view(), {}, 1, job).has_value(); };
    if (!search()) // the kernels are made when they are first asked for
        return 0;
    const auto start = std::chrono::steady_clock::now();
    if (!search())
        return 0;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return static_cast<double>(kRows * kRows * kDims) / seconds / 1e9;
}

bool hasDisplay()
{
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

class DoctorVerb : public Verb
{
public:
    void addOptions(CLI::App&) override {}

    Result<Answer> run(const CommonOptions&, JobContext& job) override
    {
        std::error_code failed;
        const auto engine = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "headscope-engine";
        const bool engineThere = ::access(engine.c_str(), X_OK) == 0;
        const double memory =
            static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9;
        const auto features = cpuFeatures();
        const double speed = productSpeed(job);
        std::vector<std::string> problems;
        if (!engineThere)
            problems.push_back(fmt::format("{} is missing: models cannot be read; install the package "
                                           "headscope-engine",
                                           engine.string()));
        if (!hasDisplay())
            problems.emplace_back("there is no display: the window cannot open, pictures are drawn all the same");
        if (features.empty())
            problems.emplace_back("this CPU has no AVX2: everything works, several times slower");

        std::string featureText;
        for (const std::string& feature : features)
            featureText += (featureText.empty() ? "" : " ") + feature;
        Answer answer;
        *answer.json = {{"version", HEADSCOPE_VERSION},
                        {"qt", qVersion()},
                        {"cores", availableCores()},
                        {"memory", memory * 1e9},
                        {"cpu", features},
                        {"product_gmadds", speed},
                        {"engine", engineThere ? Json(engine.string()) : Json()},
                        {"display", hasDisplay()},
                        {"problems", problems}};
        answer.text = factsText({
            {"headscope", std::string(HEADSCOPE_VERSION) + ", Qt " + qVersion()},
            {"cores", std::to_string(availableCores())},
            {"memory", fmt::format("{:.1f} GB", memory)},
            {"CPU", featureText.empty() ? "no AVX2" : featureText},
            {"products", fmt::format("{:.0f} billion multiply-adds/s on one core", speed)},
            {"engine", engineThere ? engine.string() : "missing"},
            {"display", hasDisplay() ? "yes" : "none"},
        });
        answer.text += problems.empty() ? "\nnothing is wrong\n" : "\n";
        for (const std::string& problem : problems)
            answer.text += "- " + problem + '\n';
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeDoctorVerb()
{
    return std::make_unique<DoctorVerb>();
}

} // namespace headscope::cli
