#!/usr/bin/env bash
# What the Kubernetes launcher sends, judged by the validation of Kubernetes itself. Needs Go. Writes its verdict to $VERDICT.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
version=1.34.4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/kubernetes/main.go" "$folder"
cd "$folder"
go mod init check >/dev/null 2>&1
module=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')
# Its own parts have other versions as modules.
for part in $(sed -n 's/^\s*\(k8s\.io\/\S*\) v0\.0\.0$/\1/p' "$module"); do
  go mod edit -replace "$part=$part@v0.${version#1.}"
done
go mod edit -require "k8s.io/kubernetes@v$version"
go mod tidy >/dev/null 2>&1
go build -o check .
cd "$here/../.."
npx tsx e2e/real/kubernetes.ts "$folder/check"
printf 'k8s.io/kubernetes %s\n%s\n' "$version" 'Jobs and Secrets are valid, and a wrong field is not' >"$VERDICT"
