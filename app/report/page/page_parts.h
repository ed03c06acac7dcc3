// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a report's page as HTML.
#pragma once

#include "app/report/page/page.h"

#include <vector>

namespace headscope::report
{

/// A section with its address.
struct AddressedSection
{
    const PageSection* section = nullptr;
    HtmlText id{}; ///< unique in the page
};

/// The sections, each with an address that no other has.
[[nodiscard]] std::vector<AddressedSection> addressed(const std::vector<PageSection>& sections);

/// Names and values, as a list of definitions of the given class; nothing where there are none.
[[nodiscard]] HtmlText factsHtml(const std::vector<PageFact>& facts, Literal className);

/// The list of contents.
[[nodiscard]] HtmlText contentsHtml(const std::vector<AddressedSection>& sections);

/// A whole section.
/// @param maps  those that the section's figures point to
[[nodiscard]] HtmlText sectionHtml(const AddressedSection& addressed, const std::vector<LiveMap>& maps);

} // namespace headscope::report
