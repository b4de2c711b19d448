/** The HTTP suite through the two entries that need no framework. */
import { sqlite } from "@trunkline/storage-sqlite"
import { HttpSuite } from "@trunkline/testing/http"
import { startFetch, startNode } from "./Hosts.ts"

HttpSuite("node:http", startNode, () => sqlite(":memory:"))
HttpSuite("fetch", startFetch, () => sqlite(":memory:"))
