// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/random.h"

#include <string>

namespace headscope::faults
{

/// Bytes as a bad disk, a cut transfer or an attacker leaves them: flipped, cut, copied, zeroed, with lengths that are
/// huge. One to four changes.
[[nodiscard]] std::string mutateBytes(const std::string& bytes, Random& random);

/// JSON with members removed, doubled or of another type, numbers out of every range, text that is no text, deep
/// nesting; sometimes as mutateBytes() changes it.
[[nodiscard]] std::string mutateJson(const std::string& text, Random& random);

/// Lines of JSON, CSV or settings: with lines lost, doubled or joined, separators and quotes, text that is no text.
[[nodiscard]] std::string mutateLines(const std::string& text, Random& random);

/// A safetensors file: its header as JSON, with a length that fits, or its bytes.
[[nodiscard]] std::string mutateSafetensors(const std::string& bytes, Random& random);

/// A .npy file: the words of its header, or its bytes.
[[nodiscard]] std::string mutateNpy(const std::string& bytes, Random& random);

/// A file of HDF5 without the seal behind it; as it is where there is none.
[[nodiscard]] std::string withoutSeal(const std::string& bytes);

} // namespace headscope::faults
