/** Requests that relays get before they have a fiber: docs/reference/gateway.md#relay. */
import * as Context from "effect/Context"
import * as Tracer from "effect/Tracer"
import { assert, describe, it } from "vitest"
import { relaying } from "../../../../src/platform/http/engine/Relaying.ts"

const settings = { limit: null, jsonBodyBytes: 1024, families: [], headerPrefix: "X-" }
const routes = { find: () => undefined }

describe("relays of routes", () => {
  it("are there where the host provides no tracer, and not where it does", () => {
    const tracer = Tracer.make({ span: () => assert.fail("no request has a span here") })
    assert.isNotNull(relaying(routes, settings, Context.empty()))
    assert.isNull(relaying(routes, settings, Context.make(Tracer.Tracer, tracer)))
  })
})
