// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_objects.h"

#include "model/base/checked_size.h"
#include "model/io/hdf5/hdf5_guard.h"
#include "model/io/hdf5/hdf5_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <span>

namespace headscope
{
namespace
{

bool isGroup(hid_t file, const std::string& object)
{
    const Hdf5Handle handle(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
    expectAnswer(handle.valid());
    return H5Iget_type(handle.id()) == H5I_GROUP;
}

/// Walks a path link by link, so that no external link is ever followed.
bool reachable(hid_t file, const std::string& object)
{
    std::size_t end = 0;
    bool soft = false; // on the way was a link that may lead nowhere: then a failure is an answer
    std::string above = "/";
    while (end != std::string::npos && end < object.size())
    {
        end = object.find('/', end + 1);
        const std::string piece = object.substr(0, end);
        if (piece.empty() || piece == "/")
            continue;
        const htri_t exists = H5Lexists(file, piece.c_str(), H5P_DEFAULT);
        expectAnswer(exists >= 0 || soft || !isGroup(file, above)); // nothing is below a dataset
        if (exists <= 0)
            return false;
        above = piece;
        H5L_info_t info = {};
        expectAnswer(H5Lget_info(file, piece.c_str(), &info, H5P_DEFAULT) >= 0);
        if (info.type == H5L_TYPE_EXTERNAL)
            return false;
        soft = soft || info.type == H5L_TYPE_SOFT;
    }
    const htri_t exists = H5Oexists_by_name(file, object.c_str(), H5P_DEFAULT);
    expectAnswer(exists >= 0 || soft);
    return exists > 0;
}

/// Whether `bytes` numbers of data can come out of a file of this size: all of them when they lie
/// there plainly, at most some thousand times as many when they are compressed.
bool plausible(hid_t properties, std::uint64_t bytes, std::uint64_t fileBytes)
{
    constexpr std::uint64_t kDeflateLimit = 1100;
    if (H5Pget_layout(properties) == H5D_CHUNKED)
        return bytes / kDeflateLimit <= fileBytes;
    return bytes <= fileBytes;
}

Hdf5Handle rowSpace(hid_t dataset, const std::vector<std::int64_t>& shape, std::int64_t begin, std::int64_t count)
{
    Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    if (shape.empty())
        return space;
    std::vector<hsize_t> start(shape.size(), 0);
    std::vector<hsize_t> extent(shape.begin(), shape.end());
    start[0] = static_cast<hsize_t>(begin);
    extent[0] = static_cast<hsize_t>(count);
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0)
        return {};
    return space;
}

Hdf5Handle memorySpace(std::int64_t numbers)
{
    const auto extent = static_cast<hsize_t>(numbers);
    return {H5Screate_simple(1, &extent, nullptr), H5Sclose};
}

Error outOfMemory(const std::filesystem::path& path, const std::string& place, std::uint64_t bytes)
{
    return {ErrorCode::OutOfMemory, fmt::format("reading it needs {} bytes, more than are available", bytes),
            path.string(), place};
}

} // namespace

std::int64_t DatasetInfo::rowSize() const
{
    std::int64_t size = 1;
    for (std::size_t i = 1; i < shape.size(); ++i)
        size *= shape[i];
    return size;
}

std::string DatasetInfo::describe() const
{
    return fmt::format("[{}] {}", fmt::join(shape, ", "),
                       number ? numberTypeName(*number)
                       : text ? "text"
                              : "of a type that cannot be read");
}

Hdf5Objects::Hdf5Objects(std::filesystem::path path, Hdf5Handle file, std::uint64_t bytes)
    : m_path(std::move(path)), m_file(std::move(file)), m_fileBytes(bytes)
{}

Hdf5Objects::~Hdf5Objects()
{
    const Hdf5Guard guard;
    m_file.close();
}

bool Hdf5Objects::has(const std::string& object) const
{
    const Hdf5Guard guard;
    return reachable(m_file.id(), object);
}

bool Hdf5Objects::isDataset(const std::string& object) const
{
    const Hdf5Guard guard;
    if (!reachable(m_file.id(), object))
        return false;
    const Hdf5Handle handle(H5Oopen(m_file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    expectAnswer(handle.valid());
    return H5Iget_type(handle.id()) == H5I_DATASET;
}

std::vector<std::string> Hdf5Objects::names(const std::string& group) const
{
    const Hdf5Guard guard;
    std::vector<std::string> found;
    const std::string path = group.empty() ? "/" : group;
    if (!reachable(m_file.id(), path))
        return found;
    const Hdf5Handle handle(H5Oopen(m_file.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
    expectAnswer(handle.valid());
    if (H5Iget_type(handle.id()) != H5I_GROUP)
        return found;
    const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* data) -> herr_t {
        if (info->type != H5L_TYPE_EXTERNAL)
            static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
    };
    expectAnswer(H5Literate(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found) >= 0);
    std::sort(found.begin(), found.end());
    return found;
}

Result<Hdf5Handle> Hdf5Objects::openDataset(const std::string& dataset) const
{
    if (!reachable(m_file.id(), dataset))
        return Error{ErrorCode::BadFormat, "expected a dataset here, found none", m_path.string(), dataset};
    Hdf5Handle handle(H5Dopen2(m_file.id(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!handle.valid())
        return hdf5Error(m_path, dataset, "opening the dataset");
    return handle;
}

Result<DatasetInfo> Hdf5Objects::describe(const std::string& dataset) const
{
    const Hdf5Guard guard;
    HEADSCOPE_TRY(const Hdf5Handle handle, openDataset(dataset));
    const Hdf5Handle properties(H5Dget_create_plist(handle.id()), H5Pclose);
    if (!properties.valid())
        return hdf5Error(m_path, dataset, "reading the storage layout");
    // Before the shape is asked for, which may open those files.
    if (H5Pget_layout(properties.id()) == H5D_VIRTUAL || H5Pget_external_count(properties.id()) > 0)
        return Error{ErrorCode::Unsupported,
                     "expected the numbers in this file, found a reference to other files; copy all data into one file",
                     m_path.string(), dataset};
    const Hdf5Handle space(H5Dget_space(handle.id()), H5Sclose);
    const Hdf5Handle type(H5Dget_type(handle.id()), H5Tclose);
    const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (rank < 0 || !type.valid() || H5Sget_simple_extent_type(space.id()) == H5S_NULL)
        return hdf5Error(m_path, dataset, "reading the shape");
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    std::vector<hsize_t> most(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space.id(), extents.data(), most.data()) < 0)
        return hdf5Error(m_path, dataset, "reading the shape");

    DatasetInfo info;
    info.shape.assign(extents.begin(), extents.end());
    // Nothing bounds the rows of a matrix without columns but this.
    const bool within = std::ranges::equal(extents, most, std::less_equal());
    info.text = H5Tget_class(type.id()) == H5T_STRING;
    info.number = numberTypeOf(type.id());
    if (info.number == NumberType::U16 && textAttribute(dataset, "dtype") == "bfloat16")
        info.number = NumberType::Bf16;
    const auto count = checkedProduct(extents);
    const auto bytes = count ? checkedMultiply(*count, H5Tget_size(type.id())) : std::nullopt;
    if (!bytes || !within || !plausible(properties.id(), *bytes, m_fileBytes))
        return Error{
            ErrorCode::BadFormat,
            fmt::format(
                "expected data that fits into a file of {} bytes, found the shape {}: the file is damaged or truncated",
                m_fileBytes, info.describe()),
            m_path.string(), dataset};
    return info;
}

std::optional<FileRegion> Hdf5Objects::region(const std::string& dataset) const
{
    constexpr std::uint64_t kSmall = 512;
    const Hdf5Guard guard;
    const auto info = describe(dataset);
    const auto handle = openDataset(dataset);
    expectAnswer(info.has_value() && handle.has_value());
    if (!info->number)
        return std::nullopt;
    const haddr_t offset = H5Dget_offset(handle->id());
    const std::uint64_t size = H5Dget_storage_size(handle->id());
    if (offset == HADDR_UNDEF && size > 0)
    {
        const Hdf5Handle properties(H5Dget_create_plist(handle->id()), H5Pclose);
        expectAnswer(properties.valid() && H5Pget_layout(properties.id()) == H5D_CHUNKED); // these have no one place
    }
    if (offset == HADDR_UNDEF || size < kSmall)
        return std::nullopt;
    return FileRegion{offset, size};
}

Status Hdf5Objects::rowsAsTheyLie(const std::string& dataset, std::int64_t begin, std::int64_t count, NumberType as,
                                  std::span<std::byte> into) const
{
    const Hdf5Guard guard;
    HEADSCOPE_TRY(const DatasetInfo info, describe(dataset));
    const auto numbers = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(info.rowSize());
    if (begin < 0 || count < 0 || count > info.rows() || begin > info.rows() - count ||
        into.size() != numbers * numberBytes(as))
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected rows {} to {}, found the shape {}", begin, begin + count, info.describe()),
                     m_path.string(), dataset};
    if (into.empty())
        return {};
    HEADSCOPE_TRY(const Hdf5Handle handle, openDataset(dataset));
    const Hdf5Handle type = memoryType(as);
    const Hdf5Handle from = rowSpace(handle.id(), info.shape, begin, count);
    const Hdf5Handle to = memorySpace(static_cast<std::int64_t>(numbers));
    if (!from.valid() || !to.valid() ||
        H5Dread(handle.id(), type.id(), to.id(), from.id(), H5P_DEFAULT, into.data()) < 0)
        return hdf5Error(m_path, dataset, "reading");
    return {};
}

namespace
{

/// Memory for strings of any length, which HDF5 asks for one by one. It ends with this: of a reading that fails half way
/// HDF5 hands out nothing, and gives nothing back.
class StringMemory
{
public:
    explicit StringMemory(std::uint64_t mostBytes) : m_left(mostBytes) {}

    [[nodiscard]] bool isUsedUp() const { return m_isUsedUp; }

    static void* take(std::size_t bytes, void* memory)
    {
        auto& from = *static_cast<StringMemory*>(memory);
        from.m_isUsedUp = from.m_isUsedUp || bytes > from.m_left;
        if (from.m_isUsedUp)
            return nullptr; // HDF5 gives up
        from.m_left -= bytes;
        try
        {
            return from.room(bytes);
        }
        catch (const std::bad_alloc&)
        {
            return nullptr;
        }
    }
    static void give(void* /*bytes*/, void* /*memory*/) {}

private:
    char* room(std::size_t bytes)
    {
        constexpr std::size_t kBlock = std::size_t{64} << 10;
        if (bytes > m_rest.size())
        {
            const std::size_t size = std::max(bytes, kBlock);
            m_blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
            m_rest = {m_blocks.back().get(), size};
        }
        char* const begin = m_rest.data();
        m_rest = m_rest.subspan(bytes);
        return begin;
    }

    std::uint64_t m_left;
    bool m_isUsedUp = false;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::span<char> m_rest; ///< of the last block
};

Error textsTooLong(const std::filesystem::path& path, const std::string& dataset, std::uint64_t mostBytes)
{
    return {ErrorCode::BadFormat, fmt::format("expected texts of at most {} bytes in total, found more", mostBytes),
            path.string(), dataset};
}

} // namespace

Result<std::vector<std::string>> Hdf5Objects::stringsAsTheyLie(const std::string& dataset, std::int64_t begin,
                                                               std::int64_t count, std::uint64_t mostBytes) const
{
    const Hdf5Guard guard;
    HEADSCOPE_TRY(const DatasetInfo info, describe(dataset));
    if (!info.text || info.shape.size() != 1 || begin < 0 || count < 0 || count > info.rows() ||
        begin > info.rows() - count)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} strings from row {}, found {}", count, begin, info.describe()),
                     m_path.string(), dataset};
    std::vector<std::string> values;
    if (count == 0)
        return values;
    HEADSCOPE_TRY(const Hdf5Handle handle, openDataset(dataset));
    const Hdf5Handle type(H5Dget_type(handle.id()), H5Tclose);
    const Hdf5Handle from = rowSpace(handle.id(), info.shape, begin, count);
    const Hdf5Handle to = memorySpace(count);
    const auto size = static_cast<std::size_t>(count);
    try
    {
        values.resize(size);
        if (H5Tis_variable_str(type.id()) > 0)
        {
            std::vector<char*> pointers(size, nullptr);
            StringMemory memory(mostBytes);
            const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
            const bool read =
                from.valid() &&
                H5Pset_vlen_mem_manager(transfer.id(), StringMemory::take, &memory, StringMemory::give, &memory) >= 0 &&
                H5Dread(handle.id(), type.id(), to.id(), from.id(), transfer.id(),
                        static_cast<void*>(pointers.data())) >= 0;
            if (!read)
                return memory.isUsedUp() ? textsTooLong(m_path, dataset, mostBytes)
                                         : hdf5Error(m_path, dataset, "reading");
            for (std::size_t i = 0; i < size; ++i)
                if (pointers[i] != nullptr)
                    values[i] = pointers[i];
            return values;
        }
        const std::size_t width = H5Tget_size(type.id());
        if (width > mostBytes / std::max<std::size_t>(1, size))
            return textsTooLong(m_path, dataset, mostBytes);
        std::vector<char> buffer(size * width);
        if (!from.valid() || H5Dread(handle.id(), type.id(), to.id(), from.id(), H5P_DEFAULT, buffer.data()) < 0)
            return hdf5Error(m_path, dataset, "reading");
        for (std::size_t i = 0; i < size; ++i)
        {
            const char* first = buffer.data() + i * width;
            values[i].assign(first, std::find(first, first + width, '\0'));
        }
        return values;
    }
    catch (const std::bad_alloc&)
    {
        return outOfMemory(m_path, dataset, size * sizeof(std::string));
    }
}

} // namespace headscope
