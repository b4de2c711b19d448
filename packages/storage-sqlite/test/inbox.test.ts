/** Who a conversation is assigned to is decided exactly, and what is unread is counted exactly, also by processes with one file. */
import { sqlite } from "@trunkline/storage-sqlite"
import { inboxRaceSuite } from "@trunkline/testing/http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import { startNode } from "../../node/test/Hosts.ts"
import { databasePath } from "./Files.ts"

const scope = Scope.makeUnsafe()
const path = await Effect.runPromise(Effect.provideService(databasePath, Scope.Scope, scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
inboxRaceSuite("sqlite", startNode, () => sqlite(path))
