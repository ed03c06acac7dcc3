// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/field_target.h"

#include <cstdint>
#include <string>

namespace headscope
{

class Fields;
struct Field;

/// What is asked for when heads are measured in the running model.
struct ImportanceChoices
{
    std::int64_t layer = 0;
    std::string units = "heads";   ///< or "groups"
    std::string ablation = "zero"; ///< or "mean"
    std::int64_t documents = 100;

    friend bool operator==(const ImportanceChoices&, const ImportanceChoices&) = default;
};

/// What is asked for when heads are switched off in the running model.
struct SwitchOffChoices
{
    std::int64_t layer = 0;
    std::string heads{}; ///< as they are written: "1-3,9"
    std::string ablation = "zero";
    std::int64_t documents = 500;
};

/// What a model and its documents allow of these.
struct AblationLimits
{
    std::int64_t layers = 1;
    std::int64_t documents = kMaxCount;
};

/// Declares what is switched off together.
Field& unitsField(Fields& f, std::string& units, std::string about = {});
/// Declares what heads that are off are set to.
/// @param which  heads, in the help
Field& ablationField(Fields& f, std::string& ablation, const std::string& which = "ablated heads");

/// Declare what a form asks for.
void fields(Fields& f, ImportanceChoices& o, const AblationLimits& limits);
void fields(Fields& f, SwitchOffChoices& o, const AblationLimits& limits);

} // namespace headscope
