// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/safetensors.h"

#include "model/base/checked_size.h"
#include "model/base/file.h"
#include "model/base/utf8.h"
#include "model/formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace headscope
{
namespace
{

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::uint64_t kMaxInteger = (std::uint64_t{1} << 48) - 1;
constexpr std::size_t kMaxTensors = std::size_t{1} << 18;
constexpr std::size_t kMaxNameBytes = 1024;
constexpr std::size_t kMaxAxes = 8;

template <class... Arguments>
Error badFormat(fmt::format_string<Arguments...> text, Arguments&&... arguments)
{
    return {ErrorCode::BadFormat, fmt::format(text, std::forward<Arguments>(arguments)...), {}, {}};
}

/// An integer of the header: not negative, not above what the format allows.
Result<std::uint64_t> integer(const JsonView& value, std::string_view field)
{
    auto number = value.asUnsigned();
    if (!number)
        return badFormat("{}: {}", field, number.error().message);
    if (*number > kMaxInteger)
        return badFormat("{}: expected integers below 2^48, found {}", field, *number);
    return number;
}

Result<TensorType> readType(const JsonView& value)
{
    const auto name = value.asString();
    if (!name)
        return badFormat("dtype: {}", name.error().message);
    const auto type = tensorTypeFromName(*name);
    // Blocks of several numbers with a scale are GGUF's; safetensors has none of them.
    if (!type || name->starts_with('Q'))
        return Error{ErrorCode::Unsupported,
                     fmt::format("dtype: expected a type of the format (F32, F16, BF16, ...), found \"{}\"",
                                 printableName(*name)),
                     {},
                     {}};
    return *type;
}

Status readShape(const JsonView& value, TensorInfo& tensor)
{
    if (!value.isArray())
        return badFormat("shape: expected an array, found {}", jsonKindName(value.kind()));
    for (const auto axis : value.elements())
    {
        if (tensor.shape.size() == kMaxAxes)
            return badFormat("shape: expected at most {} dimensions, found {}", kMaxAxes, value.size());
        HEADSCOPE_TRY(const auto extent, integer(axis, "shape"));
        tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }
    return {};
}

/// Reads begin and end, relative to the data section, into offset and bytes.
Status readOffsets(const JsonView& value, TensorInfo& tensor)
{
    if (!value.isArray() || value.size() != 2)
        return badFormat("data_offsets: expected [begin, end], found {} of {} values", jsonKindName(value.kind()),
                         value.size());
    auto place = value.elements().begin();
    HEADSCOPE_TRY(const auto begin, integer(*place, "data_offsets"));
    HEADSCOPE_TRY(const auto end, integer(*++place, "data_offsets"));
    if (end < begin)
        return badFormat("data_offsets: expected an end of {} or more, found {}", begin, end);
    tensor.offset = begin;
    tensor.bytes = end - begin;
    return {};
}

Status checkSize(const TensorInfo& tensor)
{
    const auto& info = tensorTypeInfo(tensor.type);
    const auto elements = checkedProduct(tensor.shape);
    if (!elements || !checkedMultiply(*elements, 8)) // 8: the widest type, in bytes
        return badFormat("shape: expected a size that fits into 64 bits, found {}", shapeText(tensor.shape));
    const auto bytes = tensorBytes(tensor.type, *elements);
    if (!bytes)
        return badFormat("shape: expected a whole number of bytes, found {} numbers of {}", *elements, info.name);
    if (*bytes != tensor.bytes)
        return badFormat("expected {} bytes for shape {} of {}, found data_offsets of {} bytes", *bytes,
                         shapeText(tensor.shape), info.name, tensor.bytes);
    return {};
}

Status readEntry(const JsonView& entry, TensorInfo& tensor)
{
    if (!entry.isObject())
        return badFormat("expected an object, found {}", jsonKindName(entry.kind()));
    for (const auto& [key, value] : entry.members())
        if (key != "dtype" && key != "shape" && key != "data_offsets")
            return badFormat("expected only dtype, shape and data_offsets, found \"{}\"", printableName(key));
    const auto dtype = entry.find("dtype");
    const auto shape = entry.find("shape");
    const auto offsets = entry.find("data_offsets");
    if (!dtype || !shape || !offsets)
        return badFormat("{} is missing (dtype, shape and data_offsets are required)", !dtype   ? "dtype"
                                                                                       : !shape ? "shape"
                                                                                                : "data_offsets");
    HEADSCOPE_TRY(tensor.type, readType(*dtype));
    HEADSCOPE_CHECK(readShape(*shape, tensor));
    HEADSCOPE_CHECK(readOffsets(*offsets, tensor));
    return {};
}

Status readMetadata(const JsonView& value, TensorDirectory& directory)
{
    if (!value.isObject())
        return badFormat("expected an object of strings, found {}", jsonKindName(value.kind()));
    for (const auto& [key, text] : value.members())
    {
        const auto string = text.asString();
        if (!string)
            return badFormat("{}: {}", printableName(key), string.error().message);
        directory.metadata.emplace_back(key, *string);
    }
    return {};
}

Status readEntries(const JsonView& root, TensorDirectory& directory)
{
    constexpr std::string_view kMetadata = "__metadata__";
    if (root.size() > kMaxTensors)
        return badFormat("expected at most {} tensors, found {}", kMaxTensors, root.size());
    for (const auto& [name, entry] : root.members())
    {
        if (name == kMetadata)
        {
            if (auto status = readMetadata(entry, directory); !status)
                return std::move(status).error().atPlace(kMetadata);
            continue;
        }
        if (name.empty() || name.size() > kMaxNameBytes)
            return badFormat("expected a name of 1 to {} bytes, found a name of {} bytes", kMaxNameBytes, name.size())
                .atPlace(printableName(name));
        TensorInfo tensor;
        tensor.name = name;
        if (auto status = readEntry(entry, tensor); !status)
            return std::move(status).error().atPlace(printableName(name));
        directory.tensors.push_back(std::move(tensor));
    }
    return {};
}

/// The tensors, in the order of their data, must fill the data section exactly. Turns offsets into
/// offsets from the start of the file.
Status placeTensors(TensorDirectory& directory, std::uint64_t dataStart, std::uint64_t fileSize)
{
    auto& tensors = directory.tensors;
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
        return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
    });
    std::uint64_t expected = 0;
    for (auto& tensor : tensors)
    {
        if (tensor.offset != expected)
            return badFormat(
                       "data_offsets: expected the data to begin at {}, where the tensor before ends, found {} ({})",
                       expected, tensor.offset, tensor.offset < expected ? "they overlap" : "a gap")
                .atPlace(printableName(tensor.name));
        if (auto status = checkSize(tensor); !status)
            return std::move(status).error().atPlace(printableName(tensor.name));
        expected += tensor.bytes; // below 2^48 by the check of the integers
        tensor.offset += dataStart;
    }
    if (dataStart + expected != fileSize)
        return badFormat("expected {} bytes ({} of header, {} of tensors), found a file of {} bytes{}",
                         dataStart + expected, dataStart, expected, fileSize,
                         fileSize < dataStart + expected ? ": it is truncated" : ": it continues after the tensors");
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
    return {};
}

Result<TensorDirectory> parseHeader(std::string_view header, std::uint64_t fileSize, const std::filesystem::path& path)
{
    if (!header.starts_with('{'))
        return badFormat("expected the header to begin with '{{', found {}",
                         header.empty() ? std::string("nothing")
                                        : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(header[0])));
    if (const auto valid = validUtf8Prefix(header); valid != header.size())
        return badFormat("expected a header in UTF-8, found byte 0x{:02x} at byte {} of the header",
                         static_cast<unsigned char>(header[valid]), valid);
    JsonOptions options;
    options.maxDepth = 8;
    options.rejectDuplicateKeys = true;
    auto document = JsonDocument::parse(header, {}, options);
    if (!document)
        return std::move(document).error().atPlace("header");
    TensorDirectory directory;
    directory.files.push_back({path, fileSize});
    HEADSCOPE_CHECK(readEntries(document->root(), directory));
    HEADSCOPE_CHECK(placeTensors(directory, kLengthBytes + header.size(), fileSize));
    return directory;
}

} // namespace

Result<std::uint64_t> safetensorsHeaderSize(std::span<const std::byte> firstBytes, std::uint64_t fileSize)
{
    if (firstBytes.size() < kLengthBytes || fileSize < kLengthBytes)
        return badFormat("expected a file of at least {} bytes, found {} bytes", kLengthBytes, fileSize);
    std::uint64_t size = 0;
    std::memcpy(&size, firstBytes.data(), sizeof size);
    if (size > kMaxHeaderBytes)
        return badFormat("expected a header of at most {} bytes, found a length of {}: this is not a safetensors file, "
                         "or it is damaged",
                         kMaxHeaderBytes, size);
    if (size > fileSize - kLengthBytes)
        return badFormat("expected a header of {} bytes, found only {} bytes: the file is truncated", size,
                         fileSize - kLengthBytes);
    return size;
}

Result<TensorDirectory> parseSafetensorsHeader(std::span<const std::byte> header, std::uint64_t fileSize,
                                               const std::filesystem::path& path)
{
    auto directory = parseHeader({reinterpret_cast<const char*>(header.data()), header.size()}, fileSize, path);
    if (!directory)
        return std::move(directory).error().inFile(path.string());
    return directory;
}

Result<TensorDirectory> openSafetensors(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const auto file, File::openForReading(path));
    std::array<std::byte, kLengthBytes> first{};
    const auto firstBytes = std::span(first).first(static_cast<std::size_t>(std::min(file.size(), kLengthBytes)));
    HEADSCOPE_CHECK(file.readAt(0, firstBytes));
    const auto size = safetensorsHeaderSize(firstBytes, file.size());
    if (!size)
        return Error(size.error()).inFile(path.string());
    std::vector<std::byte> header(static_cast<std::size_t>(*size));
    HEADSCOPE_CHECK(file.readAt(kLengthBytes, header));
    return parseSafetensorsHeader(header, file.size(), path);
}

} // namespace headscope
