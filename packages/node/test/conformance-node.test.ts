/** What hosts differ in, through Node's own server. Bodies run through Express and Fastify, which pass them to the same handler. */
import { sqlite } from "@trunkline/storage-sqlite"
import { HostSuite, SocketSuite } from "@trunkline/testing/http"
import { startNode } from "./Hosts.ts"

HostSuite("node:http", startNode, () => sqlite(":memory:"))
SocketSuite("node:http", startNode, () => sqlite(":memory:"))
