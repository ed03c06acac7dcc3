// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/picture/picture.h"

#include <optional>

class QWidget;

namespace headscope::ui
{

class View;

/// A part of a view that knows which head is meant in it: the one under the pointer or the keys. Its card, and whatever
/// else concerns a head, is offered for it.
class HeadSource
{
public:
    HeadSource() = default;
    virtual ~HeadSource() = default;
    HeadSource(const HeadSource&) = delete;
    HeadSource& operator=(const HeadSource&) = delete;
    HeadSource(HeadSource&&) = delete;
    HeadSource& operator=(HeadSource&&) = delete;

    [[nodiscard]] virtual std::optional<viz::ItemHead> headMeant() const = 0;
};

/// The head that is meant at a part of a view: by the part or what it lies in, else by the view.
/// @param part  under the pointer, or with the focus; null: what lies under the pointer, else what has the focus
[[nodiscard]] std::optional<viz::ItemHead> headMeant(const View& view, const QWidget* part);

} // namespace headscope::ui
