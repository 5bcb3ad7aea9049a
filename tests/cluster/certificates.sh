#!/usr/bin/env bash
# certificates.sh DIR SERVER [USER...]   one authority, a server certificate for loopback, and for each USER (a name, or
# name=group) a client certificate and a kubeconfig that reaches SERVER with it.
# MORE_NAMES: further names of the server, as a subjectAltName lists them (`DNS:…,IP:…`).
set -euo pipefail
dir=$1 server=$2
shift 2
cd "$dir"

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }

sign() { # NAME SUBJECT EXTENSIONS
  key "$1"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr" 2>/dev/null
  printf 'basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature\n%b' "$3" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

kubeconfig() { # NAME
  cat >"$1.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters: [{name: gleaner, cluster: {server: "$server", certificate-authority: "$dir/ca.crt"}}]
users: [{name: "$1", user: {client-certificate: "$dir/$1.crt", client-key: "$dir/$1.key"}}]
contexts: [{name: gleaner, context: {cluster: gleaner, user: "$1"}}]
current-context: gleaner
YAML
}

key ca
openssl req -x509 -new -key ca.key -subj /CN=gleaner-test-ca -days 30 -out ca.crt \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
sign server /CN=kube-apiserver 'extendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost,IP:127.0.0.1,IP:10.96.0.1'"${MORE_NAMES:+,$MORE_NAMES}"'\n'
openssl genrsa -out sa.key 2048 2>/dev/null
openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
for user in "$@"; do
  name=${user%%=*} group=
  [ "$name" = "$user" ] || group=/O=${user#*=}
  sign "$name" "$group/CN=$name" 'extendedKeyUsage=clientAuth\n'
  kubeconfig "$name"
done
