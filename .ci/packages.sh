# Sourced by ./foldback and ./test: what they need from the system.

# require_packages NAME...: installs the missing ones of these Debian packages, saying so; exits where that fails.
require_packages() {
  install_packages "$@" || {
    echo "foldback: please install these packages yourself: $*" >&2
    exit 2
  }
}

# install_packages NAME...: the same, but only returns false where it fails.
install_packages() {
  local missing=() name
  command -v dpkg-query >/dev/null || {
    echo "foldback: no Debian system: taking $* for granted" >&2
    return 0
  }
  for name in "$@"; do
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" == installed ]] || missing+=("$name")
  done
  [[ ${#missing[@]} -eq 0 ]] && return 0
  echo "foldback: installing missing packages: ${missing[*]}" >&2
  local as_root=()
  if [[ "$(id -u)" -ne 0 ]]; then
    command -v sudo >/dev/null || return 1
    as_root=(sudo)
  fi
  # Another installation may hold the lock: a new machine often updates itself.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >&2 2>/dev/null ||
    { "${apt[@]}" update >&2 && "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >&2; }
}

require_cargo() {
  command -v cargo >/dev/null || {
    [[ -f "$HOME/.cargo/env" ]] && source "$HOME/.cargo/env"
  }
  command -v cargo >/dev/null || {
    echo "foldback: Rust is needed: install it with rustup (https://rustup.rs), then run this again" >&2
    exit 2
  }
}
