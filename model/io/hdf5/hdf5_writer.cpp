// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_writer.h"

#include "model/base/assert.h"
#include "model/base/file.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_guard.h"
#include "model/io/hdf5/hdf5_types.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace headscope
{
namespace
{

constexpr hid_t kWholeSpace = 0; // H5S_ALL, whose macro holds an old-style cast

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// HDF5 strings end at NUL; the symbol for NUL stands in its place.
std::string withoutNul(const std::string& text)
{
    std::string clean;
    for (const char c : text)
    {
        if (c == '\0')
            clean += "\xe2\x90\x80"; // U+2400
        else
            clean += c;
    }
    return clean;
}

Hdf5Handle groupsAbove()
{
    Hdf5Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(properties.id(), 1);
    H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8);
    return properties;
}

Hdf5Handle spaceOf(std::span<const std::int64_t> shape)
{
    const std::vector<hsize_t> extents(shape.begin(), shape.end());
    return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

} // namespace

Hdf5Writer::Hdf5Writer(std::filesystem::path target, std::filesystem::path part, Hdf5Handle file)
    : m_target(std::move(target)), m_part(std::move(part)), m_file(std::move(file))
{}

Hdf5Writer::~Hdf5Writer()
{
    if (m_part.empty()) // moved from, or published
        return;
    const Hdf5Guard guard;
    dropHandles();
    ::unlink(m_part.c_str());
}

void Hdf5Writer::dropHandles()
{
    m_datasets.clear();
    m_file.close();
}

Result<Hdf5Writer> Hdf5Writer::create(const std::filesystem::path& target)
{
    const Hdf5Guard guard;
    const auto part = partPath(target);
    std::error_code ignored;
    const bool another = std::filesystem::exists(part, ignored); // of a writer that is at it
    Hdf5Handle file(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!file.valid())
    {
        Error error = hdf5Error(target, {}, "creating");
        if (error.code == ErrorCode::BadFormat)
            error.code = ErrorCode::Resource;
        if (!another)
            ::unlink(part.c_str());             // a full disk takes a name, and then not its first bytes
        HEADSCOPE_CHECK(checkFolderOf(target)); // else it would be said that the file is not there
        return error;
    }
    return Hdf5Writer(target, part, std::move(file));
}

Result<Hdf5Writer> Hdf5Writer::copyOf(const std::filesystem::path& target)
{
    const auto part = partPath(target);
    HEADSCOPE_TRY(const File existing, File::openForReading(target));
    HEADSCOPE_CHECK(checkFreeSpace(target, existing.size()));
    std::error_code failed;
    std::filesystem::copy_file(target, part, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed)
    {
        // HDF5 does not know of the seal behind its data; what is written now gets a new one.
        HEADSCOPE_TRY(const std::uint64_t size, sizeWithoutSeal(target));
        std::filesystem::resize_file(part, size, failed);
    }
    const Hdf5Guard guard;
    Hdf5Handle file;
    if (!failed)
        file = Hdf5Handle(H5Fopen(part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    if (!file.valid())
    {
        Error error = failed ? systemError(failed.value(), target, "copying") : hdf5Error(target, {}, "opening");
        ::unlink(part.c_str());
        return error;
    }
    return Hdf5Writer(target, part, std::move(file));
}

Status Hdf5Writer::fail(const std::string& place, const char* doing)
{
    if (!m_failed)
    {
        m_failed = hdf5Error(m_target, place, doing);
        // While writing, what HDF5 refuses for no reason of the system's is ours or the disk's, not the data's.
        if (m_failed->code == ErrorCode::BadFormat)
            m_failed->code = ErrorCode::Resource;
    }
    return *m_failed;
}

Status Hdf5Writer::makeGroup(const std::string& group)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    std::size_t end = 0;
    while (end != std::string::npos)
    {
        end = group.find('/', end + 1);
        const std::string piece = group.substr(0, end);
        if (H5Lexists(m_file.id(), piece.c_str(), H5P_DEFAULT) > 0)
            continue;
        const Hdf5Handle handle(H5Gcreate2(m_file.id(), piece.c_str(), groupsAbove().id(), H5P_DEFAULT, H5P_DEFAULT),
                                H5Gclose);
        if (!handle.valid())
            return fail(group, "creating the group");
    }
    return {};
}

bool Hdf5Writer::closeDatasets()
{
    bool closed = true;
    for (auto& [name, open] : m_datasets)
        closed = open.handle.close() && closed;
    m_datasets.clear();
    return closed;
}

Status Hdf5Writer::remove(const std::string& object)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    if (!closeDatasets())
        return fail(object, "writing what was open");
    const auto slash = object.rfind('/');
    if (slash > 0 && H5Lexists(m_file.id(), object.substr(0, slash).c_str(), H5P_DEFAULT) <= 0)
        return {};
    if (H5Lexists(m_file.id(), object.c_str(), H5P_DEFAULT) > 0 &&
        H5Ldelete(m_file.id(), object.c_str(), H5P_DEFAULT) < 0)
        return fail(object, "removing");
    return {};
}

Status Hdf5Writer::createDataset(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    const Hdf5Handle space = spaceOf(shape);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER); // every row is written: no zeros first
    const Hdf5Handle numberType = fileType(type);
    Hdf5Handle handle(H5Dcreate2(m_file.id(), dataset.c_str(), numberType.id(), space.id(), groupsAbove().id(),
                                 properties.id(), H5P_DEFAULT),
                      H5Dclose);
    if (!handle.valid())
        return fail(dataset, "creating the dataset");
    m_datasets[dataset] = {std::move(handle), {shape.begin(), shape.end()}, type};
    if (type == NumberType::Bf16)
        return setAttribute(dataset, "dtype", std::string("bfloat16"));
    return {};
}

Status Hdf5Writer::writeRows(const std::string& dataset, std::int64_t begin, std::int64_t count,
                             std::span<const std::byte> from)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    const auto found = m_datasets.find(dataset);
    HEADSCOPE_ASSERT(found != m_datasets.end());
    if (from.empty())
        return {};
    const OpenDataset& open = found->second;
    std::vector<hsize_t> start(open.shape.size(), 0);
    std::vector<hsize_t> extent(open.shape.begin(), open.shape.end());
    start[0] = static_cast<hsize_t>(begin);
    extent[0] = static_cast<hsize_t>(count);
    const Hdf5Handle to = spaceOf(open.shape);
    const auto numbers = static_cast<hsize_t>(from.size() / numberBytes(open.type));
    const Hdf5Handle memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose);
    const Hdf5Handle type = memoryType(open.type);
    if (H5Sselect_hyperslab(to.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
        H5Dwrite(open.handle.id(), type.id(), memory.id(), to.id(), H5P_DEFAULT, from.data()) < 0)
        return fail(dataset, "writing");
    return {};
}

Status Hdf5Writer::write(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                         std::span<const std::byte> from)
{
    HEADSCOPE_CHECK(createDataset(dataset, shape, type));
    return writeRows(dataset, 0, shape.front(), from);
}

Status Hdf5Writer::writeStrings(const std::string& dataset, std::span<const std::string> values)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    const auto extent = static_cast<hsize_t>(values.size());
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Hdf5Handle type = textType();
    Hdf5Handle handle(
        H5Dcreate2(m_file.id(), dataset.c_str(), type.id(), space.id(), groupsAbove().id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (!handle.valid())
        return fail(dataset, "creating the dataset");
    std::vector<std::string> replaced; // owns the few strings that held NUL
    replaced.reserve(static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [](const auto& v) { return v.find('\0') != std::string::npos; })));
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& value : values)
    {
        if (value.find('\0') != std::string::npos)
            pointers.push_back(replaced.emplace_back(withoutNul(value)).c_str());
        else
            pointers.push_back(value.c_str());
    }
    if (!values.empty() && H5Dwrite(handle.id(), type.id(), kWholeSpace, kWholeSpace, H5P_DEFAULT,
                                    static_cast<const void*>(pointers.data())) < 0)
        return fail(dataset, "writing");
    // Its last bytes are written now, and a disk that is full for a moment is heard of here alone.
    return handle.close() ? Status() : fail(dataset, "writing");
}

Status Hdf5Writer::writeAttribute(const std::string& object, const std::string& name, Hdf5Id type, const void* value)
{
    if (m_failed)
        return *m_failed;
    const Hdf5Handle owner(H5Oopen(m_file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    if (owner.valid() && H5Aexists(owner.id(), name.c_str()) > 0 && H5Adelete(owner.id(), name.c_str()) < 0)
        return fail(object, "replacing the attribute");
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(
        owner.valid() ? H5Acreate2(owner.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT) : -1,
        H5Aclose);
    if (!attribute.valid() || H5Awrite(attribute.id(), type, value) < 0)
        return fail(object + "@" + name, "writing the attribute");
    return {};
}

Status Hdf5Writer::setAttribute(const std::string& object, const std::string& name, const std::string& value)
{
    const Hdf5Guard guard;
    const std::string clean = withoutNul(value);
    const char* text = clean.c_str();
    const Hdf5Handle type = textType();
    return writeAttribute(object, name, type.id(), static_cast<const void*>(&text));
}

Status Hdf5Writer::setAttribute(const std::string& object, const std::string& name, std::int64_t value)
{
    const Hdf5Guard guard;
    const Hdf5Handle type = fileType(NumberType::I64);
    return writeAttribute(object, name, type.id(), &value);
}

Status Hdf5Writer::setAttribute(const std::string& object, const std::string& name, double value)
{
    const Hdf5Guard guard;
    const Hdf5Handle type = fileType(NumberType::F64);
    return writeAttribute(object, name, type.id(), &value);
}

Status Hdf5Writer::setListAttribute(const std::string& object, const std::string& name,
                                    std::span<const std::string> values)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    std::vector<std::string> clean;
    std::transform(values.begin(), values.end(), std::back_inserter(clean), withoutNul);
    std::vector<const char*> pointers;
    for (const std::string& value : clean)
        pointers.push_back(value.c_str());
    const auto extent = static_cast<hsize_t>(values.size());
    const Hdf5Handle owner(H5Oopen(m_file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Hdf5Handle type = textType();
    const Hdf5Handle attribute(
        owner.valid() ? H5Acreate2(owner.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT) : -1,
        H5Aclose);
    if (!attribute.valid() ||
        (!values.empty() && H5Awrite(attribute.id(), type.id(), static_cast<const void*>(pointers.data())) < 0))
        return fail(object, "writing the attribute");
    return {};
}

Result<std::filesystem::path> Hdf5Writer::finish()
{
    const Hdf5Guard guard;
    const bool closed = closeDatasets();
    // Buffered bytes reach the disk here: a full disk shows in the flush, while closing hides it.
    const bool flushed = !m_file.valid() || H5Fflush(m_file.id(), H5F_SCOPE_GLOBAL) >= 0;
    if (!closed || !flushed)
        static_cast<void>(fail({}, "writing the last buffers"));
    if (!m_file.close())
        static_cast<void>(fail({}, "closing"));
    if (m_failed)
    {
        ::unlink(m_part.c_str());
        return *m_failed;
    }
    return m_part;
}

Status Hdf5Writer::reopen()
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    m_file = Hdf5Handle(H5Fopen(m_part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    return m_file.valid() ? Status{} : fail({}, "opening the part file again");
}

Status Hdf5Writer::publish(const std::function<Status(const std::filesystem::path&)>& beforeRename)
{
    HEADSCOPE_TRY(const std::filesystem::path part, finish());
    if (beforeRename)
        HEADSCOPE_CHECK(beforeRename(part));
    m_part.clear(); // publishFile removes the part file where it fails
    return publishFile(part, m_target);
}

std::string diskFullText(std::uint64_t needed, std::uint64_t available)
{
    const auto exact = [](std::uint64_t bytes) { return fmt::format("{} bytes", bytes); };
    const auto text = [&exact](std::uint64_t bytes) {
        constexpr std::array<std::string_view, 4> kUnits = {"kB", "MB", "GB", "TB"};
        if (bytes < 1000)
            return exact(bytes);
        double value = static_cast<double>(bytes) / 1000;
        std::size_t unit = 0;
        for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit)
            value /= 1000;
        return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
    };
    const bool alike = text(needed) == text(available); // too near for three digits
    return fmt::format("disk full: {} needed, {} free", alike ? exact(needed) : text(needed),
                       alike ? exact(available) : text(available));
}

Status checkFreeSpace(const std::filesystem::path& target, std::uint64_t bytes)
{
    struct statvfs info = {};
    if (::statvfs(folderOf(target).c_str(), &info) != 0)
        return systemError(errno, folderOf(target), "asking for free space");
    const auto available = std::uint64_t{info.f_bavail} * std::uint64_t{info.f_frsize};
    const std::uint64_t needed = bytes + bytes / 10;
    if (available < needed)
        return Error{ErrorCode::Resource, diskFullText(needed, available), target.string(), {}};
    return {};
}

} // namespace headscope
