// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

#include <string_view>

namespace headscope::ui
{

/// Names a view of the window by a word: that of `--tab`, of the layout that is kept and of its action
/// ("actionView_map"). Each view's header has its own, kMapView; views are in the order in which they are added.
class ViewId
{
public:
    /// No view.
    constexpr ViewId() = default;
    /// @param key  lower case, of static storage
    constexpr explicit ViewId(std::string_view key) : m_key(key) {}

    [[nodiscard]] constexpr bool isNull() const { return m_key.empty(); }
    [[nodiscard]] QString key() const
    {
        return QString::fromLatin1(m_key.data(), static_cast<qsizetype>(m_key.size()));
    }

    friend constexpr bool operator==(ViewId, ViewId) = default;

private:
    std::string_view m_key;
};

} // namespace headscope::ui

Q_DECLARE_METATYPE(headscope::ui::ViewId)
