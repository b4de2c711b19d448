/** The model and the channel of a random day, each in its mood. */
import { Instant } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { chatAnswer } from "../inference/FakeChat.ts"
import { type Answering, accepts, refuses, silent, unreachable } from "./FakeChatPlatform.ts"
import type { SendOutcome } from "./ReplyDay.ts"
import { hasRead, type Memory, type Run, writtenAs } from "./ReplyMemory.ts"

const { minute, second } = Instant

/**
 * The fourth run in a row that fails is the last, and the third at the earliest that knows the latest message; a process that died
 * may have forgotten some.
 */
const isLastRun = ({ failedRuns }: Memory, { knows, who }: Run): boolean => {
  const own = failedRuns.filter((failed) => failed.who === who)
  const latest = knows.at(-1)!
  return own.length >= 4 && own.filter((failed) => hasRead(failed, latest)).length >= 3
}

/** What a run of the model comes to in a mood. Its answer says which run it is of. */
export const play = (memory: Memory) => {
  const { runs, world } = memory
  let made = 0
  const known = (texts: ReadonlyArray<string>) =>
    texts.map((text) => writtenAs(memory, text)).filter((one) => one !== undefined)
  const giveUp = (texts: ReadonlyArray<string>) => {
    for (const one of known(texts)) one.mayHaveNoReply = true
  }
  world.model.promises(10 * minute)
  world.model.does((work) =>
    Effect.gen(function* () {
      const knows = work.messages.flatMap((message) => (message.role === "user" ? [message.text] : []))
      const { who } = known(knows).at(-1)!
      made += 1
      const mark = `run-${made}`
      const run = { who, at: yield* Instant.now, knows }
      runs.set(mark, run)
      const { mood } = memory
      switch (mood) {
        case "fails":
          memory.failedRuns = [...memory.failedRuns, run]
          if (isLastRun(memory, run)) giveUp(knows)
          return yield* Effect.die(new Error("the model of the day fails"))
        case "says nothing":
          giveUp(knows)
          return chatAnswer({ text: "" })
        case "hangs":
          giveUp(knows)
          return yield* Effect.never
        case "is slow":
          yield* Effect.sleep(4 * second)
          break
        case "is very slow":
          yield* Effect.sleep(90 * second)
          break
      }
      const parts = mood === "answers at length" ? 3 : 1
      return chatAnswer({
        text: Array.from({ length: parts }, (_, nth) => `${mark} ${nth} ${"x".repeat(parts > 1 ? 2400 : 5)}`).join(
          "\n\n"
        )
      })
    })
  )
}

/**
 * Notes parts that go out after a refusal. A process that stands still with the answer of the platform has not recorded it: the next
 * one finds the outcome unknown, and sends the parts behind it.
 */
export const watchOrder = (memory: Memory): void => {
  const { followers, refused, world } = memory
  world.platform.beforeAccept = ({ biz_opaque_callback_data: reference }) =>
    Effect.map(world.everything, (rows) => {
      const own = rows.find(({ id }) => id === reference)
      if (own?.turnId == null) return
      for (const { id, part, status, turnId } of rows) {
        if (turnId !== own.turnId || part! >= own.part!) continue
        const isOver = refused.has(id) ? status === "unknown" : !/queued|sending/.test(status)
        if (!isOver) followers.push(`${own.id} follows ${id}, which is ${status}`)
      }
    })
}

export const answeringOf = (memory: Memory, outcome: SendOutcome): Answering => {
  switch (outcome) {
    case "accepts":
      return accepts
    case "throttles":
      return (call, accept) => {
        memory.seen.backedOff += 1
        return refuses(130429)(call, accept)
      }
    case "is unreachable":
      return unreachable
    case "is silent":
      return silent(false)
    case "accepts and is silent":
      return silent(true)
    case "is slow":
      return (_, accept) => Effect.tap(accept, () => Effect.sleep(5 * second))
    case "refuses":
      return (call, accept) => {
        memory.refused.add(String(call.body.biz_opaque_callback_data))
        return refuses(131026)(call, accept)
      }
  }
}
