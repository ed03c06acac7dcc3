// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_reader.h"

#include "model/base/assert.h"
#include "model/base/hash.h"
#include "model/io/cache/cache_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kPieceBytes = std::int64_t{8} << 20;
constexpr std::int64_t kStringsAtOnce = 16'384;

bool isOfAttributes(const std::string& name)
{
    return name.ends_with('@');
}

std::string objectOf(const std::string& attributes)
{
    return attributes.substr(0, attributes.size() - 1);
}

/// A path as the tables of checksums spell it: HDF5 takes "//a/./b/" for "/a/b", too.
std::string plainPath(const std::string& path)
{
    std::string plain;
    for (std::size_t at = 0; at < path.size();)
    {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string step = path.substr(at, end - at);
        if (!step.empty() && step != ".")
            plain += "/" + step;
        at = end + 1;
    }
    return plain.empty() ? "/" : plain;
}

bool overlap(const FileRegion& a, const FileRegion& b)
{
    return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

template <class T>
constexpr NumberType numberTypeFor()
{
    if constexpr (std::is_same_v<T, float>)
        return NumberType::F32;
    else if constexpr (std::is_same_v<T, double>)
        return NumberType::F64;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return NumberType::I32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return NumberType::I64;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return NumberType::U16;
    else
        return NumberType::U8;
}

} // namespace

Hdf5Reader::Hdf5Reader(std::filesystem::path path, OpenHdf5 opened, bool own)
    : Hdf5Objects(std::move(path), std::move(opened.file), opened.bytes), m_seal(std::move(opened.seal)), m_own(own),
      m_known(std::make_unique<Known>())
{}

Result<Hdf5Reader> Hdf5Reader::open(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(OpenHdf5 opened, openHdf5ForReading(path, job));
    Hdf5Reader file(path, std::move(opened), false);
    HEADSCOPE_CHECK(file.readTable());
    HEADSCOPE_CHECK(file.verifyAttributes());
    return file;
}

Result<Hdf5Reader> Hdf5Reader::openOwn(const std::filesystem::path& part)
{
    HEADSCOPE_TRY(OpenHdf5 opened, openOwnPart(part));
    return Hdf5Reader(part, std::move(opened), true);
}

void Hdf5Reader::expect(const ChecksumTable& checksums)
{
    for (const auto& [name, digest] : checksums)
        m_known->table[name] = digest;
}

Status Hdf5Reader::readTable()
{
    if (!has("/checksums"))
        return {};
    HEADSCOPE_TRY(const DatasetInfo info, describe(schema::kChecksumNames));
    HEADSCOPE_TRY(const auto names, stringsAsTheyLie(schema::kChecksumNames, 0, info.rows()));
    HEADSCOPE_TRY(const DatasetInfo other, describe(schema::kChecksumValues));
    if (other.rows() != info.rows())
        return Error{ErrorCode::BadFormat, fmt::format("expected {} checksums, found {}", info.rows(), other.rows()),
                     path().string(), schema::kChecksumValues};
    HEADSCOPE_TRY(const auto values, stringsAsTheyLie(schema::kChecksumValues, 0, other.rows()));
    for (std::size_t i = 0; i < names.size(); ++i)
        m_known->table[names[i]] = values[i];
    return {};
}

Status Hdf5Reader::verifyAttributes() const
{
    JobContext unwatched; // some attributes of each map
    for (const auto& [name, digest] : m_known->table)
    {
        const std::string object = isOfAttributes(name) ? objectOf(name) : std::string();
        if (object.empty() || object == "/" || object.starts_with(schema::kModel) || !has(object))
            continue;
        HEADSCOPE_CHECK(verify(name, unwatched));
    }
    return {};
}

Result<std::optional<std::string>> Hdf5Reader::expected(const std::string& name) const
{
    {
        const std::scoped_lock lock(m_known->mutex);
        if (m_own || m_known->verified.contains(name))
            return std::optional<std::string>();
        if (const auto found = m_known->table.find(name); found != m_known->table.end())
            return std::optional(found->second);
    }
    if (isOfAttributes(name))
        return std::optional<std::string>();
    HEADSCOPE_TRY(const DatasetInfo info, describe(name));
    const auto numbers = m_seal.uncovered.empty() ? std::nullopt : region(name);
    if (numbers && std::ranges::any_of(m_seal.uncovered, [&](const FileRegion& r) { return overlap(r, *numbers); }))
        return Error{
            ErrorCode::BadFormat,
            fmt::format(
                "these numbers {} have no checksum, which is required because the seal of the file does not cover them",
                info.describe()),
            path().string(), name};
    const std::scoped_lock lock(m_known->mutex);
    m_known->verified.insert(name);
    return std::optional<std::string>();
}

Status Hdf5Reader::accept(const std::string& name, const std::string& expected, const std::string& found) const
{
    if (found != expected)
        return checksumMismatch(*this, name);
    const std::scoped_lock lock(m_known->mutex);
    m_known->verified.insert(name);
    return {};
}

Status Hdf5Reader::verify(const std::string& name, JobContext& job) const
{
    const std::string plain = plainPath(name);
    HEADSCOPE_TRY(const auto right, expected(plain));
    if (!right)
        return {};
    HEADSCOPE_TRY(const std::string found, digest(plain, job));
    return accept(plain, *right, found);
}

Result<std::string> Hdf5Reader::digest(const std::string& name, JobContext& job) const
{
    if (isOfAttributes(name))
        return digestOfAttributes(*this, objectOf(name));
    HEADSCOPE_TRY(const DatasetInfo info, describe(name));
    if (!info.text)
        return digestOfNumbers(name, {}, {}, job);
    StringsDigest hash;
    for (std::int64_t begin = 0; begin < info.rows(); begin += kStringsAtOnce)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const auto values, stringsAsTheyLie(name, begin, std::min(kStringsAtOnce, info.rows() - begin)));
        hash.add(values);
    }
    return hash.hex();
}

Status Hdf5Reader::readPieces(const std::string& dataset, std::int64_t begin, std::int64_t end,
                              std::span<std::byte> place, const RowVisitor& visit, JobContext& job) const
{
    HEADSCOPE_TRY(const DatasetInfo info, describe(dataset));
    HEADSCOPE_ASSERT(info.number.has_value());
    const auto rowBytes = info.rowSize() * static_cast<std::int64_t>(numberBytes(*info.number));
    HEADSCOPE_ASSERT(place.empty() || std::ssize(place) == (end - begin) * rowBytes);
    const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / std::max<std::int64_t>(1, rowBytes));
    std::vector<std::byte> own;
    for (std::int64_t at = begin; at < end; at += step)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const std::int64_t count = std::min(step, end - at);
        const auto bytes = static_cast<std::size_t>(count * rowBytes);
        if (place.empty())
            own.resize(bytes);
        const std::span<std::byte> piece =
            place.empty() ? std::span(own) : place.subspan(static_cast<std::size_t>((at - begin) * rowBytes), bytes);
        HEADSCOPE_CHECK(rowsAsTheyLie(dataset, at, count, *info.number, piece));
        HEADSCOPE_CHECK(visit(at, count, piece));
    }
    return {};
}

Result<std::string> Hdf5Reader::digestOfNumbers(const std::string& dataset, std::span<std::byte> place,
                                                const RowVisitor& visit, JobContext& job) const
{
    HEADSCOPE_TRY(const DatasetInfo info, describe(dataset));
    if (!info.number)
        return Error{ErrorCode::Unsupported, "expected numbers or text, found " + info.describe(), path().string(),
                     dataset};
    Xxh3 hash;
    const auto add = [&](std::int64_t begin, std::int64_t count, std::span<const std::byte> raw) -> Status {
        hash.update(raw);
        return visit ? visit(begin, count, raw) : Status();
    };
    const std::int64_t rows = info.rowSize() == 0 ? 0 : info.rows(); // rows without numbers, however many, hold nothing
    HEADSCOPE_CHECK(readPieces(dataset, 0, rows, place, add, job));
    return hash.hex();
}

Status Hdf5Reader::visitRows(const std::string& dataset, std::int64_t begin, std::int64_t end, const RowVisitor& visit,
                             JobContext& job, std::span<std::byte> place) const
{
    HEADSCOPE_TRY(const auto right, expected(dataset));
    if (right)
    {
        HEADSCOPE_TRY(const std::string found, digestOfNumbers(dataset, place, visit, job));
        return accept(dataset, *right, found);
    }
    HEADSCOPE_TRY(const DatasetInfo info, describe(dataset));
    if (!info.number)
        return Error{ErrorCode::BadFormat, "expected numbers, found " + info.describe(), path().string(), dataset};
    return readPieces(dataset, begin, end, place, visit, job);
}

Status Hdf5Reader::readRows(const std::string& dataset, std::int64_t begin, std::int64_t count, NumberType as,
                            std::span<std::byte> into) const
{
    const std::string plain = plainPath(dataset);
    HEADSCOPE_TRY(const auto right, expected(plain));
    if (!right)
        return rowsAsTheyLie(plain, begin, count, as, into);
    HEADSCOPE_TRY(const DatasetInfo info, describe(plain));
    if (begin == 0 && count == info.rows() && info.number == as) // what is read is what the checksum is of
    {
        HEADSCOPE_CHECK(rowsAsTheyLie(plain, begin, count, as, into));
        Status same = accept(plain, *right, xxh3Hex(into));
        if (!same)
            std::ranges::fill(into, std::byte{});
        return same;
    }
    JobContext unwatched;
    HEADSCOPE_CHECK(verify(plain, unwatched));
    return rowsAsTheyLie(plain, begin, count, as, into);
}

Result<std::vector<std::string>> Hdf5Reader::readStrings(const std::string& dataset, std::int64_t begin,
                                                         std::int64_t count, std::uint64_t mostBytes) const
{
    const std::string plain = plainPath(dataset);
    HEADSCOPE_TRY(const auto right, expected(plain));
    if (!right)
        return stringsAsTheyLie(plain, begin, count, mostBytes);
    HEADSCOPE_TRY(const DatasetInfo info, describe(plain));
    if (begin == 0 && count == info.rows())
    {
        HEADSCOPE_TRY(auto values, stringsAsTheyLie(plain, begin, count, mostBytes));
        HEADSCOPE_CHECK(accept(plain, *right, digestOfStrings(values)));
        return values;
    }
    JobContext unwatched;
    HEADSCOPE_CHECK(verify(plain, unwatched));
    return stringsAsTheyLie(plain, begin, count, mostBytes);
}

template <class T>
Result<std::vector<T>> readNumbers(const Hdf5Reader& file, const std::string& dataset)
{
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    const auto count = static_cast<std::uint64_t>(info.rows()) * static_cast<std::uint64_t>(info.rowSize());
    if (!info.number || isFloating(*info.number) != std::is_floating_point_v<T>)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {}, found {}", std::is_floating_point_v<T> ? "real numbers" : "integers",
                                 info.describe()),
                     file.path().string(), dataset};
    try
    {
        std::vector<T> values(count);
        if constexpr (std::is_same_v<T, float>)
        {
            // Halves are converted here, everything else by HDF5.
            if (*info.number == NumberType::F16 || *info.number == NumberType::Bf16)
            {
                std::vector<std::byte> raw(count * 2);
                HEADSCOPE_CHECK(file.readRows(dataset, 0, info.rows(), *info.number, raw));
                floatsFromRaw(*info.number, raw, values);
                return values;
            }
        }
        HEADSCOPE_CHECK(
            file.readRows(dataset, 0, info.rows(), numberTypeFor<T>(), std::as_writable_bytes(std::span(values))));
        return values;
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("reading it needs {} bytes, more than are available", count * sizeof(T)),
                     file.path().string(), dataset};
    }
}

template Result<std::vector<float>> readNumbers(const Hdf5Reader&, const std::string&);
template Result<std::vector<double>> readNumbers(const Hdf5Reader&, const std::string&);
template Result<std::vector<std::int32_t>> readNumbers(const Hdf5Reader&, const std::string&);
template Result<std::vector<std::int64_t>> readNumbers(const Hdf5Reader&, const std::string&);
template Result<std::vector<std::uint16_t>> readNumbers(const Hdf5Reader&, const std::string&);
template Result<std::vector<std::uint8_t>> readNumbers(const Hdf5Reader&, const std::string&);

} // namespace headscope
