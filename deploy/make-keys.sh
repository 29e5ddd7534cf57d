#!/bin/sh
# Makes the secrets of the replica set in FOLDER: what the members trust each other by (keyfile), the password of the
# database's administrator, a certificate authority, and a certificate for each member. What is there already stays, so
# it can be run again to add a member.
#
#   deploy/make-keys.sh FOLDER MEMBER...      such as: deploy/make-keys.sh deploy/keys mongo1 mongo2 mongo3
#
# A member is the name or the address by which the service and the other members reach it. As root, the files belong to
# the account in MONGO_OWNER, else to `mongodb`, or to the number that the MongoDB image uses (999).
set -eu

[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
umask 077

[ -s keyfile ] || openssl rand -base64 756 >keyfile
# It needs no percent-encoding in a URI.
[ -s admin-password ] || openssl rand -hex 24 >admin-password

if [ ! -s ca.key ]; then
  openssl req -x509 -newkey rsa:3072 -sha256 -nodes -days 3650 -subj '/CN=field-survey database authority' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout ca.key -out ca.pem 2>/dev/null
fi

for member in "$@"; do
  [ ! -s "$member.pem" ] || continue
  names=DNS:localhost,IP:127.0.0.1
  case $member in
    localhost | 127.0.0.1) ;;
    *[!0-9.]*) names=DNS:$member,$names ;;
    *) names=IP:$member,$names ;;
  esac
  # The same organization in all of them tells members from other holders of a certificate of this authority.
  openssl req -newkey rsa:3072 -nodes -subj "/O=field-survey/OU=database/CN=$member" \
    -keyout "$member.key" -out "$member.csr" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nkeyUsage=digitalSignature,keyEncipherment\n' \
    "$names" >"$member.ext"
  openssl x509 -req -sha256 -days 1825 -in "$member.csr" -CA ca.pem -CAkey ca.key -CAcreateserial \
    -extfile "$member.ext" -out "$member.crt" 2>/dev/null
  cat "$member.crt" "$member.key" >"$member.pem"
  rm "$member.crt" "$member.key" "$member.csr" "$member.ext"
done

# The service reads the authority's certificate, which is no secret; mongod refuses a keyfile that others can read.
chmod 755 .
chmod 644 ca.pem
chmod 400 keyfile
if [ "$(id -u)" = 0 ]; then
  owner=${MONGO_OWNER:-$(id -u mongodb 2>/dev/null || echo 999)}
  chown "$owner" keyfile
  for member in "$@"; do chown "$owner" "$member.pem"; done
fi
echo "The keys are in $(pwd). Keep a copy of ca.key and admin-password apart from this machine."
