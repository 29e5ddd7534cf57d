#!/bin/sh
# A backup into FOLDER, named by the time in UTC; those older than KEEP_DAYS (30) are deleted once it is there. With
# RECIPIENT, an age public key, it is encrypted before it reaches the folder.
#
#   deploy/backup.sh FOLDER
set -eu
umask 077

[ $# = 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
name=study-$(date -u +%Y-%m-%dT%H%M%SZ).archive

if [ -n "${RECIPIENT:-}" ]; then
  name=$name.age
  # A shell notices only the last command of a pipe, so the backup says itself that it is complete.
  trap 'rm -f "$folder/.$name.part" "$folder/.complete"' EXIT
  { node scripts/run.mjs backup --out - && : >"$folder/.complete"; } | age -r "$RECIPIENT" -o "$folder/.$name.part"
  [ -e "$folder/.complete" ]
  mv "$folder/.$name.part" "$folder/$name"
else
  node scripts/run.mjs backup --out "$folder/$name"
fi

find "$folder" -name 'study-*.archive*' -mtime "+${KEEP_DAYS:-30}" -delete
