import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Node of a cluster in a process of its own: OneNode DIR HTTP_PORT TRANSPORT_PORT NUMBER NODES PLUGINS. The ports are those of the first node. */
public class OneNode {
  public static void main(String[] args) throws Exception {
    int http = Integer.parseInt(args[1]), transport = Integer.parseInt(args[2]);
    int number = Integer.parseInt(args[3]), nodes = Integer.parseInt(args[4]);
    StringBuilder hosts = new StringBuilder(), names = new StringBuilder();
    for (int i = 0; i < nodes; i++) {
      hosts.append(i > 0 ? "," : "").append("127.0.0.1:").append(transport + i);
      names.append(i > 0 ? "," : "").append("node-").append(i);
    }
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((ignored, builder) -> {
      builder.put("network.host", "127.0.0.1");
      builder.put("node.name", "node-" + number);
      builder.put("http.port", String.valueOf(http + number));
      builder.put("transport.port", String.valueOf(transport + number));
      builder.put("discovery.seed_hosts", hosts.toString());
      builder.put("cluster.initial_cluster_manager_nodes", names.toString());
      builder.put("node.processors", "1");
    }).build(newConfigs().clusterName("touchstone-nodes").numOfNode(1).basePath(args[0] + "/node-" + number)
        .disableESLogger().pluginTypes(args[5]));
    runner.ensureYellow();
    System.out.println("READY http://127.0.0.1:" + (http + number));
    Thread.currentThread().join();
  }
}
