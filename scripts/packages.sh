# Debian's packages, for the scripts that see to it that something is installed. To be sourced; whoever does says in `fail` what
# is missing.

# Runs a command as root.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_packages NAME…   with apt, as root or by sudo.
install_packages() {
  command -v apt-get >/dev/null || fail "missing: $*; install that with your system's package manager"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "missing: $*; run \`apt-get install $*\` as root"
  as_root env DEBIAN_FRONTEND=noninteractive sh -c \
    "apt-get -qq install -y $* || { apt-get -qq update && apt-get -qq install -y $*; }" >&2 ||
    fail "apt-get could not install $*; install that by hand"
}
