// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_command.h"

#include "app/commands/command_line.h"
#include "app/commands/quality_command.h"
#include "model/io/cache/cache_schema.h"

#include <fmt/format.h>

namespace headscope::desktop
{

ComparedMap storedMap(const std::string& cache, const std::string& set, const std::string& name)
{
    const std::string group = set.empty() ? std::string() : schema::stepFromName(set) + "/";
    return {fmt::format("{}:{}/{}{}/xy", cache, schema::kMaps, group, schema::stepFromName(name)), {}, {}};
}

std::string comparisonCommand(const std::string& cache, const ComparedMap& a, const ComparedMap& b)
{
    commands::CommandLine<commands::QualityCommand> line;
    line.command.input.cache = cache;
    line.command.map = a.dataset;
    line.command.against = b.dataset;
    std::string all;
    for (const std::string& making : {a.making, b.making == a.making ? std::string() : b.making})
        if (!making.empty())
            all += making + " && ";
    return all + line.text() + (a.note.empty() ? b.note : a.note);
}

} // namespace headscope::desktop
