// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_writer.h"

#include "model/base/assert.h"
#include "model/base/file.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_file.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_guard.h"
#include "model/io/hdf5/hdf5_open.h"
#include "model/io/hdf5/hdf5_types.h"

#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace headscope
{
namespace
{

constexpr hid_t kWholeSpace = 0; // H5S_ALL, whose macro holds an old-style cast

Hdf5Handle groupsAbove()
{
    Hdf5Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    if (H5Pset_create_intermediate_group(properties.id(), 1) < 0 ||
        H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8) < 0)
        return {};
    return properties;
}

/// What a new dataset has in its place in the file.
enum class Room
{
    Filled,   ///< zeros, where nothing is written
    Late,     ///< a place once something is written
    Reserved, ///< a place at once, and anything in it
};

/// For a dataset that holds no time at which it was made: the same content gives the same bytes.
Hdf5Handle withoutTimes(Room room)
{
    Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (H5Pset_obj_track_times(properties.id(), false) < 0 ||
        (room != Room::Filled && H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER) < 0) ||
        (room == Room::Reserved && H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY) < 0))
        return {};
    return properties;
}

Hdf5Handle spaceOf(std::span<const std::int64_t> shape)
{
    const std::vector<hsize_t> extents(shape.begin(), shape.end());
    return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

} // namespace

Hdf5Writer::Hdf5Writer(OutputFile output, Hdf5Handle file) : m_output(std::move(output)), m_file(std::move(file)) {}

Hdf5Writer::~Hdf5Writer()
{
    if (!m_file.valid() && m_datasets.empty()) // moved from, or published
        return;
    const Hdf5Guard guard;
    dropHandles();
}

void Hdf5Writer::dropHandles()
{
    m_datasets.clear();
    m_file.close();
}

Result<Hdf5Writer> Hdf5Writer::create(const std::filesystem::path& target)
{
    HEADSCOPE_TRY(OutputFile output, OutputFile::create(target));
    return create(std::move(output));
}

Result<Hdf5Writer> Hdf5Writer::create(OutputFile output)
{
    return openIn(std::move(output), OwnPart::Create, "creating");
}

Result<Hdf5Writer> Hdf5Writer::goOn(OutputFile output)
{
    return openIn(std::move(output), OwnPart::Change, "opening the part file again");
}

Result<Hdf5Writer> Hdf5Writer::openIn(OutputFile output, OwnPart how, const char* doing)
{
    const Hdf5Guard guard;
    Hdf5Handle file = openOwnPartForWriting(output.part(), how);
    if (!file.valid())
    {
        Error error = hdf5Error(output.target(), {}, doing);
        if (error.code == ErrorCode::BadFormat)
            error.code = ErrorCode::Resource;
        return error;
    }
    return Hdf5Writer(std::move(output), std::move(file));
}

Result<Hdf5Writer> Hdf5Writer::copyOf(const std::filesystem::path& target, JobContext& job)
{
    HEADSCOPE_TRY(const CheckedHdf5 checked, checkHdf5(target, job));
    HEADSCOPE_TRY(const File existing, File::openForReading(target));
    HEADSCOPE_CHECK(checkFreeSpace(target, existing.size()));
    // HDF5 does not know of the seal behind its data; what is written now gets a new one.
    HEADSCOPE_TRY(const std::uint64_t size, sizeWithoutSeal(target));
    HEADSCOPE_TRY(OutputFile output, OutputFile::create(target));
    HEADSCOPE_CHECK(output.writeCopyOf(existing, size));
    HEADSCOPE_CHECK(checkUnchanged(target, checked.stamp));
    const Hdf5Guard guard;
    Hdf5Handle file = openOwnPartForWriting(output.part(), OwnPart::Change);
    if (!file.valid())
        return hdf5Error(target, {}, "opening");
    return Hdf5Writer(std::move(output), std::move(file));
}

Status Hdf5Writer::fail(const std::string& place, const char* doing)
{
    if (!m_failed)
    {
        m_failed = hdf5Error(m_output.target(), place, doing);
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
        const Hdf5Handle above = groupsAbove();
        Hdf5Handle handle(H5Gcreate2(m_file.id(), piece.c_str(), above.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        if (!handle.valid() || !handle.close())
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
        return fail(object, "writing pending data");
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
    const Hdf5Handle properties = withoutTimes(Room::Late); // every row is written: no zeros first
    return addDataset(dataset, shape, type, properties);
}

Result<std::uint64_t> Hdf5Writer::reserveDataset(const std::string& dataset, std::span<const std::int64_t> shape,
                                                 NumberType type)
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    const Hdf5Handle properties = withoutTimes(Room::Reserved);
    HEADSCOPE_CHECK(addDataset(dataset, shape, type, properties));
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    const haddr_t place = empty ? 0 : H5Dget_offset(m_datasets.at(dataset).handle.id());
    constexpr auto kNowhere = static_cast<haddr_t>(-1); // HADDR_UNDEF, whose macro holds an old-style cast
    if (place == kNowhere)
        return Error(fail(dataset, "reading the position of the dataset").error());
    return std::uint64_t{place};
}

/// Under a guard, where nothing has failed.
Status Hdf5Writer::addDataset(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                              const Hdf5Handle& properties)
{
    const Hdf5Handle space = spaceOf(shape);
    const Hdf5Handle numberType = fileType(type);
    const Hdf5Handle above = groupsAbove();
    Hdf5Handle handle(
        H5Dcreate2(m_file.id(), dataset.c_str(), numberType.id(), space.id(), above.id(), properties.id(), H5P_DEFAULT),
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
    const OpenDataset& open = found->second;
    const auto row = std::accumulate(open.shape.begin() + 1, open.shape.end(), std::int64_t{1}, std::multiplies());
    HEADSCOPE_EXPECT(from.size() == static_cast<std::size_t>(count * row) * numberBytes(open.type),
                     return fail(dataset, "writing a wrong number of values"));
    if (from.empty())
        return {};
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
    const Hdf5Handle properties = withoutTimes(Room::Filled);
    const Hdf5Handle above = groupsAbove();
    Hdf5Handle handle(
        H5Dcreate2(m_file.id(), dataset.c_str(), type.id(), space.id(), above.id(), properties.id(), H5P_DEFAULT),
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
        m_output.discard();
        return *m_failed;
    }
    return m_output.part();
}

Result<OutputFile> Hdf5Writer::handOver()
{
    HEADSCOPE_TRY(const std::filesystem::path part, finish());
    return std::move(m_output);
}

Status Hdf5Writer::reopen()
{
    const Hdf5Guard guard;
    if (m_failed)
        return *m_failed;
    m_file = openOwnPartForWriting(m_output.part(), OwnPart::Change);
    return m_file.valid() ? Status{} : fail({}, "opening the part file again");
}

Status Hdf5Writer::publish(const std::function<Status(const std::filesystem::path&)>& beforeRename)
{
    HEADSCOPE_TRY(const std::filesystem::path part, finish());
    if (beforeRename)
        HEADSCOPE_CHECK(beforeRename(part));
    HEADSCOPE_TRY(const DiskStamp written, diskStampOf(part));
    HEADSCOPE_CHECK(m_output.publish());
    trustWritten(m_output.target(), written);
    return {};
}

} // namespace headscope
