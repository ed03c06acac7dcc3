// SPDX-License-Identifier: GPL-3.0-or-later
// A tour through the program in a real window, picture by picture, to be looked at by people; run by
// packaging/screenshots.sh. One function a scene: it drives the window by mouse and keys, finds what
// it needs by object name, and says what was not there.
//
//   screen_tour OUT_DIR CACHE [--prefix NAME] [--only SCENE,SCENE] [--look light|dark] [--list]
#include "app/desktop/start/application.h"
#include "tests/app/tour/scenes.h"
#include "ui/theme/theme.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>

#include <cstdio>

using namespace headscope;
using tour::Scene;
using tour::Tour;

namespace
{

/// The order of the tour: the map and what is chosen on it, the other views, then all around them.
std::vector<Scene> allScenes()
{
    std::vector<Scene> scenes = tour::mapScenes();
    for (const auto& more : {tour::viewScenes(), tour::windowScenes(), tour::lessonScenes()})
        scenes.insert(scenes.end(), more.begin(), more.end());
    return scenes;
}

int fail(const QString& sentence)
{
    qCritical("screen_tour: %s", qPrintable(sentence));
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (!qEnvironmentVariableIsSet("HEADSCOPE_HDF5_CHECK")) // which stands beside the programs
        qputenv("HEADSCOPE_HDF5_CHECK", QDir(QCoreApplication::applicationDirPath())
                                            .filePath(QStringLiteral("../bin/headscope-hdf5-check"))
                                            .toLocal8Bit());
    QCommandLineParser parser;
    const QCommandLineOption prefix(QStringLiteral("prefix"), QString(), QStringLiteral("NAME"));
    const QCommandLineOption only(QStringLiteral("only"), QString(), QStringLiteral("SCENES"));
    const QCommandLineOption look(QStringLiteral("look"), QString(), QStringLiteral("light|dark"),
                                  QStringLiteral("light"));
    const QCommandLineOption list(QStringLiteral("list"));
    parser.addOptions({prefix, only, look, list});
    parser.process(application);
    const std::vector<Scene> scenes = allScenes();
    if (parser.isSet(list))
    {
        for (const Scene& scene : scenes)
            std::printf("%s\n", scene.name);
        return 0;
    }
    const QStringList places = parser.positionalArguments();
    if (places.size() != 2)
        return fail(QStringLiteral("expected OUT_DIR and CACHE, or the word nothing"));
    if (!QDir().mkpath(places.at(0)))
        return fail(places.at(0) + QStringLiteral(": could not be made"));

    ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    ui::Theme::instance().apply(application);
    Tour t(places.at(0), parser.value(prefix));
    t.settings().addRecentFile(QStringLiteral("/media/disk/that-is-gone.h5"));
    const bool isEmpty = places.at(1) == QStringLiteral("nothing"); // what is shown before anything is open
    if (!isEmpty)
        t.settings().addRecentFile(QFileInfo(places.at(1)).absoluteFilePath());
    t.window().setDemos(desktop::bundledDemos());
    t.settings().setText(ui::SettingKey::ColorScheme, parser.value(look));
    if (!QTest::qWaitForWindowActive(&t.window()))
        return fail(QStringLiteral("the window never became active"));
    const QStringList wanted = parser.value(only).split(u',', Qt::SkipEmptyParts);
    if (wanted.isEmpty() || wanted.contains(QStringLiteral("start")))
        t.shoot(QStringLiteral("start-nothing-open"));
    if (!isEmpty && (!t.open(places.at(1)) || !t.settle()))
        return fail(places.at(1) + QStringLiteral(": could not be opened"));
    if (!isEmpty && t.scatter().map() == nullptr) // a large cache waits to be asked
    {
        t.shoot(QStringLiteral("map-offered"));
        t.trigger(QStringLiteral("actionMap"));
        t.settle();
    }
    for (const Scene& scene : scenes)
        if (wanted.isEmpty() || wanted.contains(QString::fromLatin1(scene.name)))
        {
            std::printf("%s\n", scene.name);
            std::fflush(stdout);
            scene.play(t);
        }
    std::printf("%d pictures in %s\n", t.shots(), qPrintable(places.at(0)));
    for (const QString& what : t.missing())
        std::printf("NOT THERE: %s\n", qPrintable(what));
    return t.missing().isEmpty() ? 0 : 1;
}
