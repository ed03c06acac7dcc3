// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf.h"

#include "model/base/checked_size.h"
#include "model/formats/gguf_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::uint64_t kMaxStringBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 16; // far above any real file; bounds what is kept per entry
constexpr std::uint64_t kMaxTensors = std::uint64_t{1} << 18;
constexpr std::uint64_t kMinEntryBytes = 8 + 1 + 4 + 1;              // key, type, value
constexpr std::uint64_t kMinTensorInfoBytes = 8 + 1 + 4 + 8 + 4 + 8; // name, axes, type, offset
constexpr std::uint64_t kMaxTensorName = 64;
constexpr std::uint32_t kMaxAxes = 4;

template <class... Arguments>
Error badFormat(fmt::format_string<Arguments...> text, Arguments&&... arguments)
{
    return {ErrorCode::BadFormat, fmt::format(text, std::forward<Arguments>(arguments)...), {}, {}};
}

/// HEADSCOPE_TRY and _CHECK for errors that belong to a place of the file.
template <class T>
Result<T> at(std::string_view place, Result<T> result)
{
    if (!result.has_value())
        return std::move(result).error().atPlace(place);
    return result;
}

class Parser
{
public:
    Parser(const SeekableSource& source, const std::filesystem::path& path)
        : m_reader(source), m_fileSize(source.size())
    {
        m_file.tensors.files.push_back({path, m_fileSize});
    }

    Result<GgufFile> parse()
    {
        HEADSCOPE_CHECK(at("header", readHeader()));
        HEADSCOPE_CHECK(readMetadata());
        HEADSCOPE_CHECK(readAlignment());
        HEADSCOPE_CHECK(readTensorInfos());
        HEADSCOPE_CHECK(placeTensors());
        return std::move(m_file);
    }

private:
    /// A length of 64 bits and the bytes.
    Result<std::string> readString(std::uint64_t longest)
    {
        HEADSCOPE_TRY(const auto length, m_reader.number<std::uint64_t>());
        if (length > longest)
            return badFormat("expected a string of at most {} bytes, found a length of {}", longest, length);
        if (length > m_reader.remaining())
            return badFormat("expected a string of {} bytes, found only {} bytes before the end of the file", length,
                             m_reader.remaining());
        std::string text(static_cast<std::size_t>(length), '\0');
        HEADSCOPE_CHECK(m_reader.read(std::as_writable_bytes(std::span(text))));
        return text;
    }

    /// A number of things of at least `minBytes` each.
    Result<std::uint64_t> readCount(std::string_view what, std::uint64_t minBytes, std::uint64_t most)
    {
        HEADSCOPE_TRY(const auto count, m_reader.number<std::uint64_t>());
        if (count > most || count > m_reader.remaining() / minBytes)
            return badFormat("expected at most {} {} in {} bytes, found a count of {}",
                             std::min(most, m_reader.remaining() / minBytes), what, m_reader.remaining(), count);
        return count;
    }

    Status readHeader()
    {
        std::array<char, 4> magic{};
        HEADSCOPE_CHECK(m_reader.read(std::as_writable_bytes(std::span(magic))));
        if (std::string_view(magic.data(), magic.size()) != "GGUF")
            return badFormat("expected the letters GGUF at the start, found {:02x} {:02x} {:02x} {:02x}",
                             static_cast<unsigned char>(magic[0]), static_cast<unsigned char>(magic[1]),
                             static_cast<unsigned char>(magic[2]), static_cast<unsigned char>(magic[3]));
        HEADSCOPE_TRY(m_file.version, m_reader.number<std::uint32_t>());
        if (m_file.version != 0 && (m_file.version & 0xFFFFU) == 0)
            return Error{ErrorCode::Unsupported, "expected a little-endian file, found a big-endian one", {}, {}};
        if (m_file.version != 2 && m_file.version != 3)
            return Error{
                ErrorCode::Unsupported, fmt::format("expected GGUF version 2 or 3, found {}", m_file.version), {}, {}};
        HEADSCOPE_TRY(m_numTensors, m_reader.number<std::uint64_t>());
        HEADSCOPE_TRY(m_numEntries, readCount("metadata entries", kMinEntryBytes, kMaxEntries));
        const auto rest = m_reader.remaining() - m_numEntries * kMinEntryBytes;
        if (m_numTensors > kMaxTensors || m_numTensors > rest / kMinTensorInfoBytes)
            return badFormat("expected at most {} tensors in {} bytes, found a count of {}",
                             std::min(kMaxTensors, rest / kMinTensorInfoBytes), rest, m_numTensors);
        return {};
    }

    Status readMetadata()
    {
        for (std::uint64_t i = 0; i < m_numEntries; ++i)
        {
            const auto number = fmt::format("metadata entry {}", i);
            HEADSCOPE_TRY(auto key, at(number, readString(std::numeric_limits<std::uint16_t>::max())));
            if (key.empty())
                return badFormat("expected a key, found an empty key").atPlace(number);
            if (key.find('\0') != std::string::npos)
                return badFormat("expected a key without NUL, found \"{}\"", printableName(key)).atPlace(number);
            const auto place = printableName(key);
            HEADSCOPE_TRY(auto value, at(place, readValue()));
            if (!m_file.metadata.insert(std::move(key), std::move(value)))
                return badFormat("this key occurs twice").atPlace(place);
        }
        return {};
    }

    Result<GgufType> readType()
    {
        HEADSCOPE_TRY(const auto id, m_reader.number<std::uint32_t>());
        if (id > static_cast<std::uint32_t>(GgufType::F64))
            return badFormat("expected a value type from 0 to 12, found {}", id);
        return static_cast<GgufType>(id);
    }

    template <class Stored, class Kept>
    Result<GgufValue> readNumber(GgufType type)
    {
        HEADSCOPE_TRY(const auto value, m_reader.number<Stored>());
        return GgufValue{type, static_cast<Kept>(value)};
    }

    Result<GgufValue> readValue()
    {
        HEADSCOPE_TRY(const auto type, readType());
        switch (type)
        {
        case GgufType::U8:
            return readNumber<std::uint8_t, std::uint64_t>(type);
        case GgufType::I8:
            return readNumber<std::int8_t, std::int64_t>(type);
        case GgufType::U16:
            return readNumber<std::uint16_t, std::uint64_t>(type);
        case GgufType::I16:
            return readNumber<std::int16_t, std::int64_t>(type);
        case GgufType::U32:
            return readNumber<std::uint32_t, std::uint64_t>(type);
        case GgufType::I32:
            return readNumber<std::int32_t, std::int64_t>(type);
        case GgufType::U64:
            return readNumber<std::uint64_t, std::uint64_t>(type);
        case GgufType::I64:
            return readNumber<std::int64_t, std::int64_t>(type);
        case GgufType::F32:
            return readNumber<float, double>(type);
        case GgufType::F64:
            return readNumber<double, double>(type);
        case GgufType::Bool:
            return readBool();
        case GgufType::Array:
            return readArray();
        case GgufType::String:
        {
            HEADSCOPE_TRY(auto text, readString(kMaxStringBytes));
            return GgufValue{type, std::move(text)};
        }
        }
        return badFormat("expected a value type from 0 to 12, found {}", static_cast<std::uint32_t>(type));
    }

    Result<GgufValue> readBool()
    {
        HEADSCOPE_TRY(const auto value, m_reader.number<std::uint8_t>());
        if (value > 1)
            return badFormat("expected 0 or 1 as a truth value, found {}", value);
        return GgufValue{GgufType::Bool, std::uint64_t{value}};
    }

    Result<GgufValue> readArray()
    {
        HEADSCOPE_TRY(const auto element, readType());
        if (element == GgufType::Array)
            return badFormat("expected an array of values, found an array of arrays");
        if (element == GgufType::String)
            return readStringArray();
        const auto width = ggufTypeBytes(element);
        HEADSCOPE_TRY(const auto count, readCount("array elements", width, std::numeric_limits<std::uint64_t>::max()));
        GgufNumbers numbers;
        numbers.element = element;
        numbers.bytes.resize(static_cast<std::size_t>(count * width));
        HEADSCOPE_CHECK(m_reader.read(numbers.bytes));
        if (element == GgufType::Bool)
            for (const auto byte : numbers.bytes)
                if (static_cast<unsigned>(byte) > 1)
                    return badFormat("expected 0 or 1 as truth values, found {}", static_cast<unsigned>(byte));
        return GgufValue{GgufType::Array, std::move(numbers)};
    }

    Result<GgufValue> readStringArray()
    {
        HEADSCOPE_TRY(const auto count, readCount("strings", 8, std::numeric_limits<std::uint64_t>::max()));
        GgufStrings strings;
        for (std::uint64_t i = 0; i < count; ++i)
        {
            auto text = readString(kMaxStringBytes);
            if (!text)
            {
                auto error = std::move(text).error();
                error.message = fmt::format("element {}: {}", i, error.message);
                return error;
            }
            strings.append(*text);
        }
        return GgufValue{GgufType::Array, std::move(strings)};
    }

    Status readAlignment()
    {
        constexpr std::string_view kKey = "general.alignment";
        const auto place = m_file.metadata.values().find(kKey);
        if (place == m_file.metadata.values().end())
            return {};
        const auto* value = std::get_if<std::uint64_t>(&place->second.value);
        if (value == nullptr || place->second.type != GgufType::U32)
            return badFormat("expected an unsigned integer of 32 bits, found {}", ggufTypeName(place->second.type))
                .atPlace(kKey);
        if (!std::has_single_bit(*value) || *value > kMaxAlignment)
            return badFormat("expected a power of two of at most {}, found {}", kMaxAlignment, *value).atPlace(kKey);
        m_file.alignment = *value;
        return {};
    }

    Status readTensorInfos()
    {
        m_file.tensors.tensors.reserve(static_cast<std::size_t>(m_numTensors));
        for (std::uint64_t i = 0; i < m_numTensors; ++i)
        {
            const auto number = fmt::format("tensor {}", i);
            HEADSCOPE_TRY(auto name, at(number, readString(kMaxTensorName)));
            if (name.empty() || name.find('\0') != std::string::npos)
                return badFormat("expected a name without NUL, found \"{}\"", printableName(name)).atPlace(number);
            TensorInfo tensor;
            tensor.name = std::move(name);
            HEADSCOPE_CHECK(at(printableName(tensor.name), readTensorInfo(tensor)));
            m_file.tensors.tensors.push_back(std::move(tensor));
        }
        return {};
    }

    Status readTensorInfo(TensorInfo& tensor)
    {
        HEADSCOPE_TRY(const auto axes, m_reader.number<std::uint32_t>());
        if (axes < 1 || axes > kMaxAxes)
            return badFormat("expected 1 to {} dimensions, found {}", kMaxAxes, axes);
        tensor.shape.resize(axes);
        for (auto axis = tensor.shape.rbegin(); axis != tensor.shape.rend(); ++axis) // the file has the fastest first
        {
            HEADSCOPE_TRY(*axis, m_reader.number<std::int64_t>());
            if (*axis < 1)
                return badFormat("expected dimensions of 1 or more, found {}", *axis);
        }
        HEADSCOPE_TRY(const auto typeId, m_reader.number<std::uint32_t>());
        const auto type = tensorTypeFromGguf(typeId);
        if (!type)
            return Error{
                ErrorCode::Unsupported,
                fmt::format("expected a supported type (F32, F16, BF16, Q4_0 to Q8_0, Q2_K to Q6_K), found type {}",
                            unreadGgufTypeName(typeId)),
                {},
                {}};
        tensor.type = *type;
        const auto& info = tensorTypeInfo(*type);
        if (tensor.shape.back() % info.blockElements != 0)
            return badFormat("expected rows of a multiple of {} numbers for {}, found {}", info.blockElements,
                             info.name, tensor.shape.back());
        const auto elements = checkedProduct(tensor.shape);
        const auto bytes = elements ? tensorBytes(*type, *elements) : std::nullopt;
        if (!bytes)
            return badFormat("expected a size that fits into 64 bits, found the shape {}", shapeText(tensor.shape));
        tensor.bytes = *bytes;
        HEADSCOPE_TRY(tensor.offset, m_reader.number<std::uint64_t>());
        return {};
    }

    /// Checks that the tensors lie one after another, each padded to the alignment, inside the file,
    /// and turns their offsets into offsets from the start of the file.
    Status placeTensors()
    {
        auto& tensors = m_file.tensors.tensors;
        const auto dataStart = checkedAlign(m_reader.position(), m_file.alignment);
        std::uint64_t expected = 0;
        for (auto& tensor : tensors)
        {
            const auto place = printableName(tensor.name);
            if (tensor.offset != expected)
                return badFormat("expected its data at offset {} of the data section, found offset {}", expected,
                                 tensor.offset)
                    .atPlace(place);
            const auto begin = dataStart ? checkedAdd(*dataStart, tensor.offset) : std::nullopt;
            const auto end = begin ? checkedAdd(*begin, tensor.bytes) : std::nullopt;
            if (!end || *end > m_fileSize)
                return badFormat("expected {} bytes of data from byte {}, found a file of {} bytes", tensor.bytes,
                                 begin.value_or(tensor.offset), m_fileSize)
                    .atPlace(place);
            tensor.offset = *begin;
            expected =
                checkedAlign(*end - *dataStart, m_file.alignment).value_or(std::numeric_limits<std::uint64_t>::max());
        }
        std::sort(tensors.begin(), tensors.end(),
                  [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
        const auto twice = std::adjacent_find(
            tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) { return a.name == b.name; });
        if (twice != tensors.end())
            return badFormat("this tensor occurs twice").atPlace(printableName(twice->name));
        return {};
    }

    SourceReader m_reader;
    std::uint64_t m_fileSize = 0;
    std::uint64_t m_numTensors = 0;
    std::uint64_t m_numEntries = 0;
    GgufFile m_file;
};

} // namespace

Result<GgufFile> parseGguf(const SeekableSource& source, const std::filesystem::path& path)
{
    auto file = Parser(source, path).parse();
    if (!file)
        return std::move(file).error().inFile(path.string());
    return file;
}

} // namespace headscope
