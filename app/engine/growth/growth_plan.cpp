// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/growth/growth_plan.h"

#include "model/base/text/natural_order.h"
#include "model/data/last_layer.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/shards/range_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace headscope::engine
{
namespace
{

/// A label column that grows: codes are numbers of categories in the order in which they were met.
class GrowingColumn
{
public:
    GrowingColumn(std::string name, std::size_t documents)
    {
        m_column.name = std::move(name);
        m_column.codes.assign(documents, -1);
    }
    explicit GrowingColumn(LabelColumn column) : m_column(std::move(column)), m_before(m_column.categories.size())
    {
        for (std::size_t i = 0; i < m_column.categories.size(); ++i)
            m_codes.emplace(m_column.categories[i], static_cast<std::int32_t>(i));
    }

    [[nodiscard]] const std::string& name() const { return m_column.name; }
    [[nodiscard]] std::string_view label(std::size_t document) const { return m_column.category(document); }

    void set(std::size_t document, const std::string& label)
    {
        m_column.codes.resize(std::max(m_column.codes.size(), document + 1), -1);
        if (label.empty())
            return;
        const auto [place, isNew] = m_codes.emplace(label, static_cast<std::int32_t>(m_column.categories.size()));
        if (isNew)
            m_column.categories.push_back(label);
        m_column.codes[document] = place->second;
    }

    /// The column with its categories in their order.
    [[nodiscard]] LabelColumn take(bool sortAll)
    {
        auto& names = m_column.categories;
        const auto begin = names.begin();
        const auto behindOld = begin + static_cast<std::ptrdiff_t>(m_before);
        const bool sorted = sortAll || std::is_sorted(begin, behindOld, NaturalLess());
        if (names.size() == m_before && !sortAll)
            return std::move(m_column);
        std::vector<std::size_t> order(names.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(sorted ? 0 : m_before), order.end(),
                  [&names](std::size_t a, std::size_t b) { return NaturalLess()(names[a], names[b]); });
        std::vector<std::string> inOrder(names.size());
        std::vector<std::int32_t> newCode(names.size());
        for (std::size_t place = 0; place < order.size(); ++place)
        {
            inOrder[place] = std::move(names[order[place]]);
            newCode[order[place]] = static_cast<std::int32_t>(place);
        }
        names = std::move(inOrder);
        for (auto& code : m_column.codes)
            code = code < 0 ? code : newCode[static_cast<std::size_t>(code)];
        return std::move(m_column);
    }

private:
    LabelColumn m_column;
    std::size_t m_before = 0; ///< categories of the cache
    std::unordered_map<std::string, std::int32_t> m_codes;
};

/// Puts the documents of a reader behind those of a cache.
class Gathering
{
public:
    explicit Gathering(const AppendTarget& cache) : m_cache(cache)
    {
        m_grown.all = *cache.documents;
        m_grown.all.labels.clear();
        m_grown.before = m_grown.all.count();
        m_grown.numbers = numberColumnsOf(cache.info, *cache.documents);
        for (const LabelColumn& column : cache.documents->labels)
            m_columns.emplace_back(column);
        for (std::size_t row = 0; row < m_grown.all.ids.size(); ++row)
            m_rows.emplace(m_grown.all.ids[row], row);
    }

    Status read(DocumentReader& reader, JobContext& job)
    {
        for (const std::string& name : reader.labelColumns())
        {
            const auto known = std::find_if(m_columns.begin(), m_columns.end(),
                                            [&name](const GrowingColumn& each) { return each.name() == name; });
            m_places.push_back(static_cast<std::size_t>(known - m_columns.begin()));
            if (known != m_columns.end())
                continue;
            m_columns.emplace_back(name, m_grown.all.ids.size());
            const auto numbers = reader.numberColumns();
            if (std::ranges::find(numbers, name) != numbers.end())
                m_grown.numbers.push_back(name);
        }
        constexpr std::size_t kBatch = 64;
        for (;;)
        {
            HEADSCOPE_TRY(auto batch, reader.next(kBatch, job));
            if (batch.empty())
                return {};
            for (InputDocument& document : batch)
                HEADSCOPE_CHECK(add(std::move(document)));
        }
    }

    GrownDocuments take(const std::vector<TopicList>& lists, const std::string& label)
    {
        const auto count = m_grown.all.ids.size();
        m_grown.all.tokens.resize(count, 0);
        const std::size_t numLabels = m_columns.size() - m_grown.numbers.size();
        for (GrowingColumn& column : m_columns)
        {
            if (count > 0)
                column.set(count - 1, {}); // its codes reach to the last document
            const bool listed = std::any_of(lists.begin(), lists.end(), [&](const TopicList& list) {
                const std::string& of = list.column.empty() ? label : list.column;
                return of == column.name() || (of.empty() && numLabels == 1);
            });
            m_grown.all.labels.push_back(column.take(listed));
        }
        return std::move(m_grown);
    }

private:
    Status add(InputDocument document)
    {
        const auto known = m_rows.find(document.id);
        if (known != m_rows.end())
            return compare(known->second, std::move(document));
        const std::size_t row = m_grown.all.ids.size();
        for (std::size_t i = 0; i < m_places.size(); ++i)
            m_columns[m_places[i]].set(row, document.labels[i]);
        m_grown.all.ids.push_back(std::move(document.id));
        m_grown.all.texts.push_back(std::move(document.text));
        m_grown.all.flags.push_back(document.repaired ? static_cast<std::uint8_t>(DocumentFlag::Repaired)
                                                      : std::uint8_t{0});
        return {};
    }

    [[nodiscard]] Error other(const InputDocument& document, std::string message) const
    {
        return {ErrorCode::InvalidArgument, std::move(message), m_cache.path.string(), "document " + document.id};
    }

    /// A document that the cache has: nothing of it may be another.
    Status compare(std::size_t row, InputDocument document)
    {
        if (withoutNul(document.text) != m_grown.all.texts[row])
            return other(document, "expected the text that the cache has for this id, found another text: --into adds "
                                   "documents and does not change existing ones; use --id-column for other ids");
        m_grown.all.texts[row] = std::move(document.text); // a cache keeps no NUL
        for (std::size_t i = 0; i < m_places.size(); ++i)
        {
            GrowingColumn& column = m_columns[m_places[i]];
            const bool isNew = m_places[i] >= m_cache.documents->labels.size();
            if (isNew)
                column.set(row, document.labels[i]);
            else if (!document.labels[i].empty() && column.label(row) != document.labels[i])
                return other(document, fmt::format("expected the label \"{}\", as in column \"{}\" of the cache, found "
                                                   "\"{}\": --into adds documents and does not change existing ones",
                                                   column.label(row), column.name(), document.labels[i]));
        }
        return {};
    }

    const AppendTarget& m_cache;
    GrownDocuments m_grown;
    std::vector<GrowingColumn> m_columns;
    std::vector<std::size_t> m_places; ///< of the reader's columns
    std::unordered_map<std::string, std::size_t> m_rows;
};

bool holds(const std::vector<ExtractionBlock>& blocks, const ExtractionBlock& block)
{
    return std::any_of(blocks.begin(), blocks.end(),
                       [&block](const ExtractionBlock& each) { return sameBlock(each, block); });
}

/// What the topic vectors of a column lack.
MissingTopics missingOf(const AppendTarget& cache, const LabelColumn& column, const std::vector<ExtractionBlock>& all)
{
    MissingTopics missing;
    const LabelColumn* before = cache.documents->label(column.name);
    missing.names = before == nullptr || before->categories != column.categories;
    const auto& topics = cache.info.topics;
    const auto there = std::find_if(topics.begin(), topics.end(),
                                    [&column](const TopicColumnInfo& each) { return each.column == column.name; });
    for (const ExtractionBlock& block : all)
    {
        const bool has = !missing.names && there != topics.end() &&
                         std::any_of(there->vectors.begin(), there->vectors.end(), [&block](const VectorsInfo& each) {
                             return each.layer == block.layer && each.stage == block.stage;
                         });
        if (!has)
            missing.blocks.push_back(block);
    }
    return missing;
}

} // namespace

bool sameBlock(const ExtractionBlock& a, const ExtractionBlock& b)
{
    return a.layer == b.layer && a.stage == b.stage;
}

Result<GrownDocuments> readGrownDocuments(const AppendTarget& cache, DocumentReader* reader,
                                          const std::vector<TopicList>& lists, const std::string& label,
                                          JobContext& job)
{
    Gathering gathering(cache);
    if (reader != nullptr)
        HEADSCOPE_CHECK(gathering.read(*reader, job));
    return gathering.take(lists, label);
}

CacheHeader grownHeader(const AppendTarget& cache, const ExtractionRequest& request, const GrowthPlan& plan,
                        std::int64_t documentsAdded, const std::optional<DocumentSample>& sample,
                        const std::string& command)
{
    CacheHeader header = cache.info.header;
    const bool addsLastOutput =
        std::any_of(plan.missing.begin(), plan.missing.end(), [&header](const ExtractionBlock& block) {
            return block.stage == Stage::OutputSegment && block.layer.value() + 1 == header.model.layers;
        });
    if (request.run.lastLayer == "raw" && addsLastOutput && hasFinalNorm(header.model))
        header.model.lastLayerRaw = true;
    constexpr std::size_t kLongest = 30'000; // an attribute of an HDF5 file holds 64 kB
    const bool tooLong = header.command.size() > kLongest;
    const std::string before = tooLong ? header.command.substr(0, header.command.find(" && ")) : header.command;
    header.command = before.empty() ? command : fmt::format("{} && {}", before, command);
    header.application.clear(); // this one
    header.created.clear();     // now
    header.topicTemplate = request.topicTemplate;
    header.prompt = request.run.prompt;
    header.specialTokens = request.run.encode.specialTokens == "text" ? "text" : "";
    if (documentsAdded > 0 && (sample || !header.sample.empty()))
        header.sample = fmt::format("{}; added: {}", header.sample.empty() ? "all documents" : header.sample,
                                    sample ? sample->text() : fmt::format("{} documents", documentsAdded));
    return header;
}

std::vector<ExtractionBlock> GrowthPlan::computed(bool documentsAdded) const
{
    const bool anyNames =
        std::any_of(topics.begin(), topics.end(), [](const MissingTopics& each) { return each.names; });
    if (documentsAdded || anyNames)
        return blocks;
    std::vector<ExtractionBlock> some;
    for (const ExtractionBlock& block : blocks)
    {
        const bool ofTopics = std::any_of(topics.begin(), topics.end(),
                                          [&block](const MissingTopics& each) { return holds(each.blocks, block); });
        if (ofTopics || holds(missing, block))
            some.push_back(block);
    }
    return some;
}

GrowthPlan planGrowth(const AppendTarget& cache, const GrownDocuments& documents,
                      const std::vector<ExtractionBlock>& wanted)
{
    GrowthPlan plan;
    plan.there = blocksOfCache(cache.info);
    plan.blocks = plan.there;
    for (const ExtractionBlock& block : wanted)
        if (!holds(plan.there, block))
            plan.missing.push_back(block);
    plan.blocks.insert(plan.blocks.end(), plan.missing.begin(), plan.missing.end());
    std::sort(plan.blocks.begin(), plan.blocks.end(), [](const ExtractionBlock& a, const ExtractionBlock& b) {
        return std::tuple(a.layer, a.stage) < std::tuple(b.layer, b.stage);
    });
    for (std::size_t i = 0; i < documents.all.labels.size(); ++i)
    {
        const LabelColumn& column = documents.all.labels[i];
        if (column.categories.empty() || std::ranges::find(documents.numbers, column.name) != documents.numbers.end())
            continue;
        MissingTopics missing = missingOf(cache, column, plan.blocks);
        missing.column = i;
        if (!missing.blocks.empty())
            plan.topics.push_back(std::move(missing));
    }
    return plan;
}

} // namespace headscope::engine
