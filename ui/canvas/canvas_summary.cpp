// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_summary.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>

#include <utility>

namespace headscope::ui
{
namespace
{

using Summaries = QHash<const QObject*, std::function<QString()>>;

Summaries& summaries()
{
    static Summaries all;
    return all;
}

/// A canvas as assistive technology sees it: a picture with a sentence about what is on it.
class CanvasAccessible : public QAccessibleWidget
{
public:
    explicit CanvasAccessible(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Canvas) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Description || kind == QAccessible::Value)
            if (const QString summary = canvasSummary(widget()); !summary.isEmpty())
                return summary;
        return QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface* makeAccessible(const QString& /*className*/, QObject* object)
{
    if (object == nullptr || !object->isWidgetType() || !summaries().contains(object))
        return nullptr;
    return new CanvasAccessible(static_cast<QWidget*>(object));
}

} // namespace

void setCanvasSummary(QWidget* canvas, std::function<QString()> summary)
{
    static const bool installed = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(installed);
    if (!summaries().contains(canvas))
        QObject::connect(canvas, &QObject::destroyed, canvas, [canvas] { summaries().remove(canvas); });
    summaries().insert(canvas, std::move(summary));
    // Qt keeps the interface it made when the widget was given its name; that one knows no summary.
    QAccessibleInterface* kept = QAccessible::queryAccessibleInterface(canvas);
    if (kept != nullptr && kept->role() != QAccessible::Canvas)
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(kept));
}

QString canvasSummary(const QWidget* canvas)
{
    const auto found = summaries().constFind(canvas);
    return found == summaries().constEnd() ? QString() : (*found)();
}

void noteCanvasChanged(QWidget* canvas)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(canvas, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::ui
