#!/bin/sh
# Reloads a web server that reads the pages of a build itself:
#   cd /opt/domain-storefront && docs/deploy/reload-web-server.sh systemctl reload nginx
# Until the command has succeeded, the build that the server read so far is not removed.
set -eu
pin=.builds/pinned-web-server
next=$(readlink -f dist)
last=$(sed -n 's/^\["\([^"]*\)".*/\1/p' "$pin" 2>/dev/null || true)
# A new file, and no folder behind a link: who may write in .builds may be another user than this one.
write() { rm -f .builds/.pin && (set -C && printf '%s\n' "$1" > .builds/.pin) && mv -T .builds/.pin "$pin"; }
write "[\"${last:-$next}\", \"$next\"]"
"$@"
write "[\"$next\"]"
