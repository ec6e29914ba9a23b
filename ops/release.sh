# shellcheck shell=bash
# Options and functions of ops/install and ops/upgrade. Each version has a folder of its own; /srv/quizaine is a link to the current one.
# The two scripts read and set some of the variables.
# shellcheck disable=SC2034,SC2154

# The server's account must be able to read what root writes.
umask 022

# Folder in front of every path. Not empty only in tests: then no account is created and no package of Debian is installed.
root=
has_systemd=yes
restart_command='systemctl restart quizaine'
# Seconds within which a started server must answer /readyz with 200.
wait_s=120
domain=
has_caddy=no
npm_version=11.19.1

say() { echo "# $*"; }
fail() { echo "$*" >&2; exit 1; }

# Reads the options that follow the name of the script. The first argument is the text that explains them.
read_options() {
  local usage=$1
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --domain) domain=${2:?$usage}; shift ;;
      --caddy) has_caddy=yes ;;
      --root) root=${2:?$usage}; shift ;;
      --no-systemd) has_systemd=no; restart_command= ;;
      --restart) restart_command=${2:?$usage}; shift ;;
      --wait) wait_s=${2:?$usage}; shift ;;
      *) fail "$usage" ;;
    esac
    shift
  done
  current=$root/srv/quizaine
  releases=$root/srv/quizaine-releases
  data=$root/var/lib/quizaine
  environment=$root/etc/quizaine/environment
  backups=$root/backups
  [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail 'Run this command as root.'
}

# Runs a command under the account of the server.
as_quizaine() {
  if [ -n "$root" ]; then "$@"; else runuser -u quizaine -- "$@"; fi
}

# Installs the pinned Node and a current npm with the npm of the system. Sets `tools`. The npm of Debian runs on an older Node, and npm
# leaves out optional packages that do not suit the Node it runs on, such as programs of the build.
install_tools() {
  local folder
  folder=$root/srv/quizaine-tools/node-$(cat "$source_folder/.node-version")-npm-$npm_version
  tools=$folder/node_modules/.bin
  if [ ! -e "$folder/.complete" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-audit --no-fund "node@$(cat "$source_folder/.node-version")" "npm@$npm_version"
    touch "$folder/.complete"
  fi
}

# Copies the source into a new folder, installs its packages and builds. Sets `release`. Folders of interrupted runs are removed.
prepare_release() {
  local folder
  mkdir -p "$releases"
  for folder in "$releases"/*/; do
    [ ! -d "$folder" ] || [ -e "$folder/.complete" ] || rm -rf "$folder"
  done
  release=$releases/$(date +%Y%m%d-%H%M%S-%N)
  say "Preparing $release"
  mkdir "$release"
  tar -C "$source_folder" --exclude=./.git --exclude=./node_modules --exclude=./dist --exclude=./data -c . |
    tar -C "$release" --no-same-owner -x
  install_tools
  (cd "$release" && PATH=$tools:$PATH && npm ci --no-audit --no-fund && npm run build)
  touch "$release/.complete"
}

# Makes a folder the current version, in one step.
switch_to() {
  ln -sfn "$1" "$current.next"
  mv -T "$current.next" "$current"
}

# Installs the unit of the current version.
install_unit() {
  install -D -m 644 "$current/ops/quizaine.service" "$root/etc/systemd/system/quizaine.service"
  [ "$has_systemd" = no ] || systemctl daemon-reload
}

is_ready() {
  local port
  port=$(sed -n 's/^PORT=//p' "$environment" | tail -n 1)
  "$current/node_modules/.bin/node" --eval "
    fetch('http://127.0.0.1:${port:-3000}/readyz', { signal: AbortSignal.timeout(3000) })
      .then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"
}

# Starts the current version again and returns whether it is ready in time. Without a command to restart, returns true.
restart() {
  [ -n "$restart_command" ] || return 0
  # The words of the command are its arguments.
  # shellcheck disable=SC2086
  $restart_command || return 1
  local end=$((SECONDS + wait_s))
  until is_ready; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 1
  done
}
