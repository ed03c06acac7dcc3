// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of attributes: the part of Hdf5Objects that meets strings of both kinds and every number.
#include "model/io/hdf5/hdf5_guard.h"
#include "model/io/hdf5/hdf5_objects.h"
#include "model/io/hdf5/hdf5_types.h"

#include <hdf5.h>

#include <algorithm>

namespace headscope
{
namespace
{

/// The attribute with its type, or an invalid handle when it is absent or no single value.
struct OpenAttribute
{
    Hdf5Handle object;
    Hdf5Handle attribute;
    Hdf5Handle type;
};

OpenAttribute openAttribute(const Hdf5Objects& objects, hid_t file, const std::string& object, const std::string& name)
{
    OpenAttribute open;
    if (!objects.has(object))
        return open;
    open.object = Hdf5Handle(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
    expectAnswer(open.object.valid());
    const htri_t exists = H5Aexists(open.object.id(), name.c_str());
    expectAnswer(exists >= 0);
    if (exists == 0)
        return open;
    Hdf5Handle attribute(H5Aopen(open.object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
    expectAnswer(attribute.valid());
    const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
    expectAnswer(space.valid());
    if (H5Sget_simple_extent_npoints(space.id()) != 1)
        return open;
    open.type = Hdf5Handle(H5Aget_type(attribute.id()), H5Tclose);
    expectAnswer(open.type.valid());
    open.attribute = std::move(attribute);
    return open;
}

} // namespace

std::optional<std::string> Hdf5Objects::textAttribute(const std::string& object, const std::string& name) const
{
    const Hdf5Guard guard;
    const OpenAttribute open = openAttribute(*this, m_file.id(), object, name);
    if (!open.attribute.valid() || H5Tget_class(open.type.id()) != H5T_STRING)
        return std::nullopt;
    if (H5Tis_variable_str(open.type.id()) > 0)
    {
        char* text = nullptr;
        expectAnswer(H5Aread(open.attribute.id(), open.type.id(), static_cast<void*>(&text)) >= 0);
        std::string value = text != nullptr ? text : "";
        H5free_memory(text);
        return value;
    }
    std::string value(H5Tget_size(open.type.id()), '\0');
    expectAnswer(H5Aread(open.attribute.id(), open.type.id(), value.data()) >= 0);
    value.erase(std::find(value.begin(), value.end(), '\0'), value.end());
    return value;
}

std::optional<std::int64_t> Hdf5Objects::integerAttribute(const std::string& object, const std::string& name) const
{
    const Hdf5Guard guard;
    const OpenAttribute open = openAttribute(*this, m_file.id(), object, name);
    std::int64_t value = 0;
    if (!open.attribute.valid() || H5Tget_class(open.type.id()) != H5T_INTEGER)
        return std::nullopt;
    expectAnswer(H5Aread(open.attribute.id(), memoryType(NumberType::I64).id(), &value) >= 0);
    return value;
}

std::optional<double> Hdf5Objects::numberAttribute(const std::string& object, const std::string& name) const
{
    const Hdf5Guard guard;
    const OpenAttribute open = openAttribute(*this, m_file.id(), object, name);
    double value = 0;
    if (!open.attribute.valid() || !numberTypeOf(open.type.id()))
        return std::nullopt;
    expectAnswer(H5Aread(open.attribute.id(), memoryType(NumberType::F64).id(), &value) >= 0);
    return value;
}

std::vector<std::string> Hdf5Objects::attributeNames(const std::string& object) const
{
    const Hdf5Guard guard;
    std::vector<std::string> found;
    if (!has(object))
        return found;
    const Hdf5Handle handle(H5Oopen(m_file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    expectAnswer(handle.valid());
    const auto add = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
    };
    expectAnswer(H5Aiterate2(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found) >= 0);
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace headscope
