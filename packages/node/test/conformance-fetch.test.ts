/** The HTTP suite through the fetch API, which needs no framework. */
import { sqlite } from "@trunkline/storage-sqlite"
import { HttpSuite } from "@trunkline/testing/http"
import { startFetch } from "./Hosts.ts"

HttpSuite("fetch", startFetch, () => sqlite(":memory:"))
