/** What readers of the stream hear of an analysis: docs/reference/stream.md#topics. */
import { expect, it } from "vitest"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { Room } from "../../../src/voice/analysis/VoiceAnalysisRoom.ts"

const tenantId = Ids.as<"Account">("an account")

it("an analysis is noted with the call that shows it, and with all calls", () => {
  const [{ verbs }] = Room.changes as unknown as readonly [
    { readonly verbs: Readonly<Record<string, (...given: ReadonlyArray<unknown>) => unknown>> }
  ]
  expect(verbs.put?.({ tenantId }, "7")).toEqual({ tenantId, topics: ["calls", "call:7"] })
  expect(verbs.save?.({ tenantId }, "a claim", "7")).toEqual({ tenantId, topics: ["calls", "call:7"] })
  expect(verbs.save?.({ tenantId }, "a claim", null)).toEqual({ tenantId, topics: ["calls"] })
})
