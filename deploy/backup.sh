#!/bin/sh
# Makes a backup in FOLDER, named by the time in UTC, and then deletes those older than KEEP_DAYS (30). It is encrypted if
# the settings have BACKUP_RECIPIENT. COMMAND runs it elsewhere than in this folder, such as:
#
#   deploy/backup.sh FOLDER [COMMAND...]
#   deploy/backup.sh /var/backups/field-survey docker compose run --rm -T --no-deps app
set -eu
umask 077

[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
name=study-$(date -u +%Y-%m-%dT%H%M%SZ).archive
part=$folder/.$name.part
trap 'rm -f "$part"' EXIT
# A signal alone does not run the line above.
trap 'exit 1' HUP INT TERM
# What a killed run left can be unencrypted.
find "$folder" -name '.study-*.part' -mtime +0 -delete

"$@" node scripts/run.mjs backup --out - >"$part"
if head -c 18 "$part" | grep -q '^age-encryption.org'; then name=$name.age; fi
mv "$part" "$folder/$name"
find "$folder" -name 'study-*.archive*' -mmin "+$((${KEEP_DAYS:-30} * 1440))" -delete
