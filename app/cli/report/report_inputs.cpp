// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_inputs.h"

#include "app/results/figure_recipe.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_reader.h"

#include <nlohmann/json.hpp>

#include <string>
#include <system_error>
#include <variant>

namespace headscope::cli
{

Result<Json> ReportInputs::of(const Fields& table, JobContext& job)
{
    Json digests = Json::object();
    for (const Field& row : table.options())
    {
        for (const std::string* value : inputsOf(row))
        {
            const std::string& option = row.names.front();
            const std::filesystem::path file = fileOf(*value);
            std::error_code ignored;
            if (!std::filesystem::exists(file, ignored))
            {
                digests[option] = nullptr;
                continue;
            }
            HEADSCOPE_TRY(const InputDigest found, digest(file, option == "CACHE" || option == "--queries", job));
            digests[option] = found.text();
        }
    }
    return digests;
}

Result<InputDigest> ReportInputs::digest(const std::filesystem::path& file, bool isCache, JobContext& job)
{
    HEADSCOPE_TRY(const DiskStamp stamp, diskStampOf(file));
    if (const auto known = m_known.find({stamp, isCache}); known != m_known.end())
        return known->second;
    const auto read = [&]() -> Result<InputDigest> {
        if (!isCache)
            return InputDigest::ofFile(file, job);
        HEADSCOPE_TRY(const auto cache, CacheReader::open(file, job));
        return digestOf(*cache, job);
    };
    HEADSCOPE_TRY(InputDigest found, read());
    HEADSCOPE_CHECK(checkUnchanged(file, stamp));
    m_known.insert_or_assign({stamp, isCache}, found);
    return found;
}

} // namespace headscope::cli
