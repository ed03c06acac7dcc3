// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include <functional>
#include <utility>

namespace headscope::ui
{

/// A step of undo that puts one value in place of another. The caller that pushes it emits its signals afterwards,
/// when the stack's state is up to date.
/// @threads GUI thread
template <class T>
class ValueChange : public QUndoCommand
{
public:
    /// @param put  takes the value; must outlive the step
    ValueChange(T before, T after, std::function<void(const T& value)> put)
        : m_before(std::move(before)), m_after(std::move(after)), m_put(std::move(put))
    {}
    void undo() override { m_put(m_before); }
    void redo() override { m_put(m_after); }

private:
    T m_before;
    T m_after;
    std::function<void(const T& value)> m_put;
};

} // namespace headscope::ui
