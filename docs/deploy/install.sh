#!/bin/sh
# Installs the storefront with Caddy and systemd on a server of Debian 12 or 13 or Ubuntu 24.04: docs/hosting.md. Run it as
# root, with your folder own (the catalogue) beside it, or without one: then you make the catalogue in the dashboard. Run again,
# it does what is missing; it overwrites no file.
#
# The settings: export them before, or write them here, each in single quotes instead of ${…}.

# The address that you cloned.
REPOSITORY=${REPOSITORY-}
# Host of the dashboard, such as names.example.com. Its DNS leads to this server, and it is not for sale.
ADMIN_HOST=${ADMIN_HOST-}
# The mail server, such as smtps://USER:PASSWORD@smtp.example.com:465. In USER and PASSWORD write the characters
# @ : / ? # % as %40 %3A %2F %3F %23 %25. All three of mail are empty: no mail.
SMTP_URL=${SMTP_URL-}
# The sender, such as Offers <offers@example.com>.
MAIL_FROM=${MAIL_FROM-}
# Your own email addresses, with commas between them, like ada@example.com or Ada <ada@example.com>.
MAIL_TO=${MAIL_TO-}
# The one that you sign in with. Absent: the first of MAIL_TO, without its name.
first=$MAIL_TO
case $first in '"'*) first=${first#\"} first=${first#*\"} ;; esac
first=${first%%,*}
case $first in *'<'*) first=${first#*<} first=${first%%>*} ;; esac
ADMIN_EMAIL=${ADMIN_EMAIL-$first}

# Tests install below another folder.
ROOT=${INSTALL_ROOT-}
CLONE=$ROOT/opt/domain-storefront
UNITS=$ROOT/etc/systemd/system
CADDYFILE=$ROOT/etc/caddy/Caddyfile
BACKUPS=$ROOT/var/backups/domain-storefront
USER_NAME=storefront
# Of Node, as engines of package.json has it.
MIN_MAJOR=20
START_TIMEOUT_S=120

main() {
  set -eu
  umask 022
  unset CDPATH
  # `su` without `-` leaves out the folders of useradd and others.
  PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  here=$(cd "$(dirname "$0")" && pwd)
  # Otherwise apt and others read what was pasted behind this script.
  exec </dev/null

  check_input
  install_packages
  create_user
  clone
  install_node
  copy_own_files
  write_env
  install_product
  start_product
  start_caddy
  show_password
  step 'Doctor: DNS, certificates and mail may still be missing'
  cd "$CLONE"
  exec sudo -u "$USER_NAME" npm run --silent doctor
}

check_input() {
  [ "$(id -u)" = 0 ] || fail 'This needs root: become root with sudo -s.'
  has apt-get || fail 'There is no apt-get: this is for Debian 12 and 13 and Ubuntu 24.04. docs/hosting.md has the parts.'
  # Programs that are started from here must not find the password in their environment.
  smtp_url=$SMTP_URL
  unset SMTP_URL
  [ -e "$CLONE/package.json" ] || [ -n "$REPOSITORY" ] ||
    fail 'REPOSITORY is not set. Set it to the address of the repository that you cloned.'
  [ ! -e "$here/own" ] || [ -e "$CLONE/own/catalogue.yaml" ] || [ -e "$here/own/catalogue.yaml" ] ||
    fail "$here/own has no catalogue.yaml. Copy your whole folder own there (scp -r own SERVER:), or remove this one."
  [ ! -e "$CLONE/.env" ] || return 0
  [ -n "$ADMIN_HOST" ] || fail 'ADMIN_HOST is not set. Set it to the host of the dashboard.'
  case ${smtp_url:+x}${MAIL_FROM:+x}${MAIL_TO:+x} in
    '' | xxx) ;;
    *) fail 'Of SMTP_URL, MAIL_FROM and MAIL_TO only some are set. Set all three, or none (no mail).' ;;
  esac
  settings >/dev/null
}

install_packages() {
  step 'Packages of the system'
  missing=
  for pair in update-ca-certificates:ca-certificates caddy:caddy git:git npm:npm sudo:sudo; do
    has "${pair%:*}" || missing="$missing ${pair#*:}"
  done
  if [ -z "$missing" ]; then
    say 'All are there.'
    return
  fi
  say "Installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  # A new server often installs updates at this time: that has five minutes to end. The names are several words.
  # shellcheck disable=SC2086
  quietly apt-get update -qq &&
    quietly apt-get install --yes --no-install-recommends -qq -o DPkg::Lock::Timeout=300 $missing ||
    fail 'The packages could not be installed. On Ubuntu they are in universe: add-apt-repository universe.'
}

create_user() {
  step "User $USER_NAME"
  if id "$USER_NAME" >/dev/null 2>&1; then
    say 'It is there.'
    return
  fi
  useradd --system --user-group --home-dir /var/cache/domain-storefront --shell /usr/sbin/nologin "$USER_NAME" ||
    fail 'The user could not be made.'
}

clone() {
  step "Clone in $CLONE"
  if [ -e "$CLONE/package.json" ]; then
    say 'Left as it is. docs/hosting.md#update-and-back says how to update.'
    return
  fi
  git clone --quiet "$REPOSITORY" "$CLONE" ||
    fail "The repository could not be cloned. Check REPOSITORY, or clone it to $CLONE yourself."
}

# Debian 12 and Ubuntu 24.04 have Node 18, whose npm leaves out packages that want a newer one. With that npm this gets
# another Node, and the npm that belongs to it, into /usr/local. The product itself runs on the Node among its packages.
install_node() {
  step 'Node'
  if is_new_enough; then
    say "$(node --version)"
    return
  fi
  wanted=$(cat "$CLONE/.node-version")
  say "Installing $wanted, since $(node --version) is too old."
  # One after the other, because npm 11 is not installed by a Node that is too old for it.
  for package in "node@$wanted" npm@11; do
    quietly npm install --global --no-audit --no-fund --loglevel=error "$package" ||
      fail "$package could not be installed."
    hash -r
  done
  is_new_enough ||
    fail "$(command -v node) still is $(node --version): remove it, or make /usr/local/bin the first folder of PATH."
}

copy_own_files() {
  step "Your files in $CLONE/own"
  if [ -e "$CLONE/own/catalogue.yaml" ]; then
    say 'Left as they are.'
    return
  fi
  if [ ! -e "$here/own" ]; then
    # The service may write in this folder, and makes no folder beside it.
    mkdir -p "$CLONE/own" || fail "$CLONE/own could not be made."
    say 'There are none. The sample is shown until you make your catalogue in the dashboard: page Names, Make your own.'
    return
  fi
  rm -rf "$CLONE/own.new" &&
    cp -R "$here/own" "$CLONE/own.new" &&
    { [ ! -d "$CLONE/own" ] || rmdir "$CLONE/own"; } &&
    mv "$CLONE/own.new" "$CLONE/own" ||
    fail "They could not be copied. $CLONE/own must be absent or empty, or have a catalogue.yaml."
}

write_env() {
  step "Settings in $CLONE/.env"
  if [ -e "$CLONE/.env" ]; then
    say 'Left as they are: what you set for this run is not written. Edit the file instead.'
  else
    (umask 077 && settings >"$CLONE/.env.new") && mv "$CLONE/.env.new" "$CLONE/.env" ||
      fail 'The file could not be written.'
  fi
  chown "$USER_NAME:" "$CLONE/.env" && chmod 600 "$CLONE/.env" || fail 'Its owner could not be set.'
}

# Root installs the packages, so that the service cannot change them; the user builds.
install_product() {
  step 'Packages of the product, and the catalogue'
  cd "$CLONE"
  npm run --silent catalogue -- check ||
    fail 'Either the packages could not be installed, or the catalogue has problems: see above.'
  step 'Pages'
  mkdir -p .builds .astro
  # A build makes this link, in a folder that only root changes.
  [ -e dist ] || [ -L dist ] || ln -s .builds/live dist
  chown -R "$USER_NAME:" own .builds .astro || fail 'The owner of own, .builds and .astro could not be set.'
  sudo -u "$USER_NAME" npm run --silent build ||
    fail "The pages could not be built: see above. Correct a setting that is wrong in $CLONE/.env."
}

start_product() {
  step 'Service, socket and nightly backup'
  mkdir -p "$UNITS"
  for unit in domain-storefront.service domain-storefront.socket domain-storefront-backup.service domain-storefront-backup.timer; do
    put "$CLONE/docs/deploy/$unit" "$UNITS/$unit"
  done
  if [ ! -d "$BACKUPS" ]; then
    mkdir -p "$BACKUPS" && chmod 700 "$BACKUPS" && chown "$USER_NAME:" "$BACKUPS" ||
      fail "$BACKUPS could not be made."
  fi
  if ! has_systemd; then
    say 'Nothing is started, because systemd does not run here.'
    return
  fi
  systemctl daemon-reload &&
    systemctl enable --quiet --now domain-storefront.socket domain-storefront.service domain-storefront-backup.timer ||
    fail 'The units could not be started: see journalctl -u domain-storefront.'
  say 'Waiting until the product runs …'
  tries=0
  until is_running; do
    tries=$((tries + 1))
    [ "$tries" -lt "$START_TIMEOUT_S" ] || fail 'The product does not run: see journalctl -u domain-storefront.'
    sleep 1
  done
}

start_caddy() {
  step 'Caddy'
  # As the package brings it, no one has changed the file.
  if is_of_package; then rm "$CADDYFILE"; fi
  mkdir -p "$(dirname "$CADDYFILE")"
  put "$CLONE/docs/deploy/Caddyfile" "$CADDYFILE"
  has_systemd || return 0
  systemctl reload-or-restart caddy ||
    fail 'Caddy could not be started: see journalctl -u caddy. Another server may use port 80 or 443.'
}

show_password() {
  password=$ROOT/var/lib/domain-storefront/admin-password.txt
  [ -e "$password" ] || return 0
  step 'The password for the dashboard (/admin)'
  say "cat $password"
}

# Writes .env. A value stands in quotes of a kind that it does not contain; in double ones \n would be a new line.
settings() {
  echo '# Every setting: .env.example. After an edit: systemctl restart domain-storefront'
  setting ADMIN_HOST "$ADMIN_HOST"
  setting ADMIN_EMAIL "$ADMIN_EMAIL"
  setting SMTP_URL "$smtp_url"
  setting MAIL_FROM "$MAIL_FROM"
  setting MAIL_TO "$MAIL_TO"
  setting TRUSTED_PROXIES 1
  setting DATA_DIR /var/lib/domain-storefront
}

setting() {
  case $2 in
    '') return 0 ;;
    *[[:cntrl:]]*) fail "$1 has a line break or another control character. Remove it." ;;
  esac
  case $2 in *\'*) ;; *) printf "%s='%s'\n" "$1" "$2" && return ;; esac
  case $2 in *\`*) ;; *) printf '%s=`%s`\n' "$1" "$2" && return ;; esac
  case $2 in *\"* | *'\n'*) ;; *) printf '%s="%s"\n' "$1" "$2" && return ;; esac
  fail "$1 has too many kinds of quotes for .env. Change it; in SMTP_URL write ' as %27."
}

# Copies a file of the clone to a place where none is.
put() {
  if [ ! -e "$2" ]; then
    cp "$1" "$2.new" && mv "$2.new" "$2" || fail "$2 could not be written."
    say "Written: $2"
  elif cmp -s "$1" "$2"; then
    say "There already: $2"
  else
    say "Left as it is, and not like the clone's: $2. Compare: diff $2 $1"
  fi
}

# Shows a command's output only if it fails.
quietly() {
  if output=$("$@" 2>&1); then return; fi
  printf '%s\n' "$output" >&2
  return 1
}

has() { command -v "$1" >/dev/null; }
has_systemd() { [ -d "$ROOT/run/systemd/system" ]; }
is_new_enough() { node -e "process.exit(parseInt(process.versions.node) < $MIN_MAJOR ? 1 : 0)"; }
is_running() {
  node -e 'fetch("http://127.0.0.1:4321/health").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
}
is_of_package() {
  [ -e "$CADDYFILE" ] &&
    dpkg-query --show --showformat '${Conffiles}\n' caddy 2>/dev/null |
    grep -q " /etc/caddy/Caddyfile $(md5sum <"$CADDYFILE" | cut -d ' ' -f 1)"
}
step() { printf '\n== %s\n' "$1"; }
say() { printf '%s\n' "$1"; }
fail() {
  printf '\nStopped: %s\nThen run this again: what is done already is left as it is.\n' "$1" >&2
  exit 1
}

main
