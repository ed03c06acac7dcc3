// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/live_objects.h"

#include <QMap>
#include <QMutex>
#include <QObject>
#include <QThread>

#include <unordered_map>

// Qt's own table of callbacks for debuggers (qhooks_p.h): told of every QObject that comes and goes.
extern "C" Q_DECL_IMPORT quintptr qtHookData[];

namespace headscope::test
{
namespace
{

constexpr int kAddQObject = 3;
constexpr int kRemoveQObject = 4;

struct Census
{
    QMutex mutex;
    std::unordered_map<QObject*, int> objects; ///< and the mark they came after
    int now = 0;
};

/// Never destroyed: objects go after it would.
Census& census()
{
    static auto* const all = new Census;
    return *all;
}

void objectAdded(QObject* object)
{
    Census& all = census();
    const QMutexLocker lock(&all.mutex);
    all.objects[object] = all.now;
}

void objectRemoved(QObject* object)
{
    Census& all = census();
    const QMutexLocker lock(&all.mutex);
    all.objects.erase(object);
}

const bool kListens = [] {
    qtHookData[kAddQObject] = reinterpret_cast<quintptr>(&objectAdded);
    qtHookData[kRemoveQObject] = reinterpret_cast<quintptr>(&objectRemoved);
    return true;
}();

} // namespace

qsizetype LiveObjects::count()
{
    Census& all = census();
    const QMutexLocker lock(&all.mutex);
    return static_cast<qsizetype>(all.objects.size());
}

int LiveObjects::mark()
{
    Census& all = census();
    const QMutexLocker lock(&all.mutex);
    return ++all.now;
}

QStringList LiveObjects::leftSince(int mark)
{
    Census& all = census();
    const QMutexLocker lock(&all.mutex);
    QMap<QString, int> classes;
    for (const auto& [object, when] : all.objects)
        if (when >= mark)
            ++classes[QString::fromLatin1(object->metaObject()->className())];
    QStringList lines;
    for (auto each = classes.constBegin(); each != classes.constEnd(); ++each)
        lines << QStringLiteral("%1 x %2").arg(each.value()).arg(each.key());
    return lines;
}

void LiveObjects::visitThisThread(const std::function<void(QObject&)>& visit)
{
    Census& all = census();
    // An object of another thread stays whole while this is held: it says that it goes before it does.
    const QMutexLocker lock(&all.mutex);
    for (const auto& [object, when] : all.objects)
        if (object->thread() == QThread::currentThread())
            visit(*object);
}

} // namespace headscope::test
