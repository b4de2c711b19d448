/** Lets an answering machine hear the voicemail template of its call. */
import * as Effect from "effect/Effect"
import { Storage } from "../../platform/storage/index.ts"
import { type Call, isEnded, stop } from "./Call.ts"
import { CallTransitions } from "./CallTransitions.ts"
import { Carrier, type VoicemailMessage } from "./Carrier.ts"
import { namedRef } from "./CarrierAnswers.ts"
import { NumberStore, type VoicemailTemplate } from "./NumberStore.ts"

/** Leaves the message of a call that a machine has answered. */
export const voicemailMessages = Effect.gen(function* () {
  const carrier = yield* Carrier
  const numbers = yield* NumberStore
  const storage = yield* Storage
  const transitions = yield* CallTransitions

  /** A call whose message could not be played, or perhaps not, is hung up: its contact is retried. */
  const hangUp = (call: Call) =>
    Effect.asVoid(
      transitions.apply(call.id, (present, at) =>
        Effect.succeed(isEnded(present) ? null : { call: { ...stop(present, "hangup_local", at), messageAt: null } })
      )
    )

  return Effect.fnUntraced(function* (call: Call) {
    const template = yield* storage.read(numbers.findTemplate(call.tenantId, call.voicemailTemplateId!))
    const ref = namedRef(call)
    if (template === null || ref === null) return yield* hangUp(call)
    yield* Effect.catch(carrier.leaveMessage(ref, messageOf(template)), (error) =>
      Effect.andThen(Effect.logWarning(error.message, call.id), hangUp(call))
    )
  })
})

const messageOf = ({ audioUrl, text }: VoicemailTemplate): VoicemailMessage =>
  text === null ? { _tag: "Audio", url: audioUrl! } : { _tag: "Text", text }
