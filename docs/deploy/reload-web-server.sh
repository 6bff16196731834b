#!/bin/sh
# Makes the configuration of a web server that reads the pages of a build itself, and reloads it, as root:
#   cd /opt/domain-storefront && docs/deploy/reload-web-server.sh systemctl reload nginx
# Until the command has succeeded, the build that the server read so far is not removed. Who can write builds cannot write
# the configuration, which nginx reads as root: it is made anew from checked data, in a folder of root.
set -eu
here=$(dirname "$(readlink -f "$0")")
exec "$here/../../node_modules/.bin/node" --disable-warning=ExperimentalWarning "$here/../../node/commands/reload-web-server.ts" \
  "${CONFIGURATION_FOLDER:-/etc/domain-storefront}" "$@"
