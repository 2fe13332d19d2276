#!/bin/sh
# Last step of every image: nothing that differs from build to build, nothing secret, and the list of what is installed.
set -eu
mkdir -p /usr/share/ale /etc/ale
dpkg-query --show --showformat '${Package}=${Version}\n' | LC_ALL=C sort > /usr/share/ale/packages.lock
if command -v fc-cache > /dev/null; then fc-cache --system-only > /dev/null; fi
rm -rf /root && mkdir -m 700 /root
rm -f /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/passwd- /etc/group- /etc/subuid* /etc/subgid*
rm -f /etc/machine-id /var/lib/dbus/machine-id /etc/ssh/ssh_host_*_key*
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb /var/log/* /var/cache/ldconfig/aux-cache
rm -rf /tmp/* /var/tmp/* /home/* /etc/skel
mkdir -p /home /srv /mnt /media
# Only the temporary folders can be written by everybody.
find / -xdev -type d -perm -0002 ! -path /tmp ! -path /var/tmp ! -path '/proc/*' ! -path '/dev/*' -exec chmod o-w {} +
