#!/bin/sh
# Tells somebody that UNIT has failed: in the journal, and where the environment says so by mail and over the web. The
# message names the machine and the unit, nothing else.
#
#   deploy/notify.sh UNIT
#
#   NOTIFY_MAIL   addresses, separated by spaces; needs a program `sendmail`, such as Debian's msmtp-mta
#   NOTIFY_URL    an address that takes the text as the body of a POST, such as https://ntfy.sh/A-LONG-RANDOM-NAME
set -u

[ $# -eq 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
text="$1 has failed on $(uname -n). Look at: journalctl -u $1 -n 50"
failed=0

# Its standard error is the journal; 3 is the priority of an error.
echo "<3>$text" >&2
if [ -n "${NOTIFY_MAIL:-}" ]; then
  # shellcheck disable=SC2086
  printf 'To: %s\nSubject: %s has failed\n\n%s\n' "$(echo $NOTIFY_MAIL | sed 's/ /, /g')" "$1" "$text" |
    sendmail $NOTIFY_MAIL || failed=1
fi
if [ -n "${NOTIFY_URL:-}" ]; then
  curl -fsS --max-time 30 --retry 2 --data-raw "$text" "$NOTIFY_URL" >/dev/null || failed=1
fi
[ $failed -eq 0 ] || echo '<3>The notice could not be sent.' >&2
exit $failed
