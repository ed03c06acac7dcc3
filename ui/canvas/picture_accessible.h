// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

/// Lets screen readers see every PictureWidget: a canvas with a sentence, or, where the manners of its picture say so,
/// a list or a group of its items, with their texts, places and states. A second call does nothing.
void describePictures();

} // namespace headscope::ui
