// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of what Hdf5Writer writes.
#include "model/io/hdf5/hdf5_guard.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <hdf5.h>

#include <algorithm>
#include <iterator>

namespace headscope
{

Status Hdf5Writer::writeAttribute(const std::string& object, const std::string& name, Hdf5Id type, const void* value,
                                  std::optional<std::size_t> count)
{
    if (m_failed)
        return *m_failed;
    Hdf5Handle owner(H5Oopen(m_file.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
    const htri_t exists = owner.valid() ? H5Aexists(owner.id(), name.c_str()) : -1;
    if (exists < 0 || (exists > 0 && H5Adelete(owner.id(), name.c_str()) < 0))
        return fail(object + "@" + name, "replacing the attribute");
    const hsize_t extent = count.value_or(0);
    const Hdf5Handle space(count ? H5Screate_simple(1, &extent, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle attribute(H5Acreate2(owner.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const bool isEmpty = count && *count == 0;
    if (!attribute.valid() || (!isEmpty && H5Awrite(attribute.id(), type, value) < 0))
        return fail(object + "@" + name, "writing the attribute");
    // What is still held of them is written now, and a failure is heard of here alone.
    if (!attribute.close() || !owner.close())
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
    std::vector<std::string> clean;
    std::transform(values.begin(), values.end(), std::back_inserter(clean), withoutNul);
    std::vector<const char*> pointers;
    for (const std::string& value : clean)
        pointers.push_back(value.c_str());
    const Hdf5Handle type = textType();
    return writeAttribute(object, name, type.id(), static_cast<const void*>(pointers.data()), values.size());
}

} // namespace headscope
