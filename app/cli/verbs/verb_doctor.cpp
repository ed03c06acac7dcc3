// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/commands/doctor_command.h"
#include "model/analysis/heads/gemm_rate.h"
#include "model/base/parallel.h"
#include "model/data/frame/text_table.h"
#include "model/io/hdf5/file_check.h"

#include <QProcess>
#include <QtGlobal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

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
    add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
    add(__builtin_cpu_supports("avx512bf16") != 0, "avx512bf16");
    return found;
}

/// File names of BLAS libraries that this process has loaded. Our products use none of them; one
/// that is here all the same was brought by another library.
std::vector<std::string> loadedBlas()
{
    std::vector<std::string> found;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
    {
        const auto slash = line.rfind('/');
        const std::string name = slash == std::string::npos ? std::string() : line.substr(slash + 1);
        const bool blas = name.find("blas") != std::string::npos || name.starts_with("libmkl") ||
                          name.starts_with("libatlas") || name.starts_with("libblis");
        if (blas && std::find(found.begin(), found.end(), name) == found.end())
            found.push_back(name);
    }
    return found;
}

bool hasDisplay()
{
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

/// What the engine says it can compute on; nothing where it does not say.
std::optional<Json> devicesOf(const std::filesystem::path& engine)
{
    constexpr int kMilliseconds = 30'000; // the part for GPUs takes seconds to load
    QProcess process;
    process.start(QString::fromStdString(engine.string()), {QStringLiteral("--devices")});
    if (!process.waitForFinished(kMilliseconds) || process.exitCode() != 0)
        return std::nullopt;
    Json found = Json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    if (!found.is_object() || !found.contains("devices"))
        return std::nullopt;
    return found;
}

std::string textOf(const Json& devices, const char* key)
{
    return devices.contains(key) && devices[key].is_string() ? devices[key].get<std::string>() : std::string();
}

std::string deviceText(const Json& devices)
{
    const std::string missing = textOf(devices, "missing");
    return fmt::format("{}{}", fmt::join(devices["devices"].get<std::vector<std::string>>(), ", "),
                       missing.empty() ? "" : fmt::format(" (no GPU: {})", missing));
}

std::string libtorchText(const Json& devices)
{
    const std::string version = textOf(devices, "libtorch");
    const std::string runtime = textOf(devices, "runtime");
    return version.empty() ? "missing" : version + (runtime.empty() ? "" : ", " + runtime);
}

std::string parquetText(const Json& devices)
{
    const std::string version = textOf(devices, "arrow");
    return version.empty() ? fmt::format("cannot be read ({}; packaging/parquet.sh fetches Arrow for a new build)",
                                         textOf(devices, "arrow_missing"))
                           : "read by Arrow " + version;
}

class DoctorVerb : public VerbOf<commands::DoctorCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext&) override
    {
        std::error_code failed;
        const auto engine = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "headscope-engine";
        const bool engineThere = ::access(engine.c_str(), X_OK) == 0;
        const double memory =
            static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9;
        const auto features = cpuFeatures();
        const ProductSpeed one = measureProducts(1);
        const double single = one.gflops;
        const double speed = common.numThreads() > 1 ? measureProducts(common.numThreads()).gflops : single;
        const std::string& library = one.library;
        const std::vector<std::string> blas = loadedBlas();
        std::vector<std::string> problems;
        if (!engineThere)
            problems.push_back(fmt::format("{} is missing: models cannot be read; install the package "
                                           "headscope-engine",
                                           engine.string()));
        const auto fileCheck = findFileCheck();
        if (!fileCheck)
            problems.emplace_back(
                "headscope-hdf5-check is missing: HDF5 files such as caches cannot be opened; install Headscope again");
        if (!hasDisplay())
            problems.emplace_back("no display: the window cannot open, but figures can still be drawn");
        if (features.empty())
            problems.emplace_back("this CPU has no AVX2: everything works, but several times slower");

        const auto devices = engineThere ? devicesOf(engine) : std::nullopt;
        if (engineThere && !devices)
            problems.push_back(
                fmt::format("{} does not answer: models cannot be read; install it again", engine.string()));

        std::string featureText;
        for (const std::string& feature : features)
            featureText += (featureText.empty() ? "" : " ") + feature;
        Answer answer;
        *answer.json = {{"version", HEADSCOPE_VERSION},
                        {"qt", qVersion()},
                        {"cores", availableCores()},
                        {"memory", memory * 1e9},
                        {"cpu", features},
                        {"product_library", library},
                        {"product_threads", common.numThreads()},
                        {"product_gflops", speed},
                        {"product_gflops_one_thread", single},
                        {"product_gmadds", single / 2},
                        {"blas", blas},
                        {"engine", engineThere ? Json(engine.string()) : Json()},
                        {"devices", devices ? *devices : Json()},
                        {"file_check", fileCheck ? Json(fileCheck->string()) : Json()},
                        {"display", hasDisplay()},
                        {"problems", problems}};
        answer.text = factsText({
            {"headscope", std::string(HEADSCOPE_VERSION) + ", Qt " + qVersion()},
            {"cores", std::to_string(availableCores())},
            {"memory", fmt::format("{:.1f} GB", memory)},
            {"CPU", featureText.empty() ? "no AVX2" : featureText},
            {"products", library},
            {"speed", fmt::format("{:.0f} GFLOP/s in float32 on {} threads, {:.0f} on one thread", speed,
                                  common.numThreads(), single)},
            {"BLAS",
             blas.empty() ? "none loaded, none needed" : fmt::format("loaded, not used: {}", fmt::join(blas, ", "))},
            {"engine", engineThere ? engine.string() : "missing"},
            {"libtorch", devices ? libtorchText(*devices) : "not known"},
            {"devices", devices ? deviceText(*devices) : "not known"},
            {"Parquet", devices ? parquetText(*devices) : "not known"},
            {"file check", fileCheck ? fileCheck->string() : "missing"},
            {"display", hasDisplay() ? "yes" : "none"},
        });
        answer.text += problems.empty() ? "\nno problems found\n" : "\n";
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
