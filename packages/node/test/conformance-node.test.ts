/** The HTTP suite through Node's own server. */
import { sqlite } from "@trunkline/storage-sqlite"
import { HttpSuite, SocketSuite } from "@trunkline/testing/http"
import { startNode } from "./Hosts.ts"

HttpSuite("node:http", startNode, () => sqlite(":memory:"))
SocketSuite("node:http", startNode, () => sqlite(":memory:"))
