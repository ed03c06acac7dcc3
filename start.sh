cd /tmp/walk
(DISPLAY=:77 HOME=/tmp/walk/home QT_QPA_PLATFORM=xcb timeout -s KILL 1300 /work/main/build/dev/bin/headscope "$@" >>/tmp/walk/app.log 2>&1 & echo $! >/tmp/walk/app.pid)
