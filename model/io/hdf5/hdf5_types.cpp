// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_types.h"

#include <hdf5.h>

#include <bit>

namespace headscope
{
namespace
{

static_assert(std::endian::native == std::endian::little, "the halves are read and written raw");

/// IEEE half precision, the type h5py writes for numpy.float16: sign 1, exponent 5, fraction 10.
Hdf5Handle halfType()
{
    Hdf5Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    if (H5Tset_fields(type.id(), 15, 10, 5, 0, 10) < 0 || H5Tset_size(type.id(), 2) < 0 ||
        H5Tset_ebias(type.id(), 15) < 0)
        return {};
    return type;
}

hid_t standardType(NumberType type, bool little)
{
    switch (type)
    {
    case NumberType::F32:
        return little ? H5T_IEEE_F32LE : H5T_NATIVE_FLOAT;
    case NumberType::F64:
        return little ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
    case NumberType::I8:
        return little ? H5T_STD_I8LE : H5T_NATIVE_INT8;
    case NumberType::U8:
        return little ? H5T_STD_U8LE : H5T_NATIVE_UINT8;
    case NumberType::I16:
        return little ? H5T_STD_I16LE : H5T_NATIVE_INT16;
    case NumberType::Bf16:
    case NumberType::U16:
        return little ? H5T_STD_U16LE : H5T_NATIVE_UINT16;
    case NumberType::I32:
        return little ? H5T_STD_I32LE : H5T_NATIVE_INT32;
    case NumberType::U32:
        return little ? H5T_STD_U32LE : H5T_NATIVE_UINT32;
    case NumberType::I64:
        return little ? H5T_STD_I64LE : H5T_NATIVE_INT64;
    default:
        return little ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
    }
}

std::optional<NumberType> integerOf(std::size_t bytes, bool isSigned)
{
    switch (bytes)
    {
    case 1:
        return isSigned ? NumberType::I8 : NumberType::U8;
    case 2:
        return isSigned ? NumberType::I16 : NumberType::U16;
    case 4:
        return isSigned ? NumberType::I32 : NumberType::U32;
    case 8:
        return isSigned ? NumberType::I64 : NumberType::U64;
    default:
        return std::nullopt;
    }
}

bool isOneOf(hid_t type, hid_t little, hid_t big)
{
    return H5Tequal(type, little) > 0 || H5Tequal(type, big) > 0;
}

} // namespace

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

Hdf5Handle memoryType(NumberType type)
{
    return type == NumberType::F16 ? halfType() : Hdf5Handle(H5Tcopy(standardType(type, false)), H5Tclose);
}

Hdf5Handle fileType(NumberType type)
{
    return type == NumberType::F16 ? halfType() : Hdf5Handle(H5Tcopy(standardType(type, true)), H5Tclose);
}

Hdf5Handle textType()
{
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    if (H5Tset_size(type.id(), H5T_VARIABLE) < 0 || H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0)
        return {};
    return type;
}

std::optional<NumberType> numberTypeOf(Hdf5Id type)
{
    const std::size_t bytes = H5Tget_size(type);
    switch (H5Tget_class(type))
    {
    case H5T_INTEGER:
        // All bits of it, in their places: else the bytes as they lie are no number of ours.
        if (H5Tget_offset(type) != 0 || H5Tget_precision(type) != 8 * bytes)
            return std::nullopt;
        return integerOf(bytes, H5Tget_sign(type) == H5T_SGN_2);
    case H5T_ENUM: // h5py writes numpy.bool_ as an enumeration over int8
        return bytes == 1 ? std::optional(NumberType::I8) : std::nullopt;
    case H5T_FLOAT:
        if (bytes == 2) // a half of another layout would be read as wrong numbers
            return H5Tequal(type, halfType().id()) > 0 ? std::optional(NumberType::F16) : std::nullopt;
        if (bytes == 4)
            return isOneOf(type, H5T_IEEE_F32LE, H5T_IEEE_F32BE) ? std::optional(NumberType::F32) : std::nullopt;
        return bytes == 8 && isOneOf(type, H5T_IEEE_F64LE, H5T_IEEE_F64BE) ? std::optional(NumberType::F64)
                                                                           : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace headscope
