// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_info.h"

#include "model/data/documents/document_numbers.h"
#include "model/data/frame/text_table.h"
#include "model/data/records/record_fields.h"

namespace headscope
{

void fields(RecordFields& record, CacheHeader& header)
{
    record("application", header.application);
    record("created", header.created);
    record("command", header.command);
    record("tokenizer_sha256", header.tokenizerSha256);
    record("pooling", header.pooling);
    record("eos", header.eos);
    record("max_tokens", header.maxTokens);
    record("compute_dtype", header.computeDtype);
    record("device", header.device);
    record("truncated_count", header.truncated);
    record("topic_template", header.topicTemplate).omitEmpty();
    record("sample", header.sample).omitEmpty();
    record("prompt", header.prompt).omitEmpty();
    record("special_tokens", header.specialTokens).omitEmpty();
}

void fields(RecordFields& record, EmbeddingSource& source)
{
    record("modules", source.modules).omitEmpty();
    record("xxh3", source.xxh3).omitEmpty();
}

std::string asksText(const CacheHeader& header)
{
    if (header.asks.empty())
        return {};
    return "\nSettings in the model's files, and how Headscope treats them by default\n" + factsText(header.asks);
}

std::vector<std::string> numberColumnsOf(const CacheInfo& info, const DocumentSet& documents)
{
    std::vector<std::string> names;
    for (const LabelColumn& column : documents.labels)
        if (std::ranges::find(info.topics, column.name, &TopicColumnInfo::column) == info.topics.end() &&
            labelNumbers(column))
            names.push_back(column.name);
    return names;
}

} // namespace headscope
