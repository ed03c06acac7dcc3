// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden_file.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace headscope::test
{
namespace
{

constexpr hid_t kWholeSpace = 0; // H5S_ALL, whose macro holds an old-style cast

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what)
{
    std::fprintf(stderr, "golden file %s: cannot read %s\n", path.c_str(), what.c_str());
    std::exit(1);
}

template <class T>
std::vector<T> readAll(std::int64_t file, const std::filesystem::path& path, const std::string& name, hid_t type)
{
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    if (dataset < 0)
        fail(path, name);
    const hid_t space = H5Dget_space(dataset);
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (!values.empty() && H5Dread(dataset, type, kWholeSpace, kWholeSpace, H5P_DEFAULT, values.data()) < 0)
        fail(path, name);
    H5Sclose(space);
    H5Dclose(dataset);
    return values;
}

} // namespace

GoldenFile::GoldenFile(const std::filesystem::path& path) : m_path(path)
{
    m_file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (m_file < 0)
        fail(path, "the file");
}

GoldenFile::~GoldenFile()
{
    H5Fclose(m_file);
}

bool GoldenFile::has(const std::string& dataset) const
{
    std::string partial;
    std::size_t from = 0;
    while (from < dataset.size())
    {
        const auto slash = dataset.find('/', from);
        const auto piece = dataset.substr(from, slash == std::string::npos ? slash : slash - from);
        from = slash == std::string::npos ? dataset.size() : slash + 1;
        if (piece.empty())
            continue;
        partial += "/" + piece;
        if (H5Lexists(m_file, partial.c_str(), H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

std::vector<std::int64_t> GoldenFile::shape(const std::string& dataset) const
{
    const hid_t id = H5Dopen2(m_file, dataset.c_str(), H5P_DEFAULT);
    if (id < 0)
        fail(m_path, dataset);
    const hid_t space = H5Dget_space(id);
    std::vector<hsize_t> dims(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    H5Sclose(space);
    H5Dclose(id);
    return {dims.begin(), dims.end()};
}

std::vector<float> GoldenFile::floats(const std::string& dataset) const
{
    return readAll<float>(m_file, m_path, dataset, H5T_NATIVE_FLOAT);
}

std::vector<double> GoldenFile::doubles(const std::string& dataset) const
{
    return readAll<double>(m_file, m_path, dataset, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> GoldenFile::integers(const std::string& dataset) const
{
    return readAll<std::int64_t>(m_file, m_path, dataset, H5T_NATIVE_INT64);
}

std::vector<std::uint8_t> GoldenFile::bytes(const std::string& dataset) const
{
    return readAll<std::uint8_t>(m_file, m_path, dataset, H5T_NATIVE_UINT8);
}

std::vector<std::string> GoldenFile::strings(const std::string& dataset) const
{
    const hid_t id = H5Dopen2(m_file, dataset.c_str(), H5P_DEFAULT);
    if (id < 0)
        fail(m_path, dataset);
    const hid_t type = H5Dget_type(id);
    const bool variable = H5Tis_variable_str(type) > 0;
    const std::size_t width = H5Tget_size(type);
    const hid_t space = H5Dget_space(id);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    std::vector<std::string> result(count);
    if (variable && count > 0)
    {
        std::vector<char*> pointers(count);
        H5Dread(id, type, kWholeSpace, kWholeSpace, H5P_DEFAULT, pointers.data());
        for (std::size_t i = 0; i < count; ++i)
            result[i] = pointers[i] != nullptr ? pointers[i] : "";
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    }
    else if (count > 0)
    {
        std::vector<char> buffer(count * width);
        H5Dread(id, type, kWholeSpace, kWholeSpace, H5P_DEFAULT, buffer.data());
        for (std::size_t i = 0; i < count; ++i)
            result[i].assign(&buffer[i * width], std::find(&buffer[i * width], &buffer[i * width] + width, '\0'));
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(id);
    return result;
}

std::vector<std::string> GoldenFile::names(const std::string& group) const
{
    std::vector<std::string> result;
    const hid_t id = H5Gopen2(m_file, group.c_str(), H5P_DEFAULT);
    if (id < 0)
        fail(m_path, group);
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
    };
    H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &result);
    H5Gclose(id);
    return result;
}

bool GoldenFile::hasAttribute(const std::string& object, const std::string& attribute) const
{
    return H5Aexists_by_name(m_file, object.c_str(), attribute.c_str(), H5P_DEFAULT) > 0;
}

double GoldenFile::number(const std::string& object, const std::string& attribute) const
{
    const hid_t id = H5Aopen_by_name(m_file, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    double value = 0;
    if (id < 0 || H5Aread(id, H5T_NATIVE_DOUBLE, &value) < 0)
        fail(m_path, object + "@" + attribute);
    H5Aclose(id);
    return value;
}

std::string GoldenFile::text(const std::string& object, const std::string& attribute) const
{
    const hid_t id = H5Aopen_by_name(m_file, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0)
        fail(m_path, object + "@" + attribute);
    const hid_t type = H5Aget_type(id);
    std::string value;
    if (H5Tis_variable_str(type) > 0)
    {
        char* pointer = nullptr;
        H5Aread(id, type, &pointer);
        value = pointer != nullptr ? pointer : "";
        H5free_memory(pointer);
    }
    else
    {
        std::vector<char> buffer(H5Tget_size(type) + 1, '\0');
        H5Aread(id, type, buffer.data());
        value = buffer.data();
    }
    H5Tclose(type);
    H5Aclose(id);
    return value;
}

double relmax(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (const double value : b)
        largest = std::max(largest, std::abs(value));
    const double difference = absmax(a, b);
    return difference == 0 ? 0 : difference / largest;
}

double absmax(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double difference = std::abs(a[i] - b[i]);
        if (!(difference <= largest)) // NaN counts as the largest difference
            largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    }
    return largest;
}

} // namespace headscope::test
