// SPDX-License-Identifier: GPL-3.0-or-later
// What libtorch computes on a device, held against the recorded truth, and two caches against each other. One JSON
// object on stdout; exit code 0 where all agree, 1 where something does not.
//
//   headscope-gpu-parity golden DEVICE     every golden model, in float32, bfloat16 and float16
//   headscope-gpu-parity caches A.h5 B.h5  largest difference and smallest cosine of the rows of two caches
//
// Without Qt and the test framework, so that it runs where only the engine does; it looks for golden/models (and
// golden/gguf, which may be absent) in the current folder.
#include "model/io/cache/cache_reader.h"
#include "tests/model/net/golden_network.h"
#include "tests/model/net/half_precision.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <string_view>

using namespace headscope;

namespace
{

constexpr double kTolerance = 1e-4;            // of a row, in lengths of it
constexpr double kProbabilityTolerance = 1e-5; // absolute

using Json = nlohmann::ordered_json;

/// One model in one precision: its errors, and whether they are small enough.
Json caseOf(const std::string& name, Precision precision, const Result<test::StageErrors>& errors)
{
    Json one = {{"model", name}, {"dtype", precisionName(precision)}, {"ok", false}};
    if (!errors)
    {
        one["error"] = errors.error().message;
        return one;
    }
    bool agrees = !errors->empty();
    for (const auto& [tap, error] : *errors)
    {
        const bool angle = tap.ends_with(" 1-cos");
        if (precision == Precision::F32 && !angle)
            agrees = agrees && error <= kTolerance;
        // Single heads round too far in half precision: the row of all of them is judged, as by the engine itself.
        if (precision != Precision::F32 && angle && tap != "stage1 1-cos")
            agrees = agrees && error <= test::allowedLoss(name, precision, tap);
        if (angle == (precision != Precision::F32))
            one[angle ? tap.substr(0, tap.size() - 6) + "_cosine" : tap] = angle ? 1 - error : error;
    }
    one["ok"] = agrees;
    return one;
}

Json goldenCases(const std::string& device)
{
    Json cases = Json::array();
    for (const std::string& name : test::goldenModels())
    {
        const auto folder = test::goldenModel(name);
        for (const Precision precision : {Precision::F32, Precision::Bf16, Precision::F16})
            cases.push_back(caseOf(name, precision,
                                   test::compareModel(folder, folder / "expected.h5", "", "torch", precision, device)));
        const auto probabilities = test::compareProbabilities(folder, "torch", device);
        Json one = {
            {"model", name}, {"dtype", "f32"}, {"ok", probabilities && *probabilities <= kProbabilityTolerance}};
        if (probabilities)
            one["probabilities"] = *probabilities;
        else
            one["error"] = probabilities.error().message;
        cases.push_back(std::move(one));
    }
    // Their weights are turned into float32 on the CPU: a bundle leaves them out.
    if (!std::filesystem::exists(test::golden("gguf")))
        return cases;
    for (const auto& [folder, type] : test::goldenGgufs())
    {
        const auto path = test::golden("gguf/" + folder);
        const std::string name = folder + "-" + type;
        for (const Precision precision : {Precision::F32, Precision::Bf16, Precision::F16})
            cases.push_back(caseOf(name, precision,
                                   test::compareModel(path / (name + ".gguf"), path / "expected.h5", type + "/",
                                                      "torch", precision, device)));
    }
    return cases;
}

int golden(const std::string& device)
{
    Json cases = goldenCases(device);
    std::size_t failed = 0;
    for (const Json& one : cases)
        failed += one["ok"] == true ? 0 : 1;
    const Json answer = {{"device", device}, {"cases", cases.size()}, {"failed", failed}, {"results", cases}};
    std::puts(answer.dump().c_str());
    return failed == 0 && !cases.empty() ? 0 : 1;
}

/// The rows of one dataset of both caches.
Result<Json> compareVectors(CacheReader& a, CacheReader& b, const VectorsInfo& place)
{
    JobContext job;
    HEADSCOPE_TRY(const auto left, a.load(place.layer, place.stage, {}, job));
    HEADSCOPE_TRY(const auto right, b.load(place.layer, place.stage, {}, job));
    if (left->documents() != right->documents() || left->heads() != right->heads() || left->dims() != right->dims())
        return Error{ErrorCode::InvalidArgument, "expected caches of the same shape, found others", {}, {}};
    double largest = 0;
    double smallest = 1;
    for (DocumentIndex document; document.value() < left->documents(); ++document)
    {
        const auto found = left->full(document);
        const auto expected = right->full(document);
        largest = std::max(largest, test::rowError(found, expected));
        smallest = std::min(smallest, 1 - test::lossOfAngle(found, expected));
    }
    return Json{
        {"layer", place.layer.value()}, {"stage", stageName(place.stage)}, {"error", largest}, {"cosine", smallest}};
}

Result<Json> compareCaches(const char* a, const char* b)
{
    HEADSCOPE_TRY(const auto left, CacheReader::open(a));
    HEADSCOPE_TRY(const auto right, CacheReader::open(b));
    Json places = Json::array();
    for (const VectorsInfo& place : left->info().embeddings)
    {
        HEADSCOPE_TRY(Json one, compareVectors(*left, *right, place));
        places.push_back(std::move(one));
    }
    return places;
}

int caches(const char* a, const char* b)
{
    const auto places = compareCaches(a, b);
    if (!places)
    {
        std::fprintf(stderr, "%s\n", places.error().message.c_str());
        return 1;
    }
    std::puts(places->dump().c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == "golden" && argc == 3)
        return golden(argv[2]);
    if (mode == "caches" && argc == 4)
        return caches(argv[2], argv[3]);
    std::fputs("usage: headscope-gpu-parity golden DEVICE | caches A.h5 B.h5\n", stderr);
    return 2;
}
