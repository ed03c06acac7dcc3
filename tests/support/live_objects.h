// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <functional>

class QObject;

namespace headscope::test
{

/// Every QObject that there is, from the start of the program, by Qt's own table of callbacks for debuggers.
/// @threads  all functions on any thread
class LiveObjects
{
public:
    [[nodiscard]] static qsizetype count();
    /// A mark in time.
    static int mark();
    /// Classes of the objects that came after the mark and are still there.
    [[nodiscard]] static QStringList leftSince(int mark);
    /// Calls `visit` with each object of this thread; none of them may be made or deleted by it.
    static void visitThisThread(const std::function<void(QObject&)>& visit);
};

} // namespace headscope::test
