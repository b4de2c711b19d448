/** Requests of language models through their relay: every case beside the route's own way, and the rules of their routes. */
import { sqlite } from "@trunkline/storage-sqlite"
import { LlmSuite, RelaySuite } from "@trunkline/testing/http"
import { startNode } from "./Hosts.ts"

RelaySuite("Node", startNode, () => sqlite(":memory:"))
LlmSuite("a relay", startNode, () => sqlite(":memory:"))
