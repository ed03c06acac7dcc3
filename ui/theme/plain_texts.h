// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QString;

namespace headscope::ui
{

/// Takes the guess whether a text is markup out of every label and tip of an application: ids, labels and names of
/// files are shown as they are, "<b>x</b>" too, and load no picture. A label that holds markup of ours says so by
/// setTextFormat; a tip that does is "<p>" before each of its paragraphs, whose text is escaped, and no other tag.
/// Owned by the application, which it filters.
class PlainTexts : public QObject
{
public:
    explicit PlainTexts(QObject* application);
    bool eventFilter(QObject* watched, QEvent* event) override;

    /// Whether a tip is markup of ours.
    [[nodiscard]] static bool isOurTip(const QString& text);
};

} // namespace headscope::ui
