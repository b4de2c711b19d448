/** Who a conversation is assigned to is decided exactly, and what is unread is counted exactly, also by processes side by side. */
import { postgres } from "@trunkline/storage-postgres"
import { inboxRaceSuite } from "@trunkline/testing/http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, it } from "vitest"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"
import { startNode } from "../../node/test/Hosts.ts"

const reason = missing()
if (reason === null) {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(migratedDatabase, Scope.Scope, scope))
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  inboxRaceSuite("postgres", startNode, () => postgres(url))
} else it.skip(`Postgres [skipped: ${reason}]`, () => undefined)
