// SPDX-License-Identifier: GPL-3.0-or-later
// fault_work CACHE: writes CACHE.headscope with a set, a map and a probe, as the window would. The cache needs the map
// "one".
#include "model/io/cache/cache_reader.h"
#include "model/io/results/work_file.h"

#include <cstdio>
#include <memory>

using namespace headscope;

namespace
{

ProbeResult sampleProbe()
{
    ProbeResult probe;
    probe.layer = 1;
    probe.trainRows = 3;
    probe.testRows = 3;
    probe.classes = 2;
    probe.accuracy = 2.0 / 3;
    probe.perHead = {{0, 1, 0.5, 0.75}, {1, 0.25, 1, 0.5}};
    probe.confusion = Matrix<std::int64_t>(2, 2, {1, 1, 0, 1});
    probe.weights = MatrixD(2, 3, {1, -2, 3, 0.5, 0.25, -0.125});
    probe.intercepts = {0.5, -0.5};
    probe.predictions = {0, 1, 1};
    probe.truths = {0, 0, 1};
    probe.testIndices = {2, 5, 7};
    probe.testDocuments = {0, 1, 1};
    return probe;
}

Status writeWork(const char* path)
{
    JobContext job;
    HEADSCOPE_TRY(const std::shared_ptr<CacheReader> cache, CacheReader::open(path));
    HEADSCOPE_TRY(const auto documents, cache->documents(job));
    HEADSCOPE_TRY(HeadMap map, cache->map("one", job));
    map.name = "kept";
    WorkFile file;
    file.identity = cache->info().identity;
    file.cache = path;
    file.work.sets = {{"two documents", 0x3366cc, true, {0, 2}, {documents->ids.at(0), documents->ids.at(2)}}};
    file.work.maps = {std::make_shared<const HeadMap>(std::move(map))};
    file.work.probes = {{{0, 1}, std::make_shared<const ProbeResult>(sampleProbe()), nullptr}};
    return writeWorkFile(workPathBeside(path), file);
}

} // namespace

int main(int count, char** words)
{
    const Status written =
        count == 2 ? writeWork(words[1]) : Status(Error{ErrorCode::InvalidArgument, "one cache", {}, {}});
    if (!written)
        std::fprintf(stderr, "fault_work: %s\n", written.error().message.c_str());
    return written ? 0 : 1;
}
