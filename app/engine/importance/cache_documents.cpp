// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/importance/cache_documents.h"

#include "app/engine/options.h"
#include "app/shell/wrong_use.h"
#include "model/base/file_ending.h"
#include "model/base/output/output_file.h"
#include "model/data/model_digests.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/label_choice.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

constexpr const char* kLabel = "label"; ///< column of what is written

bool namesCache(const commands::ImportanceCommand& command)
{
    return command.inputs.size() == 1 && hasHdf5Ending(command.inputs.front());
}

/// The column of the match; null: none is wanted, or there is none.
Result<const LabelColumn*> labelColumnOf(const commands::ImportanceCommand& command, const CacheInfo& info,
                                         const DocumentSet& documents)
{
    if (command.label ? command.label->empty() : documents.labels.empty())
        return static_cast<const LabelColumn*>(nullptr);
    return chooseLabelColumn(info, documents, command.label.value_or(""), command.inputs.front());
}

} // namespace

Result<CacheDocuments> CacheDocuments::open(const commands::ImportanceCommand& command, JobContext& job)
{
    CacheDocuments made;
    made.m_command = command;
    if (!namesCache(command))
    {
        if (!command.rows.empty())
            return shell::wrongUse("--rows", "a cache for these rows", command.inputs.front());
        return made;
    }
    HEADSCOPE_TRY(const auto cache, CacheReader::open(command.inputs.front(), job));
    HEADSCOPE_CHECK(checkUnchangedModel(cache->info().header.model, command.inputs.front()));
    HEADSCOPE_TRY(made.m_documents, cache->documents(job));
    const DocumentSet& documents = *made.m_documents;
    if (documents.texts.empty())
        return Error{ErrorCode::InvalidArgument, "this cache does not contain the texts of its documents",
                     command.inputs.front(), "/documents/text"};
    HEADSCOPE_TRY(const auto rows, parseRows(command.rows, documents.count()));
    HEADSCOPE_TRY(const LabelColumn* column, labelColumnOf(command, cache->info(), documents));
    HEADSCOPE_TRY(made.m_folder, TemporaryPath::makeFolder("headscope-importance"));
    const std::filesystem::path texts = made.m_folder.path() / "texts.jsonl";
    HEADSCOPE_CHECK(writeDocumentLines(texts, documents, rows,
                                       {column, column == nullptr ? std::vector<std::string>() : column->categories}));
    commands::ImportanceCommand& run = made.m_command;
    run.inputs = {texts.string()};
    run.rows.clear();
    run.textColumn = "text";
    run.idColumn = "id";
    run.label = column == nullptr ? "" : kLabel;
    if (column != nullptr)
        made.m_label = column->name;
    if (column != nullptr && run.topics.empty())
    {
        const std::filesystem::path topics = made.m_folder.path() / "topics.json";
        HEADSCOPE_CHECK(writeFileAtomically(topics, nlohmann::json{{kLabel, column->categories}}.dump(
                                                        -1, ' ', false, nlohmann::json::error_handler_t::replace)));
        run.topics = topics.string();
    }
    return made;
}

void CacheDocuments::restoreNames(ImportanceFindings& found) const
{
    if (m_documents == nullptr)
        return;
    if (!found.result.label.empty())
        found.result.label = m_label;
    for (MaskValuesOf& each : found.values)
        for (std::string& id : each.ids)
        {
            std::size_t row = 0;
            std::from_chars(id.data(), id.data() + id.size(), row); // as it was written
            id = m_documents->ids[row];
        }
}

} // namespace headscope::engine
