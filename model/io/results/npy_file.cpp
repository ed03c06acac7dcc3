// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's own format: a magic string, a version, the length of a header, the header (a Python
// dictionary with descr, fortran_order and shape), the numbers.
#include "model/base/checked_size.h"
#include "model/base/file.h"
#include "model/io/results/matrix_file.h"
#include "model/kernels/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace headscope
{
namespace
{

struct Header
{
    std::string type; ///< "f4", "i8", ...
    bool fortran = false;
    std::vector<std::int64_t> shape;
};

/// The text behind 'key': up to its comma, tuple and strings whole.
std::optional<std::string_view> valueOf(std::string_view header, std::string_view key)
{
    const auto at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = header.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const auto end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
    return rest.substr(0, end);
}

std::optional<Header> parseHeader(std::string_view text)
{
    const auto descr = valueOf(text, "descr");
    const auto order = valueOf(text, "fortran_order");
    const auto shape = valueOf(text, "shape");
    if (!descr || !order || !shape || descr->size() < 4 || !shape->starts_with('('))
        return std::nullopt;
    Header header;
    header.type = descr->substr(1, descr->size() - 2); // without quotes: "<f4", "|u1"
    header.fortran = *order == "True";
    std::string_view rest = shape->substr(1);
    while (!rest.empty())
    {
        std::int64_t extent = 0;
        const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
        if (failed != std::errc{} || extent < 0)
            return std::nullopt;
        header.shape.push_back(extent);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        while (rest.starts_with(',') || rest.starts_with(' '))
            rest.remove_prefix(1);
    }
    return header;
}

template <class T>
double valueAt(const std::byte* from)
{
    T value{};
    std::memcpy(&value, from, sizeof(T));
    return static_cast<double>(value);
}

using Converter = double (*)(const std::byte*);

Converter converterFor(std::string_view type)
{
    const std::pair<std::string_view, Converter> known[] = {
        {"<f4", valueAt<float>},
        {"<f8", valueAt<double>},
        {"<f2",
         [](const std::byte* from) {
             std::uint16_t bits = 0;
             std::memcpy(&bits, from, sizeof bits);
             return static_cast<double>(floatFromHalf(bits));
         }},
        {"|i1", valueAt<std::int8_t>},
        {"|u1", valueAt<std::uint8_t>},
        {"|b1", valueAt<std::uint8_t>},
        {"<i2", valueAt<std::int16_t>},
        {"<u2", valueAt<std::uint16_t>},
        {"<i4", valueAt<std::int32_t>},
        {"<u4", valueAt<std::uint32_t>},
        {"<i8", valueAt<std::int64_t>},
        {"<u8", valueAt<std::uint64_t>},
    };
    for (const auto& [name, converter] : known)
    {
        if (name == type)
            return converter;
    }
    return nullptr;
}

/// Of an opened file: what its numbers are, and where they begin.
struct Numbers
{
    Header header;
    Converter converter = nullptr;
    std::size_t width = 0; ///< bytes of a number
    std::size_t count = 0;
    std::uint64_t begin = 0;
};

Result<Numbers> findNumbers(const File& file, const std::filesystem::path& path)
{
    const auto bad = [&path](std::string message) {
        return Error{ErrorCode::BadFormat, std::move(message), path.string(), {}};
    };
    std::array<std::uint8_t, 12> start{};
    if (file.size() < start.size())
        return bad("expected a NumPy file, found a shorter file");
    HEADSCOPE_CHECK(file.readAt(0, std::as_writable_bytes(std::span(start))));
    if (std::memcmp(start.data(), "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
        return bad("expected a NumPy file of version 1 to 3, found a file of another kind");
    const bool first = start[6] == 1;
    const std::uint64_t headerAt = first ? 10 : 12;
    const std::uint64_t length =
        first ? start[8] + 256U * start[9]
              : start[8] + 256U * start[9] + 65'536U * start[10] + std::uint64_t{16'777'216} * start[11];
    if (headerAt + length > file.size() || length > (1U << 20))
        return bad("expected the header of a NumPy file, found the end of the file");
    std::string text(static_cast<std::size_t>(length), '\0');
    HEADSCOPE_CHECK(file.readAt(headerAt, std::as_writable_bytes(std::span(text))));
    auto header = parseHeader(text);
    if (!header)
        return bad("expected a header with descr, fortran_order and shape, found a different header");
    const Converter converter = converterFor(header->type);
    if (converter == nullptr)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected little-endian numbers of 8 to 64 bits, found the type \"{}\"", header->type),
                     path.string(),
                     {}};
    const auto width = static_cast<std::uint64_t>(header->type.back() - '0');
    const auto count = checkedProduct(header->shape);
    const auto bytes = count ? checkedMultiply(*count, width) : std::nullopt;
    if (!bytes || *bytes != file.size() - headerAt - length)
        return bad(fmt::format("expected {} numbers of {} bytes as its header says, found {} bytes", count.value_or(0),
                               width, file.size() - headerAt - length));
    return Numbers{std::move(*header), converter, static_cast<std::size_t>(width), static_cast<std::size_t>(*count),
                   headerAt + length};
}

template <class T>
Status readInOrder(const File& file, const Numbers& numbers, std::vector<T>& values)
{
    if constexpr (std::is_same_v<T, float>)
    {
        if (numbers.header.type == "<f4")
            return file.readAt(numbers.begin, std::as_writable_bytes(std::span(values)));
    }
    constexpr std::size_t kTogether = std::size_t{1} << 16;
    std::vector<std::byte> raw(kTogether * numbers.width);
    for (std::size_t at = 0; at < values.size(); at += kTogether)
    {
        const std::size_t count = std::min(kTogether, values.size() - at);
        HEADSCOPE_CHECK(file.readAt(numbers.begin + at * numbers.width, std::span(raw).first(count * numbers.width)));
        for (std::size_t i = 0; i < count; ++i)
            values[at + i] = static_cast<T>(numbers.converter(raw.data() + i * numbers.width));
    }
    return {};
}

/// From columns that follow each other.
template <class T>
Status readTurned(const File& file, const Numbers& numbers, std::vector<T>& values)
{
    std::vector<std::byte> raw(values.size() * numbers.width);
    HEADSCOPE_CHECK(file.readAt(numbers.begin, raw));
    const auto rows = static_cast<std::size_t>(numbers.header.shape[0]);
    const std::size_t cols = values.size() / std::max<std::size_t>(rows, 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>(numbers.converter(raw.data() + ((i % cols) * rows + i / cols) * numbers.width));
    return {};
}

} // namespace

template <class T>
Result<NpyArray<T>> readNpy(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    HEADSCOPE_TRY(const Numbers numbers, findNumbers(file, path));
    const Header& header = numbers.header;
    if (header.fortran && header.shape.size() > 2)
        return Error{ErrorCode::Unsupported,
                     "expected C order, found Fortran order of more than two dimensions",
                     path.string(),
                     {}};
    NpyArray<T> array;
    array.shape = header.shape;
    array.integers = header.type[1] != 'f';
    array.values.resize(numbers.count);
    const bool turned = header.fortran && header.shape.size() == 2;
    HEADSCOPE_CHECK(turned ? readTurned(file, numbers, array.values) : readInOrder(file, numbers, array.values));
    return array;
}

template Result<NpyArray<float>> readNpy(const std::filesystem::path& path);
template Result<NpyArray<double>> readNpy(const std::filesystem::path& path);

} // namespace headscope
