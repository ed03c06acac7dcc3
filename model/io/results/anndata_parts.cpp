// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/anndata_parts.h"

namespace headscope::anndata
{

Status describe(Hdf5Writer& file, const std::string& object, const char* type, const char* version)
{
    HEADSCOPE_CHECK(file.setAttribute(object, "encoding-type", std::string(type)));
    return file.setAttribute(object, "encoding-version", std::string(version));
}

Status writeTexts(Hdf5Writer& file, const std::string& object, const std::vector<std::string>& values)
{
    HEADSCOPE_CHECK(file.writeStrings(object, values));
    return describe(file, object, "string-array", "0.2.0");
}

Status writeTable(Hdf5Writer& file, const std::string& group, const std::vector<std::string>& columns)
{
    HEADSCOPE_CHECK(describe(file, group, "dataframe", "0.2.0"));
    HEADSCOPE_CHECK(file.setAttribute(group, "_index", std::string("_index")));
    return file.setListAttribute(group, "column-order", columns);
}

} // namespace headscope::anndata
