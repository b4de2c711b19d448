/**
 * What hosts differ in, through Node's own server. Every route runs through Express, and bodies of every kind
 * through Fastify too: both adapters pass every request to the same handler.
 */
import { sqlite } from "@trunkline/storage-sqlite"
import { HostSuite, SocketSuite } from "@trunkline/testing/http"
import { startNode } from "./Hosts.ts"

HostSuite("node:http", startNode, () => sqlite(":memory:"))
SocketSuite("node:http", startNode, () => sqlite(":memory:"))
