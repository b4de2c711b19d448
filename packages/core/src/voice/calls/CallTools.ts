/** The tools that an agent has on a telephone. Source: docs/reference/voice-agent.md#tools. */
import * as Effect from "effect/Effect"
import type { Call } from "../../calling/calls/index.ts"
import { Suppression } from "../../calling/suppression/index.ts"
import type { MediaLine } from "../../platform/audio/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import { type AgentSettings, doNotCallTool, sendMessageTool, transferToolName } from "../agent/index.ts"
import type { BuiltInTool, CallResult } from "../live/index.ts"
import { makeCallMessages } from "./CallMessages.ts"

/** Of a person's words in an entry's reason. */
const maxReason = 300

const fault = (error: string): CallResult => ({ content: JSON.stringify({ error }), after: null })
const unavailable = fault("This is not available at the moment.")

/** A failure of ours is a result that says nothing of it. */
const orUnavailable = <E>(tool: Effect.Effect<CallResult, E>): Effect.Effect<CallResult> =>
  Effect.catchCause(tool, (cause) => Effect.as(Effect.logError("a tool of a call failed", cause), unavailable))

interface CallToolsOptions {
  readonly call: Pick<Call, "botId" | "id" | "tenantId" | "to">
  readonly line: Pick<MediaLine, "transfer">
  readonly settings: Pick<AgentSettings, "transferTargets">
}

interface CallToolbox {
  readonly tools: Readonly<Record<string, BuiltInTool>>
  /** Connects the caller with the person that was chosen last. */
  readonly transfer: Effect.Effect<boolean>
}

/** Makes the tools of calls. */
export const makeCallTools = Effect.gen(function* () {
  const messages = yield* makeCallMessages
  const storage = yield* Storage
  const suppression = yield* Suppression

  /** The number is the call's own: nothing that is said can choose another. */
  const suppress = Effect.fnUntraced(function* ({ id, tenantId, to }: CallToolsOptions["call"], given: unknown) {
    const at = Instant.toIso(yield* Instant.now)
    const why = typeof given === "string" && given.trim() !== "" ? `: ${given.trim().slice(0, maxReason)}` : ""
    const reason = `Asked on call ${id} at ${at}${why}`
    const { skippedInvalid } = yield* suppression.addRequested(tenantId, { phone: to, reason })
    return skippedInvalid > 0 ? unavailable : ({ content: '{"done":true}', after: "end" } satisfies CallResult)
  })

  /** To the call's own number as well. */
  const message = (call: CallToolsOptions["call"], text: unknown) =>
    Effect.map(
      messages.send(call, text),
      (refused): CallResult => (refused === null ? { content: '{"done":true}', after: null } : fault(refused))
    )

  /** The phone of a target, or why it cannot be called. */
  const targetOf = Effect.fnUntraced(function* ({ call, line, settings }: CallToolsOptions, given: unknown) {
    const target = settings.transferTargets.find(({ name }) => name === given)
    if (target === undefined) return fault("There is no such target.")
    const number = PhoneNumber.usable(target.phone)
    if (number === undefined || line.transfer === null) return fault("This target cannot be reached by telephone.")
    const isListed = yield* storage.read(suppression.listed(call.tenantId, number.key))
    return isListed ? fault("This target must not be called.") : target
  })

  const toolsOf = (options: CallToolsOptions): CallToolbox => {
    let phone: string | null = null
    const transferTo = Effect.fnUntraced(function* (given: unknown) {
      const target = yield* targetOf(options, given)
      if ("content" in target) return target
      phone = target.phone
      return { content: '{"done":true}', after: "transfer" } satisfies CallResult
    })
    return {
      tools: {
        [doNotCallTool.name]: ({ reason }) => orUnavailable(suppress(options.call, reason)),
        [sendMessageTool.name]: ({ text }) => orUnavailable(message(options.call, text)),
        [transferToolName]: ({ target }) => orUnavailable(transferTo(target))
      },
      transfer: Effect.suspend(() => {
        const { transfer } = options.line
        if (transfer === null || phone === null) return Effect.succeed(false)
        const to = phone
        return Effect.catchCause(
          Effect.promise(() => transfer(to)),
          (cause) => Effect.as(Effect.logWarning("a call could not be transferred", options.call.id, cause), false)
        )
      })
    }
  }
  return toolsOf
})
