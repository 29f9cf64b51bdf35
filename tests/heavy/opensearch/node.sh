#!/usr/bin/env bash
# One node of a cluster in a process of its own, with OpenSearch's neural-search plugin: node.sh DIR NUMBER NODES HTTP_PORT TRANSPORT_PORT
# Needs what shared/engines/opensearch/start.sh puts into $OPENSEARCH_HOME. End it by its process id.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${OPENSEARCH_HOME:-${TMPDIR:-/tmp}/touchstone-opensearch}
own=$home/nodes
(
  flock 9
  if [ ! -f "$own/.ready" ]; then
    mvn -q -B dependency:copy -Dartifact=org.opensearch.plugin:neural-search:2.19.1.0:zip -DoutputDirectory="$own"
    unzip -q -o "$own/neural-search-2.19.1.0.zip" -d "$own/neural"
    javac -cp "$home/lib/*" -d "$own/classes" "$here/OneNode.java"
    touch "$own/.ready"
  fi
) 9>"$home/.lock"
plugins=org.opensearch.knn.plugin.KNNPlugin,org.opensearch.neuralsearch.plugin.NeuralSearch
exec java -Xmx"${OPENSEARCH_HEAP:-300m}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  -cp "$own/classes:$home/lib/*:$home/knn/*:$own/neural/*" OneNode "$1" "$4" "$5" "$2" "$3" "$plugins"
