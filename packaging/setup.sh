# Sets up what memgui needs from a checkout. Sourced by packaging/run and packaging/test; does nothing by itself.
#
#   memgui_setup needed|pictures|window    system packages, .venv, the hashed requirements; sets $root and $python
#
# It says what it will install before it does, asks apt only where something is missing, and is done in a blink where
# nothing is. The checkout may lie anywhere, may be moved, and may have blanks in its path.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
python=$venv/bin/python
stamp=$venv/memgui-setup

# A name after a bar is what newer releases call the same package.
needed_packages=(
  libegl1 libgl1 "libglib2.0-0|libglib2.0-0t64" libfontconfig1 libfreetype6 libxkbcommon0 libdbus-1-3 libx11-6
  fonts-dejavu-core
)
window_packages=(
  libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
  libxcb-xfixes0 libxcb-xkb1 libxcb-sync1 libxkbcommon-x11-0 libx11-xcb1 libwayland-cursor0 libwayland-egl1
)
picture_packages=(fonts-noto-cjk fonts-noto-color-emoji)

say() { printf '%s\n' "memgui: $*" >&2; }
fail() { say "$@"; exit 1; }

find_interpreter() {
  local name
  for name in ${MEMGUI_PYTHON:+"$MEMGUI_PYTHON"} python3 python3.13 python3.12 python3.11; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      interpreter=$(command -v -- "$name")
      return
    fi
  done
  fail "Python 3.11 or newer is needed, and python3 is not that. Install one and name it: MEMGUI_PYTHON=/path/to/python3.11 $0"
}

# missing_packages NAME…: those not installed, one a line, by a single question to dpkg.
missing_packages() {
  local installed package name
  installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' -- ${*//|/ } 2>/dev/null || true)"
  for package in "$@"; do
    for name in ${package//|/ }; do
      [[ $installed == *" installed=$name "* ]] && continue 2
    done
    printf '%s\n' "${package%%|*}"
  done
}

apt_install() {
  local -a apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  if [[ $(id -u) != 0 ]]; then
    # With nobody there to type a password, sudo may only act where it needs none.
    if [[ -t 0 ]]; then apt=(sudo "${apt[@]}"); else apt=(sudo -n "${apt[@]}"); fi
  fi
  local -a install=("${apt[@]}" install -y -q --no-install-recommends "$@")
  # The lists may be missing or old, and another source's trouble must not stop us: only the install has to succeed.
  if ! "${apt[@]}" install -s -q --no-install-recommends "$@" </dev/null >/dev/null 2>&1 || ! "${install[@]}" </dev/null >&2; then
    "${apt[@]}" update -q >&2 || true
    "${install[@]}" </dev/null >&2
  fi
}

may_install() {
  [[ $(id -u) == 0 ]] && return
  command -v sudo >/dev/null || return
  [[ -t 0 ]] || sudo -n true 2>/dev/null
}

# system_packages needed|pictures|window: what the program cannot do without, and fonts that it would like.
system_packages() {
  local -a wanted=("${needed_packages[@]}") missing pictures=()
  [[ $1 == window ]] && wanted+=("${window_packages[@]}")
  [[ -e $stamp ]] || "$interpreter" -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3-venv)
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [[ -e $stamp ]] || say "This system has no apt. If the program does not start, install your system's packages for:" \
      "${wanted[*]/|*/}" "and, for all scripts and emoji, ${picture_packages[*]}"
    return
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [[ $1 == needed ]] || mapfile -t pictures < <(missing_packages "${picture_packages[@]}")
  ((${#missing[@]} + ${#pictures[@]})) || return 0
  local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]} ${pictures[*]}"
  if may_install; then
    say "installing system packages with apt: ${missing[*]} ${pictures[*]}"
    apt_install "${missing[@]}" "${pictures[@]}" && return
    say "apt did not install them."
  fi
  if ((${#missing[@]})); then
    say "system packages are missing. As root, type this line and start again:"
    printf '%s\n' "$line" >&2
    exit 1
  elif [[ ! -e $stamp ]]; then
    say "for Chinese, Japanese, Korean and emoji, type as root: $line"
  fi
}

# What .venv has to match: these requirements, this kind of Python.
fingerprint() {
  local lock
  lock=$(sha256sum <"$root/requirements.lock")
  printf '%s %s' "${lock%% *}" "$("$python" -c 'import sys; print(sys.implementation.cache_tag)' 2>/dev/null || true)"
}

fill_venv() {
  "$python" -m pip --version >/dev/null 2>&1 || return
  "$python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --require-hashes \
    -r "$root/requirements.lock" >&2
}

make_venv() {
  rm -rf -- "$venv"
  "$interpreter" -m venv -- "$venv" >&2 || fail "could not make $venv with $interpreter"
  fill_venv || fail "pip could not install the requirements. Is the package index reachable? Then start again."
}

# The checkout is found from .venv by a path relative to it, so that both may be moved together.
see_checkout() {
  local packages
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' ../../../.. >"$packages/memgui-checkout.pth"
  cat >"$venv/bin/memgui" <<'SCRIPT'
#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/python" -P -m memgui "$@"
SCRIPT
  chmod +x "$venv/bin/memgui"
}

virtual_environment() {
  [[ -e $stamp && $(<"$stamp") == "$(fingerprint)" ]] && return
  say "installing $(grep -c '^[a-z].*==' "$root/requirements.lock") Python packages (about 700 MB) into $venv"
  # One that is only old or made by hand is filled up; one that does not work is made anew.
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && fill_venv; then :; else make_venv; fi
  see_checkout
  fingerprint >"$stamp"
}

memgui_setup() {
  [[ -w $root ]] || [[ -e $stamp ]] || fail "$root cannot be written to, and .venv has to lie in it"
  find_interpreter
  system_packages "$1"
  # Two calls at once: the second waits, then finds everything done.
  if command -v flock >/dev/null; then
    exec 9<"${BASH_SOURCE[0]}"
    flock 9 || true
  fi
  virtual_environment
  exec 9<&-
}
