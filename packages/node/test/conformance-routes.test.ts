/** Every route, through the handler that all hosts pass their requests to. */
import { sqlite } from "@trunkline/storage-sqlite"
import { RouteSuite } from "@trunkline/testing/http"
import { startAlone } from "./Hosts.ts"

RouteSuite("the handler", startAlone, () => sqlite(":memory:"))
