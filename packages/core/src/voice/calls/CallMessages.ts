/** Chat messages that an agent sends to the person it talks with. Source: docs/reference/voice-agent.md#tools. */
import * as Effect from "effect/Effect"
import type { Call } from "../../calling/calls/index.ts"
import { ChatChannels, ConnectedNumbers } from "../../messaging/channels/index.ts"
import { NativeSend } from "../../messaging/sending/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"

type MessagedCall = Pick<Call, "botId" | "tenantId" | "to">

/** Of an account's numbers, the newest. */
const numbersLookedAt = 100

export interface CallMessages {
  /**
   * From which number a call's agent writes, by the channel's id: the agent's own, else the newest one of the account. Null where it
   * has none that writes to phones.
   */
  readonly numberFor: (call: MessagedCall) => Effect.Effect<string | null, StorageError>
  /** Sends a text to the callee. Succeeds with a sentence for the model where it was refused, and with null where it was sent. */
  readonly send: (call: MessagedCall, text: unknown) => Effect.Effect<string | null, StorageError>
}

export const makeCallMessages = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const native = yield* NativeSend
  const numbers = yield* ConnectedNumbers

  const numberFor = Effect.fnUntraced(function* ({ botId, tenantId }: MessagedCall) {
    if (channels.standard === null) return null
    const { kind } = channels.standard
    const { items } = yield* numbers.list(tenantId, { limit: numbersLookedAt, offset: 0 })
    const usable = items.filter(({ channel }) => channel === kind)
    const own = usable.find((number) => botId !== null && number.botId === botId)
    return (own ?? usable[0])?.phoneNumberId ?? null
  })

  const send = Effect.fnUntraced(function* (call: MessagedCall, text: unknown) {
    const phoneNumberId = yield* numberFor(call)
    const digits = PhoneNumber.usable(call.to)?.digits
    if (phoneNumberId === null || digits === undefined) return "No message can be sent to this person."
    const message = {
      phoneNumberId,
      to: { _tag: "Phone", digits },
      type: "text",
      content: typeof text === "string" ? text : "",
      answers: null
    } as const
    const sending = Effect.as(native.send(call.tenantId, message), null)
    return yield* Effect.catchTags(sending, {
      // In our own words, which say what the person would have to do.
      WindowClosed: ({ message }) => Effect.succeed(message),
      OptedOut: ({ message }) => Effect.succeed(message),
      InvalidMessage: ({ message }) => Effect.succeed(message),
      PlatformRefusal: ({ message }) => Effect.succeed(message),
      PlatformThrottled: ({ message }) => Effect.succeed(message),
      PlatformDown: ({ message }) => Effect.succeed(message),
      PlatformMissing: () => Effect.succeed("No message can be sent to this person."),
      ConnectedNumberNotFound: () => Effect.succeed("No message can be sent to this person.")
    })
  })

  return { numberFor, send } satisfies CallMessages
})
