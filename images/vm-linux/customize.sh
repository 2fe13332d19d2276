#!/bin/sh
# Run by the builder outside the new system, whose folder is $1; this folder is $2.
set -e
root=$1
from=$2
chroot "$root" useradd --uid 1000 --user-group --create-home --home-dir /home/agent --shell /bin/bash agent
mkdir -p "$root/home/agent/input" "$root/home/agent/output" "$root/ale" "$root/etc/X11" "$root/usr/lib/ale"
chroot "$root" chown -R agent:agent /home/agent
rm -rf "$root/home/agent/".[a-z]* "$root/root/".[a-z]*
install -m 755 "$from/init" "$root/usr/lib/ale/init"
install -m 644 "$from/xorg.conf" "$root/etc/X11/xorg.conf"
echo ale > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 ale\n' > "$root/etc/hosts"
: > "$root/etc/machine-id"
: > "$root/etc/resolv.conf"
# Only what finds the root disk: the rest is loaded from it.
sed -i 's/^MODULES=.*/MODULES=list/' "$root/etc/initramfs-tools/initramfs.conf"
printf 'virtio_pci\nvirtio_blk\next4\n' >> "$root/etc/initramfs-tools/modules"
chroot "$root" update-initramfs -u
cp "$root"/boot/vmlinuz-* "$3/vmlinuz"
cp "$root"/boot/initrd.img-* "$3/initrd"
rm -rf "$root"/boot/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/man "$root"/usr/share/locale
