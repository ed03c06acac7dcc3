// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/check/dataset_check.h"

#include "model/io/check/guarded_memory.h"
#include "model/io/check/hdf5_reason.h"
#include "model/io/check/time_limit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace headscope::check
{

struct DatasetCheck::Opened
{
    Opened(hid_t file, const std::string& name)
        : path(name), dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose),
          properties(H5Dget_create_plist(dataset.id()), H5Pclose), type(H5Dget_type(dataset.id()), H5Tclose)
    {}

    /// Extents and size. Not where the numbers are in other files: asking for the extents may open those.
    [[nodiscard]] bool measure(Finding& finding);
    [[nodiscard]] std::uint64_t bytes() const { return points * typeBytes; }

    std::string path;
    Closing dataset;
    Closing properties;
    Closing type;
    std::vector<hsize_t> extents;
    std::uint64_t points = 1;
    std::uint64_t typeBytes = 0;
};

namespace
{

constexpr std::uint64_t kPieceBytes = std::uint64_t{8} << 20;
constexpr hsize_t kStringsAtOnce = 16'384;
constexpr std::uint64_t kDeflateLimit = 1100; ///< as Hdf5Reader: what compression can gain at most

bool isElsewhere(hid_t properties)
{
    return H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) > 0;
}

/// Whether all filters of a dataset are there; without one its numbers cannot be read here, which is no damage.
bool filtersAreThere(hid_t properties, bool& there)
{
    const int filters = H5Pget_nfilters(properties);
    there = true;
    for (int i = 0; i < filters; ++i)
    {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter < 0)
            return false;
        there = there && H5Zfilter_avail(filter) > 0;
    }
    return filters >= 0;
}

void* plainText(std::size_t size, void*)
{
    return plainBlock(size);
}

void freeText(void* text, void*)
{
    std::free(text);
}

bool refuse(Finding& finding, const std::string& place, const std::string& reason)
{
    finding = {Finding::Kind::Damaged, 0, place, reason};
    return false;
}

bool fails(Finding& finding, const std::string& place, const std::string& doing)
{
    finding = findingOf(place, doing);
    return false;
}

/// Moves `start` to the next piece of a grid of such pieces; false behind the last.
bool nextPiece(std::vector<hsize_t>& start, const std::vector<hsize_t>& piece, const std::vector<hsize_t>& extents)
{
    for (std::size_t d = start.size(); d-- > 0;)
    {
        start[d] += piece[d];
        if (start[d] < extents[d])
            return true;
        start[d] = 0;
    }
    return false;
}

} // namespace

bool DatasetCheck::Opened::measure(Finding& finding)
{
    const auto fail = [&] { return fails(finding, path, "reading the shape"); };
    const Closing space(H5Dget_space(dataset.id()), H5Sclose);
    const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (rank < 0)
        return fail();
    extents.resize(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr) < 0)
        return fail();
    typeBytes = H5Tget_size(type.id());
    if (typeBytes == 0)
        return fail();
    points = H5Sget_simple_extent_type(space.id()) == H5S_NULL ? 0 : 1;
    for (const hsize_t extent : extents)
    {
        if (extent != 0 && points > std::numeric_limits<std::uint64_t>::max() / typeBytes / extent)
            return refuse(finding, path, "expected a shape that fits into a file, found a larger one");
        points *= extent;
    }
    return true;
}

bool DatasetCheck::check(hid_t file, const std::string& path, Finding& finding)
{
    Opened dataset(file, path);
    if (!dataset.dataset.valid() || !dataset.properties.valid() || !dataset.type.valid())
        return fails(finding, path, "opening the dataset");
    if (isElsewhere(dataset.properties.id())) // its numbers are never read
        return true;
    if (!dataset.measure(finding))
        return false;
    bool readable = true;
    if (!filtersAreThere(dataset.properties.id(), readable))
        return fails(finding, path, "reading the filters");
    const H5T_class_t kind = H5Tget_class(dataset.type.id());
    if (kind == H5T_NO_CLASS)
        return fails(finding, path, "reading the type");
    const bool isText = kind == H5T_STRING;
    const bool isNumber = kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
    const std::uint64_t room = H5Pget_layout(dataset.properties.id()) == H5D_CHUNKED
                                   ? std::max(m_fileBytes, m_fileBytes * kDeflateLimit)
                                   : m_fileBytes;
    // What the file cannot hold is refused when it is asked for, and never read.
    if (!readable || !(isText || isNumber) || dataset.points == 0 || dataset.bytes() > room)
        return true;
    if (!keepPlace(dataset, finding))
        return false;
    return isText ? readStrings(dataset, finding) : readNumbers(dataset, finding);
}

bool DatasetCheck::keepPlace(const Opened& dataset, Finding& finding)
{
    const haddr_t offset = H5Dget_offset(dataset.dataset.id());
    const std::uint64_t size = H5Dget_storage_size(dataset.dataset.id());
    if (H5Pget_layout(dataset.properties.id()) != H5D_CONTIGUOUS || offset == HADDR_UNDEF)
        return true;
    // A text of any length is a reference in the file, of another size than in memory.
    const bool isReference = H5Tis_variable_str(dataset.type.id()) > 0;
    if ((!isReference && size != dataset.bytes()) || offset > m_fileBytes || size > m_fileBytes - offset)
        return refuse(finding, dataset.path,
                      "expected " + std::to_string(dataset.bytes()) + " bytes within the file, found " +
                          std::to_string(size) + " from byte " + std::to_string(offset));
    H5O_info_t info = {};
    if (H5Oget_info2(dataset.dataset.id(), &info, H5O_INFO_BASIC) < 0)
        return fails(finding, dataset.path, "reading its position");
    const auto [known, isNew] = m_regions.try_emplace(offset, Region{size, dataset.path, info.addr});
    return isNew || known->second.object == info.addr ||
           refuse(finding, dataset.path, "expected its own data, found the data of " + known->second.path);
}

bool DatasetCheck::checkPlaces(Finding& finding) const
{
    std::uint64_t end = 0;
    const Region* before = nullptr;
    for (const auto& [offset, region] : m_regions)
    {
        if (before != nullptr && offset < end)
            return refuse(finding, region.path, "expected its own data, found the data of " + before->path);
        end = offset + region.size;
        before = &region;
    }
    return true;
}

bool DatasetCheck::readPiece(const Opened& dataset, const std::vector<hsize_t>& start,
                             const std::vector<hsize_t>& extent, Finding& finding) const
{
    hsize_t points = 1;
    for (const hsize_t each : extent)
        points *= each;
    const Closing from(H5Dget_space(dataset.dataset.id()), H5Sclose);
    const Closing to(H5Screate_simple(1, &points, nullptr), H5Sclose);
    allowTime(points * dataset.typeBytes);
    std::vector<std::byte> values(points * dataset.typeBytes);
    if (!from.valid() || !to.valid() ||
        (!extent.empty() &&
         H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0) ||
        H5Dread(dataset.dataset.id(), dataset.type.id(), to.id(), from.id(), H5P_DEFAULT, values.data()) < 0)
        return fails(finding, dataset.path, "reading");
    return true;
}

bool DatasetCheck::readChunks(const Opened& dataset, Finding& finding) const
{
    const std::size_t rank = dataset.extents.size();
    std::vector<hsize_t> piece(rank);
    if (H5Pget_chunk(dataset.properties.id(), static_cast<int>(rank), piece.data()) != static_cast<int>(rank))
        return fails(finding, dataset.path, "reading the size of the chunks");
    std::uint64_t bytes = dataset.typeBytes;
    for (const hsize_t extent : piece)
        bytes *= std::max<hsize_t>(extent, 1);
    // Several chunks at once, and no chunk twice.
    for (std::size_t d = rank; d-- > 0 && bytes < kPieceBytes;)
    {
        const hsize_t chunk = std::max<hsize_t>(piece[d], 1);
        const hsize_t wanted = (dataset.extents[d] + chunk - 1) / chunk;
        const hsize_t times = std::clamp<hsize_t>(kPieceBytes / bytes, 1, std::max<hsize_t>(wanted, 1));
        piece[d] = chunk * times;
        bytes *= times;
    }
    std::vector<hsize_t> start(rank, 0);
    do
    {
        std::vector<hsize_t> extent(rank);
        for (std::size_t d = 0; d < rank; ++d)
            extent[d] = std::min(piece[d], dataset.extents[d] - start[d]);
        if (!readPiece(dataset, start, extent, finding))
            return false;
    } while (nextPiece(start, piece, dataset.extents));
    return true;
}

bool DatasetCheck::probe(const Opened& dataset, Finding& finding) const
{
    const std::array types = {H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT8,  H5T_NATIVE_UINT8,
                              H5T_NATIVE_INT16, H5T_NATIVE_UINT16, H5T_NATIVE_INT32, H5T_NATIVE_UINT32,
                              H5T_NATIVE_INT64, H5T_NATIVE_UINT64, dataset.type.id()};
    std::vector<hsize_t> last(dataset.extents);
    for (hsize_t& at : last)
        --at;
    const std::vector<hsize_t> first(last.size(), 0);
    const std::vector<hsize_t> one(last.size(), 1);
    const hsize_t point = 1;
    for (const std::vector<hsize_t>& place : {first, last})
    {
        const Closing from(H5Dget_space(dataset.dataset.id()), H5Sclose);
        const Closing to(H5Screate_simple(1, &point, nullptr), H5Sclose);
        if (!place.empty() &&
            H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, place.data(), nullptr, one.data(), nullptr) < 0)
            return fails(finding, dataset.path, "reading");
        for (const hid_t type : types)
        {
            std::vector<std::byte> value(std::max<std::size_t>(H5Tget_size(type), 8));
            if (H5Dread(dataset.dataset.id(), type, to.id(), from.id(), H5P_DEFAULT, value.data()) < 0)
                return fails(finding, dataset.path, "reading");
        }
    }
    return true;
}

bool DatasetCheck::readNumbers(const Opened& dataset, Finding& finding) const
{
    const bool isTruth = H5Tget_class(dataset.type.id()) == H5T_ENUM; // an enumeration of bytes
    const std::uint64_t size = dataset.typeBytes;
    if ((size != 1 && size != 2 && size != 4 && size != 8) || (isTruth && size != 1))
        return true; // no number that is read
    if (!probe(dataset, finding))
        return false;
    return H5Pget_layout(dataset.properties.id()) != H5D_CHUNKED || readChunks(dataset, finding);
}

bool DatasetCheck::readStrings(const Opened& dataset, Finding& finding)
{
    if (dataset.extents.size() != 1) // a list of strings is read, nothing else
        return true;
    const bool isVariable = H5Tis_variable_str(dataset.type.id()) > 0;
    const Closing transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    if (H5Pset_vlen_mem_manager(transfer.id(), plainText, nullptr, freeText, nullptr) < 0)
        return fails(finding, dataset.path, "reading");
    const hsize_t step =
        isVariable ? kStringsAtOnce : std::max<hsize_t>(1, kPieceBytes / std::max<std::uint64_t>(1, dataset.typeBytes));
    for (hsize_t begin = 0; begin < dataset.points; begin += step)
    {
        const hsize_t count = std::min(step, dataset.points - begin);
        if (!isVariable)
        {
            if (!readPiece(dataset, {begin}, {count}, finding))
                return false;
            continue;
        }
        const Closing from(H5Dget_space(dataset.dataset.id()), H5Sclose);
        const Closing to(H5Screate_simple(1, &count, nullptr), H5Sclose);
        std::vector<char*> texts(count, nullptr);
        allowTime(m_fileBytes);
        const bool read = H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr) >= 0 &&
                          H5Dread(dataset.dataset.id(), dataset.type.id(), to.id(), from.id(), transfer.id(),
                                  static_cast<void*>(texts.data())) >= 0;
        if (!read)
            return fails(finding, dataset.path, "reading");
        for (char* text : texts)
        {
            if (text != nullptr)
                m_textBytes += std::strlen(text);
            std::free(text);
        }
        if (m_textBytes > m_fileBytes) // each string has bytes of its own
            return refuse(finding, dataset.path,
                          "expected texts that fit into a file of " + std::to_string(m_fileBytes) +
                              " bytes, found longer ones");
    }
    return true;
}

} // namespace headscope::check
