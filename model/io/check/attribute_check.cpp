// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/check/dataset_check.h"
#include "model/io/check/hdf5_reason.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headscope::check
{
namespace
{

constexpr std::size_t kLargestValue = std::size_t{1} << 20;

herr_t addName(hid_t, const char* name, const H5A_info_t*, void* data)
{
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
}

bool readText(hid_t attribute, hid_t type)
{
    if (H5Tis_variable_str(type) > 0)
    {
        char* text = nullptr;
        const bool read = H5Aread(attribute, type, static_cast<void*>(&text)) >= 0;
        if (text != nullptr)
            H5free_memory(text);
        return read;
    }
    const std::size_t size = H5Tget_size(type);
    std::vector<char> text(size + 1, '\0');
    return size <= kLargestValue && H5Aread(attribute, type, text.data()) >= 0;
}

/// Reads an attribute as the reader does, by the class of its type.
bool readValue(hid_t attribute, hid_t type)
{
    std::int64_t integer = 0;
    double number = 0;
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_STRING)
        return readText(attribute, type);
    const bool isTruth = kind == H5T_ENUM && H5Tget_size(type) == 1; // an enumeration of bytes
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT && !isTruth) || H5Tget_size(type) > sizeof(double))
        return true; // of a kind that nothing reads
    return (kind != H5T_INTEGER || H5Aread(attribute, H5T_NATIVE_INT64, &integer) >= 0) &&
           H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
}

/// The finding is made before anything is closed, at which HDF5 forgets its reason.
bool checkAttribute(hid_t object, const std::string& name, const std::string& place, Finding& finding)
{
    const auto fails = [&] {
        finding = findingOf(place + "@" + name, "reading the attribute");
        return false;
    };
    const Closing attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.valid())
        return fails();
    const Closing space(H5Aget_space(attribute.id()), H5Sclose);
    const Closing type(H5Aget_type(attribute.id()), H5Tclose);
    if (!space.valid() || !type.valid() || H5Tget_class(type.id()) == H5T_NO_CLASS)
        return fails();
    return H5Sget_simple_extent_npoints(space.id()) != 1 || readValue(attribute.id(), type.id()) || fails();
}

} // namespace

bool checkAttributes(hid_t object, const std::string& place, Finding& finding)
{
    std::vector<std::string> names;
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, addName, &names) < 0)
    {
        finding = findingOf(place, "listing the attributes");
        return false;
    }
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return checkAttribute(object, name, place, finding); });
}

} // namespace headscope::check
