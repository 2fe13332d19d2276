#!/bin/sh
# A trial by hand: an overlay, bubblewrap over it, and three executions, the third the task's grader.
# usage: trial-floor.sh WORK NODE PACKAGE TASK STAGED GRADER-ARGUMENT...
# Run it in a mount namespace of its own.
set -eu
work=$1 node=$2 package=$3 task=$4 staged=$5
shift 5
mkdir -p "$work/disk" "$work/lower/home/agent" "$work/merged" "$work/artifacts"
ln -s usr/bin usr/lib usr/lib64 "$work/lower"
mount -t tmpfs -o size=64m none "$work/disk"
mkdir "$work/disk/upper" "$work/disk/work"
mount -t overlay -o "lowerdir=$work/lower,upperdir=$work/disk/upper,workdir=$work/disk/work" none "$work/merged"
inside() {
  bwrap --bind "$work/merged" / --ro-bind /usr /usr --ro-bind /etc /etc \
    --proc /proc --dev /dev --tmpfs /tmp --unshare-all --uid 1000 --gid 1000 --die-with-parent --clearenv \
    --setenv PATH /usr/bin:/bin "$@"
}
inside /usr/bin/true
inside /usr/bin/true
inside --ro-bind "$node" /ale/node/bin/node --ro-bind "$package/package.json" /ale/runtime/package.json \
  --ro-bind "$package/src" /ale/runtime/src --ro-bind "$package/node_modules" /ale/runtime/node_modules \
  --ro-bind "$task" /ale/runtime/tasks/task --ro-bind "$staged/input" /ale/input \
  --ro-bind "$staged/reference" /ale/reference --ro-bind "$work/artifacts" /ale/artifacts --dir /ale/result \
  /ale/node/bin/node /ale/runtime/tasks/task/main.ts grade --trusted --artifacts=/ale/artifacts --input=/ale/input \
  --reference=/ale/reference --result=/ale/result "$@"
umount "$work/merged" "$work/disk"
