// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/inspect_command.h"
#include "app/engine/engine_verb.h"
#include "app/engine/inspect/cache_card.h"
#include "app/engine/inspect/model_card_text.h"
#include "app/engine/opened_model.h"
#include "model/base/file.h"
#include "model/base/file_ending.h"
#include "model/io/cache/cache_reader.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace headscope::engine
{
namespace
{

/// Whether a file begins as HDF5 files do; a cache may have any name.
bool isHdf5(const std::filesystem::path& path)
{
    constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
    std::array<char, kSignature.size()> first{};
    const auto file = File::openForReading(path);
    return file && file->readAt(0, std::as_writable_bytes(std::span(first))) &&
           std::string_view(first.data(), first.size()) == kSignature;
}

bool isMeantAsCache(const std::filesystem::path& path)
{
    return hasHdf5Ending(path) || isHdf5(path);
}

Status runInspect(const commands::InspectCommand& command, VerbContext& context)
{
    const std::string& path = command.path;
    if (!command.figure.empty())
        return Error{ErrorCode::WrongUse,
                     "this option draws a cache and needs the program headscope, found " + path,
                     {},
                     "--figure"};
    if (isMeantAsCache(path))
    {
        if (command.hashes)
            return Error{ErrorCode::WrongUse, "this option needs a model, found a cache", path, "--hashes"};
        HEADSCOPE_TRY(const auto cache, CacheReader::open(path, context.job));
        answer(
            context, [&] { return cacheCardJson(cache->info()); }, [&] { return cacheCardText(cache->info(), path); });
        return {};
    }
    ModelCardOptions options;
    options.threads = context.common.numThreads();
    options.hashes = command.hashes;
    HEADSCOPE_TRY(const auto model, openModelAndTokenizer(path, options, context.job));
    answer(
        context, [&] { return modelCardJson(model); }, [&] { return modelCardText(model); });
    return {};
}

} // namespace

RunVerb declareInspect(Fields& table)
{
    return verbOf(table, runInspect);
}

} // namespace headscope::engine
