// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/settings/settings.h"

#include <QFile>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace headscope::ui;

class TestSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableIsWellFormed()
    {
        QSet<QString> names;
        QSet<int> keys;
        for (const SettingRow& row : settingRows())
        {
            names << QString::fromUtf8(row.name.data(), qsizetype(row.name.size()));
            keys << int(row.key);
            QVERIFY(!row.label.empty());
            if (row.type == SettingType::Integer)
                QVERIFY(row.least <= row.defaultNumber && row.defaultNumber <= row.most);
            if (row.type == SettingType::Real)
                QVERIFY(row.leastReal <= row.defaultReal && row.defaultReal <= row.mostReal);
        }
        QCOMPARE(names.size(), qsizetype(settingRows().size()));
        QCOMPARE(keys.size(), qsizetype(settingRows().size()));
    }

    void everyKeyRoundTrips()
    {
        const auto settings = Settings::temporary();
        for (const SettingRow& row : settingRows())
        {
            const QSignalSpy changed(settings.get(), &Settings::changed);
            switch (row.type)
            {
            case SettingType::Integer:
                settings->setNumber(row.key, row.most);
                QCOMPARE(settings->number(row.key), row.most);
                settings->reset(row.key);
                QCOMPARE(settings->number(row.key), row.defaultNumber);
                break;
            case SettingType::Flag:
                settings->setFlag(row.key, row.defaultNumber == 0);
                QCOMPARE(settings->flag(row.key), row.defaultNumber == 0);
                QVERIFY(!settings->isDefault(row.key));
                settings->reset(row.key);
                QVERIFY(settings->isDefault(row.key));
                break;
            case SettingType::Real:
                settings->setReal(row.key, row.mostReal);
                QCOMPARE(settings->real(row.key), row.mostReal);
                settings->setReal(row.key, std::nan(""));
                QCOMPARE(settings->real(row.key), row.mostReal);
                settings->reset(row.key);
                QCOMPARE(settings->real(row.key), row.defaultReal);
                break;
            case SettingType::Text:
            {
                const QStringList choices =
                    QString::fromUtf8(row.choices.data(), qsizetype(row.choices.size())).split(u'|');
                const QString value = row.choices.empty() ? QStringLiteral("dark") : choices.constLast();
                settings->setText(row.key, value);
                QCOMPARE(settings->text(row.key), value);
                break;
            }
            case SettingType::Bytes:
                settings->setBytes(row.key, QByteArray("\0x", 2));
                QCOMPARE(settings->bytes(row.key), QByteArray("\0x", 2));
                break;
            case SettingType::TextList:
                settings->setList(row.key, {QStringLiteral("a, b"), QStringLiteral("c")});
                QCOMPARE(settings->list(row.key), QStringList({QStringLiteral("a, b"), QStringLiteral("c")}));
                break;
            }
            QVERIFY(changed.count() >= 1);
        }
    }

    void valuesAreKeptInBounds()
    {
        const auto settings = Settings::temporary();
        settings->setNumber(settingNamed("map/perplexity"), 1);
        QCOMPARE(settings->number(settingNamed("map/perplexity")), 2);
        settings->setText(SettingKey::ColorScheme, QStringLiteral("purple"));
        QCOMPARE(settings->text(SettingKey::ColorScheme), QStringLiteral("system"));
    }

    void damagedFileReadsAsDefaults()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("damaged.ini"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[map]\nperplexity=\"many\"\niterations=99999999\n[view\ncolorScheme=\x01\xff\n\0\0[[[");
        file.close();
        const Settings settings(path);
        QCOMPARE(settings.number(settingNamed("map/perplexity")), 30);
        QCOMPARE(settings.number(settingNamed("map/iterations")), 750);
        QCOMPARE(settings.text(SettingKey::ColorScheme), QStringLiteral("system"));
    }

    /// What was set for the open cache is neither stored nor there for the next one.
    void aNumberOfTheOpenCacheIsNotStored()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        const SettingKey key = settingNamed("map/iterations");
        Settings settings(path);
        settings.setNumber(key, 500);
        QSignalSpy changed(&settings, &Settings::changed);
        settings.setNumberWhileOpen(key, 20'000);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(settings.number(key), 20'000);
        QCOMPARE(Settings(path).number(key), 500);
        settings.forgetWhileOpen();
        QCOMPARE(changed.count(), 2);
        QCOMPARE(settings.number(key), 500);
        settings.forgetWhileOpen();
        QCOMPARE(changed.count(), 2); // nothing is left to forget
        settings.setNumberWhileOpen(key, 20'000);
        settings.setNumber(key, 600); // what is chosen for all caches holds for this one, too
        QCOMPARE(settings.number(key), 600);
        settings.setNumberWhileOpen(key, 20'000);
        settings.reset(key);
        QCOMPARE(settings.number(key), 750);
    }

    void brokenFileIsKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        const QByteArray broken("[map]\nperplexity=12\nwhat is this\n[[[\n");
        const auto write = [&path](const QByteArray& bytes) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        const auto read = [](const QString& name) {
            QFile file(name);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        write(broken);
        {
            Settings settings(path);
            QVERIFY2(settings.problem().contains(path + QStringLiteral(".broken")), qPrintable(settings.problem()));
            QVERIFY(Settings(path).problem().isEmpty()); // once
            settings.setNumber(settingNamed("map/iterations"), 500);
        }
        QCOMPARE(read(path + QStringLiteral(".broken")), broken);
        QVERIFY(Settings(path).problem().isEmpty()); // written anew
        QCOMPARE(Settings(path).number(settingNamed("map/iterations")), 500);
        write(broken + "once more\n");
        QVERIFY(Settings(path).problem().contains(path + QStringLiteral(".broken-2")));
        QCOMPARE(read(path + QStringLiteral(".broken")), broken);
        QVERIFY(Settings::temporary()->problem().isEmpty());
    }

    void recentFilesHaveNoRepeats()
    {
        const auto settings = Settings::temporary();
        for (int i = 0; i < 14; ++i)
            settings->addRecentFile(QStringLiteral("/f%1").arg(i));
        settings->addRecentFile(QStringLiteral("/f10"));
        const QStringList files = settings->list(SettingKey::RecentFiles);
        QCOMPARE(files.size(), 10);
        QCOMPARE(files.constFirst(), QStringLiteral("/f10"));
        QCOMPARE(files.count(QStringLiteral("/f10")), 1);
    }
};

HEADSCOPE_TEST_GUILESS(TestSettings)
#include "tst_settings.moc"
