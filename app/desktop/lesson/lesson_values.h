// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_source.h"
#include "model/data/lesson/kv_cache.h"
#include "viz/lesson/cache_bytes.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// What the controls of the curves of bytes offer, and what they say.
struct CacheBytesValues
{
    std::vector<KvShape> shapes; ///< that of the current model first, where it keeps keys and values
    std::vector<std::int64_t> contexts;
    std::vector<std::int64_t> numbers; ///< bytes of a number
    std::vector<std::int64_t> pairs;   ///< divisors of the heads, falling
    int shape = 0;
    int context = 0;
    int number = 0;
    int pair = 0;
    viz::CacheBytes bytes;
};

[[nodiscard]] CacheBytesValues cacheBytesValues(const LessonPictureRequest& request);

/// What the controls of the clouds offer, and what they say.
struct CloudValues
{
    std::string name;
    std::vector<double> perplexities;
    int perplexity = 0; ///< of these
    std::uint64_t seed = 1;
};

[[nodiscard]] CloudValues cloudValues(const LessonPictureRequest& request);
inline constexpr int kCloudSeeds = 6;

/// Why there is no picture of a run.
[[nodiscard]] QString noRunText();
/// Which run a picture shows, in a sentence.
[[nodiscard]] QString lessonRunNote(const LessonSource& source);

} // namespace headscope::desktop
