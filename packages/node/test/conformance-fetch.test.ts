/** What hosts differ in, through the fetch API, which needs no framework. */
import { sqlite } from "@trunkline/storage-sqlite"
import { TransportSuite } from "@trunkline/testing/http"
import { startFetch } from "./Hosts.ts"

TransportSuite("fetch", startFetch, () => sqlite(":memory:"))
