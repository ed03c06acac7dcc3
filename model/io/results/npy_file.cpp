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

} // namespace

Result<NpyArray> readNpy(const std::filesystem::path& path)
{
    const auto bad = [&path](std::string message) {
        return Error{ErrorCode::BadFormat, std::move(message), path.string(), {}};
    };
    HEADSCOPE_TRY(const File file, File::openForReading(path));
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
    const auto header = parseHeader(text);
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
    std::vector<std::byte> raw(static_cast<std::size_t>(*bytes));
    HEADSCOPE_CHECK(file.readAt(headerAt + length, raw));

    NpyArray array;
    array.shape = header->shape;
    array.integers = header->type[1] != 'f';
    array.values.resize(static_cast<std::size_t>(*count));
    const auto rows = header->shape.size() == 2 ? static_cast<std::size_t>(header->shape[0]) : 1;
    const std::size_t cols = array.values.size() / std::max<std::size_t>(rows, 1);
    for (std::size_t i = 0; i < array.values.size(); ++i)
    {
        const std::size_t from = header->fortran && rows > 1 ? (i % cols) * rows + i / cols : i;
        array.values[i] = converter(raw.data() + from * width);
    }
    if (header->fortran && header->shape.size() > 2)
        return Error{ErrorCode::Unsupported,
                     "expected C order, found Fortran order of more than two dimensions",
                     path.string(),
                     {}};
    return array;
}

} // namespace headscope
