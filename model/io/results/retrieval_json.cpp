// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/retrieval_json.h"

#include "model/base/file.h"
#include "model/formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>

namespace headscope
{
namespace
{

constexpr int kEnd = -1;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// The characters of a file, one after another, read in pieces.
class Characters
{
public:
    explicit Characters(File file) : m_file(std::move(file)) {}

    /// The next character that is no white space, without taking it.
    int peek()
    {
        while (true)
        {
            const int c = next();
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
            {
                m_at -= c == kEnd ? 0 : 1;
                return c;
            }
        }
    }
    int next()
    {
        if (m_at == m_piece.size() && !readPiece())
            return kEnd;
        return static_cast<unsigned char>(m_piece[m_at++]);
    }
    [[nodiscard]] std::uint64_t offset() const { return m_read - m_piece.size() + m_at; }
    [[nodiscard]] std::uint64_t size() const { return m_file.size(); }
    [[nodiscard]] const Status& status() const { return m_status; }

private:
    bool readPiece()
    {
        const std::uint64_t left = m_file.size() - m_read;
        if (left == 0 || !m_status)
            return false;
        m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPieceBytes)));
        m_status = m_file.readAt(m_read, std::as_writable_bytes(std::span(m_piece)));
        m_read += m_piece.size();
        m_at = 0;
        return m_status.has_value();
    }

    File m_file;
    std::string m_piece;
    std::size_t m_at = 0;
    std::uint64_t m_read = 0; ///< bytes of the file that were read
    Status m_status;
};

/// Takes one JSON value as text: up to the end of a string, the bracket that closes it, or what follows
/// a number or a word. Whether it is JSON is for the parser to say.
std::string takeValue(Characters& characters)
{
    std::string text;
    std::int64_t depth = 0;
    bool inString = false;
    characters.peek();
    while (true)
    {
        const int c = depth == 0 && !inString && !text.empty() ? characters.peek() : characters.next();
        if (c == kEnd || (depth == 0 && !inString && (c == ',' || c == ']' || c == '}')))
            return text;
        if (depth == 0 && !inString && !text.empty())
            characters.next();
        text += static_cast<char>(c);
        if (inString && c == '\\')
            text += static_cast<char>(std::max(characters.next(), 0));
        else if (c == '"')
            inString = !inString;
        else if (!inString && (c == '{' || c == '['))
            ++depth;
        else if (!inString && (c == '}' || c == ']'))
            --depth;
        if (depth == 0 && !inString && (c == '"' || c == '}' || c == ']'))
            return text;
    }
}

/// Calls `visit` with the text of every element of the array that `name` holds at the top.
Status forEachElement(const std::filesystem::path& path, std::string_view name, JobContext& job,
                      const std::function<Status(std::size_t index, const std::string& element)>& visit)
{
    HEADSCOPE_TRY(File file, File::openForReading(path));
    Characters characters(std::move(file));
    const auto bad = [&](std::string message) {
        return Error{ErrorCode::BadFormat, std::move(message), path.string(),
                     fmt::format("byte {}", characters.offset())};
    };
    if (characters.peek() != '{')
        return bad("expected a JSON object, found something else");
    characters.next();
    while (characters.peek() == '"')
    {
        const std::string key = takeValue(characters);
        if (characters.peek() != ':')
            return bad("expected a colon after the key, found something else");
        characters.next();
        if (key != fmt::format("\"{}\"", name) || characters.peek() != '[')
            takeValue(characters);
        else
        {
            characters.next();
            for (std::size_t index = 0; characters.peek() != ']'; ++index)
            {
                HEADSCOPE_CHECK(job.checkStop());
                job.report("reading vectors", characters.offset(), characters.size(), "bytes");
                const std::string element = takeValue(characters);
                HEADSCOPE_CHECK(visit(index, element));
                const int after = characters.peek();
                HEADSCOPE_CHECK(characters.status());
                if (after != ',' && after != ']')
                    return bad(fmt::format(
                        "expected the next entry of \"{}\" or the end of the list, found something else", name));
                if (after == ',')
                    characters.next();
            }
            return {};
        }
        if (characters.peek() == ',')
            characters.next();
    }
    HEADSCOPE_CHECK(characters.status());
    return bad(fmt::format("the list \"{}\" is missing", name));
}

std::string textOf(const JsonView& object, std::string_view key)
{
    const auto value = object.find(key);
    return value && value->isString() ? std::string(value->asString().value_or({})) : std::string();
}

/// The vectors of all entries, collected one entry after another.
class Collector
{
public:
    Collector(const std::filesystem::path& path, RetrievalPart part) : m_path(path), m_part(part) {}

    [[nodiscard]] Status add(std::size_t index, const std::string& element)
    {
        m_place = fmt::format("{}[{}]", listName(), index);
        auto parsed = m_parser.parseLine(element);
        if (!parsed)
            return std::move(parsed).error().inFile(m_path.string()).atPlace(m_place);
        const auto embeddings = parsed->find("embeddings");
        const auto layers = embeddings ? embeddings->find("layers") : std::nullopt;
        const auto standard = embeddings ? embeddings->find("standard") : std::nullopt;
        if (!layers || !layers->isObject() || !standard || !standard->isArray())
            return bad("embeddings", "\"standard\" or \"layers\" is missing");
        HEADSCOPE_CHECK(addNumbers(*standard, m_standardDims, m_standard, "embeddings.standard"));
        std::size_t found = 0;
        for (const auto& [name, layer] : layers->members())
        {
            HEADSCOPE_CHECK(addLayer(std::string(name), layer));
            ++found;
        }
        if (found != m_layers.size() || found == 0)
            return bad("embeddings.layers", fmt::format("expected {} layers as in the first, found {}",
                                                        std::max<std::size_t>(m_layers.size(), 1), found));
        ++m_entries;
        addDocument(*parsed);
        return {};
    }

    [[nodiscard]] Result<RetrievalContents> finish()
    {
        if (m_entries == 0)
            return Error{ErrorCode::BadFormat, fmt::format("\"{}\" has no entries", listName()), m_path.string(),
                         std::string(listName())};
        fillHeader();
        const std::int64_t last = m_contents.header.model.layers - 1;
        for (auto& [layer, values] : m_layers)
            m_contents.embeddings.push_back(std::make_shared<const HeadVectors>(
                Stage::HeadOutput, LayerIndex(layer), m_entries, m_heads, m_headDims, std::move(values)));
        const bool divides = m_standardDims % m_heads == 0;
        m_contents.embeddings.push_back(std::make_shared<const HeadVectors>(
            Stage::OutputSegment, LayerIndex(last), m_entries, divides ? m_heads : 1,
            divides ? m_standardDims / m_heads : m_standardDims, std::move(m_standard)));
        if (std::any_of(m_labels.begin(), m_labels.end(), [](const std::string& label) { return !label.empty(); }))
            m_contents.documents.labels.push_back(makeLabelColumn("label", m_labels));
        return std::move(m_contents);
    }

    [[nodiscard]] std::string_view listName() const
    {
        return m_part == RetrievalPart::Articles ? "articles" : "queries";
    }

private:
    [[nodiscard]] Error bad(const std::string& place, std::string message) const
    {
        return {ErrorCode::BadFormat, std::move(message), m_path.string(), fmt::format("{}.{}", m_place, place)};
    }

    /// Appends an array of numbers; `count` is that of the first one.
    [[nodiscard]] Status addNumbers(const JsonView& array, std::int64_t& count, std::vector<float>& values,
                                    const std::string& place) const
    {
        const auto size = static_cast<std::int64_t>(array.size());
        count = count == 0 ? size : count;
        if (!array.isArray() || size == 0 || size != count)
            return bad(place, fmt::format("expected {} numbers, found {}",
                                          count == 0 ? std::string("some") : std::to_string(count), size));
        for (const JsonView number : array.elements())
        {
            const auto value = number.asDouble();
            if (!value)
                return bad(place, value.error().message);
            values.push_back(static_cast<float>(*value));
        }
        return {};
    }

    [[nodiscard]] Status addLayer(const std::string& name, const JsonView& layer)
    {
        const std::string place = fmt::format("embeddings.layers.{}", name);
        std::int64_t number = -1;
        const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
        constexpr std::int64_t kMaxLayers = 100'000;
        if (failed != std::errc{} || end != name.data() + name.size() || number < 0 || number >= kMaxLayers)
            return bad(place, "expected the index of a layer (from 0), found something else");
        if (m_entries > 0 && !m_layers.contains(number))
            return bad(place, "expected the layers of the first entry, found another layer");
        const auto heads = layer.find("attention_heads");
        const auto count = heads ? static_cast<std::int64_t>(heads->size()) : 0;
        m_heads = m_heads == 0 ? count : m_heads;
        if (!heads || !heads->isArray() || count == 0 || count != m_heads)
            return bad(place + ".attention_heads",
                       fmt::format("expected {} heads, found {}",
                                   m_heads == 0 ? std::string("some") : std::to_string(m_heads), count));
        std::vector<float>& values = m_layers[number];
        for (const JsonView head : heads->elements())
            HEADSCOPE_CHECK(addNumbers(head, m_headDims, values, place + ".attention_heads"));
        return {};
    }

    void addDocument(const JsonView& entry)
    {
        DocumentSet& documents = m_contents.documents;
        const auto about = entry.find(m_part == RetrievalPart::Articles ? "article" : "query");
        const std::string number = std::to_string(m_entries - 1);
        if (!about || about->isString())
        {
            documents.ids.push_back(number);
            documents.texts.push_back(about ? std::string(about->asString().value_or({})) : std::string());
            m_labels.emplace_back();
            return;
        }
        const std::string title = textOf(*about, "title");
        documents.ids.push_back(title.empty() ? number : title);
        documents.texts.push_back(textOf(*about, "text"));
        m_labels.push_back(textOf(*about, "label"));
        if (const auto topics = about->find("topics"))
            for (const JsonView topic : topics->elements())
                m_contents.relevant[documents.ids.back()].emplace_back(topic.asString().value_or({}));
    }

    void fillHeader()
    {
        CacheHeader& header = m_contents.header;
        header.application = "multi-head retrieval";
        header.pooling = "last";
        header.model.heads = m_heads;
        header.model.headDim = m_headDims;
        header.model.modelDim = m_standardDims;
        header.model.layers = m_layers.rbegin()->first + 1;
        header.model.kvHeads = m_heads;
        std::string taken = "every head is treated as its own KV group";
        // The program that writes this format knows one model only.
        constexpr std::int64_t kHeads = 32;
        constexpr std::int64_t kHeadDims = 128;
        constexpr std::int64_t kKvHeads = 8;
        if (m_heads == kHeads && m_headDims == kHeadDims && m_standardDims == kHeads * kHeadDims &&
            header.model.layers <= kHeads)
        {
            header.model.name = "Salesforce/SFR-Embedding-Mistral";
            header.model.family = "mistral";
            header.model.layers = kHeads;
            header.model.kvHeads = kKvHeads;
            taken =
                "its sizes match SFR-Embedding-Mistral, so it is treated as this model with 32 layers and 8 KV groups";
        }
        m_contents.notices.push_back(
            fmt::format("read from multi-head retrieval JSON, which does not name its model: {}", taken));
    }

    const std::filesystem::path& m_path;
    RetrievalPart m_part;
    JsonParser m_parser;
    std::string m_place;
    std::int64_t m_entries = 0;
    std::int64_t m_heads = 0;
    std::int64_t m_headDims = 0;
    std::int64_t m_standardDims = 0;
    std::map<std::int64_t, std::vector<float>> m_layers;
    std::vector<float> m_standard;
    std::vector<std::string> m_labels;
    RetrievalContents m_contents;
};

} // namespace

bool isRetrievalJson(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return false;
    auto file = File::openForReading(path);
    if (!file)
        return false;
    Characters characters(std::move(*file));
    if (characters.peek() != '{')
        return false;
    characters.next();
    if (characters.peek() != '"')
        return false;
    std::string key;
    constexpr std::size_t kLongestKey = 12;
    for (int c = characters.next(); c != kEnd && key.size() < kLongestKey; c = characters.next())
    {
        key += static_cast<char>(c);
        if (key.size() > 1 && c == '"')
            break;
    }
    return key == "\"articles\"" || key == "\"queries\"";
}

Result<RetrievalContents> readRetrievalJson(const std::filesystem::path& path, RetrievalPart part, JobContext& job)
{
    Collector collector(path, part);
    HEADSCOPE_CHECK(forEachElement(path, collector.listName(), job, [&](std::size_t index, const std::string& element) {
        return collector.add(index, element);
    }));
    return collector.finish();
}

} // namespace headscope
