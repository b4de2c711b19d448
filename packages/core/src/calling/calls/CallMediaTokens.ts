/** The media of calls in one process: tokens in the storage, and the agent that serves. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiKeys } from "../../platform/accounts/index.ts"
import { sha256Hex, tracedFn } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type CallAgent, CallMedia, noAgent } from "./CallMedia.ts"
import { CallStore } from "./CallStore.ts"
import { CallTokenStore } from "./CallTokenStore.ts"

/** The prefix of tokens, by which people and scanners recognize them. */
const tokenPrefix = "cmt_"

/** Stands below the carrier, which uses it, and below the rooms, one of which serves. */
export const layerCallMedia = Layer.effect(
  CallMedia,
  Effect.gen(function* () {
    const calls = yield* CallStore
    const storage = yield* Storage
    const tokens = yield* CallTokenStore
    let agent: CallAgent = noAgent

    const newToken = tracedFn("CallMedia.newToken")(function* (callId: Ids.CallId) {
      const token = ApiKeys.make(tokenPrefix)
      return (yield* storage.transact(tokens.set(callId, sha256Hex(token)))) ? token : null
    })

    const useToken = tracedFn("CallMedia.useToken")(function* (callId: Ids.CallId, token: string) {
      const isValid = yield* storage.transact(tokens.use(callId, sha256Hex(token)))
      return isValid ? yield* storage.read(calls.findInAnyAccount(callId)) : null
    })

    return {
      connected: (callId, line) => Effect.suspend(() => agent.connected(callId, line)),
      mayResume: (callId, why) => Effect.suspend(() => agent.mayResume(callId, why)),
      mayAnswer: (bot) => Effect.suspend(() => agent.mayAnswer(bot)),
      unconnected: (callId) => Effect.suspend(() => agent.unconnected(callId)),
      moved: (call, what) => Effect.suspend(() => agent.moved(call, what)),
      find: (callId) => storage.read(calls.findInAnyAccount(callId)),
      newToken,
      useToken,
      serve: (given) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            agent = given
          }),
          () =>
            Effect.sync(() => {
              if (agent === given) agent = noAgent
            })
        )
    }
  })
)
