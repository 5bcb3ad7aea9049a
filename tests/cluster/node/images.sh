#!/usr/bin/env bash
# images.sh DIR BINARY   makes the images that the node runs, without a registry, and puts their archives into DIR:
# gleaner (the project's own Dockerfile.binary over BINARY), redis, and the proxy that stands in for an ingress.
#
# The bases come from Debian's packages, are kept in the cache, and take half a minute the first time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
out=$1 binary=$2
images=$(cd "$here/../images" && pwd)
version=$(awk '$1 == "appVersion:" { print $2 }' "$root/charts/gleaner/Chart.yaml")
mkdir -p "$cache/images" "$out"
# Memory, where there is some: the storage copies a file system for every step.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In a mount namespace of its own, so that a build that is broken off leaves nothing mounted.
tool() {
  unshare --mount buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"
}

# A file system of Debian's smallest set of packages, and those that are named.
base() { # NAME PACKAGES
  local archive=$cache/images/$1.tar
  [ -e "$archive" ] && return
  mmdebstrap --quiet --variant=minbase --include="$2" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --format=tar bookworm "$archive.new" >&2 \
    || fail "Debian's packages for $1 cannot be had"
  mv "$archive.new" "$archive"
}

build() { # NAME:TAG DOCKERFILE FOLDER ARCHIVE
  tool bud --quiet --isolation chroot --pull-never --network host -t "$1" -f "$2" "$3" >/dev/null
  tool push --quiet "$1" "docker-archive:$4:$1" >/dev/null
}

# The image of a base, made once for each wording of its Dockerfile.
ready_made() { # NAME BASE PACKAGES
  local dockerfile=$images/$1.Dockerfile archive
  archive=$cache/images/$1-$(sha256sum "$dockerfile" | cut -c 1-12).tar
  if [ ! -e "$archive" ]; then
    base "$2" "$3"
    mkdir "$work/$1"
    cp "$cache/images/$2.tar" "$work/$1/"
    build "$1:gleaner" "$dockerfile" "$work/$1" "$archive.new"
    mv "$archive.new" "$archive"
  fi
  ln -s "$archive" "$out/$1.tar"
}

ready_made pause debian ca-certificates
ready_made redis redis redis-server
ready_made proxy proxy nginx-light

# The Dockerfile is used as it stands, over a base of the name that it gives.
version_of_base=$(sed -n 's/^ARG DEBIAN_VERSION=//p' "$root/Dockerfile.binary")
base debian ca-certificates
mkdir "$work/debian" "$work/gleaner"
cp "$cache/images/debian.tar" "$work/debian/"
printf 'FROM scratch\nADD debian.tar /\n' >"$work/debian/Dockerfile"
tool bud --quiet --isolation chroot -t debian:$version_of_base "$work/debian" >/dev/null
cp "$binary" "$work/gleaner/gleaner"
"$root/scripts/sbom.sh" "$work/gleaner/gleaner.cdx.json" >/dev/null
build "gleaner:$version" "$root/Dockerfile.binary" "$work/gleaner" "$out/gleaner.tar"
