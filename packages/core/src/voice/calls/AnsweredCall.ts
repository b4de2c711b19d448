/** One run of an agent on the line of a call, until it ends or the line is lost. Source: docs/reference/voice-agent.md#telephone. */
import * as Effect from "effect/Effect"
import type { MediaLine, MediaListener } from "../../platform/audio/index.ts"
import type { AgentSettings } from "../agent/index.ts"
import type { EndedElsewhere, LiveRun } from "../live/index.ts"
import type { Ending } from "../turns/index.ts"

/**
 * What becomes of the line at the end.
 *
 * - `hangUp`  the call is hung up
 * - `goodbye` the carrier's own voice says goodbye first, since nothing else can speak
 * - `silence` nothing more is said; the call ends by itself
 */
type LineEnd = "hangUp" | "goodbye" | "silence"

interface AnsweredCallOptions {
  readonly line: MediaLine
  readonly settings: AgentSettings
  readonly fork: (effect: Effect.Effect<unknown>) => unknown
  /** Ends the call at its carrier, for a reason of ours. */
  readonly hangUp: Effect.Effect<void>
  /** Why the call has ended, where its other side did so or the API. */
  readonly reasonOfCall: Effect.Effect<string>
  /** The session goes on with the next line of the call. */
  readonly handBack: Effect.Effect<void>
  /** The line is lost, and the session is not over. */
  readonly lost: Effect.Effect<void>
  /** The run is over. */
  readonly gone: () => void
}

export class AnsweredCall implements MediaListener {
  readonly #of: AnsweredCallOptions
  #run: LiveRun | null = null
  #isOver = false
  /** An end that came before the beginning. */
  #early: (() => void) | null = null

  constructor(options: AnsweredCallOptions) {
    this.#of = options
  }

  begin(run: LiveRun): void {
    this.#run = run
    if (this.#early === null) run.conversation.handle({ _tag: "Begun" })
    else this.#early()
  }

  get isBusy(): boolean {
    return !this.#isOver && this.#run?.conversation.isBusy === true
  }

  // The line

  readonly sound = (sound: Uint8Array): void => {
    if (!this.#isOver) this.#run?.conversation.listener.sound(sound)
  }

  readonly marked = (name: string): void => {
    if (!this.#isOver) this.#run?.conversation.listener.marked(name)
  }

  readonly key = (key: string): void => {
    if (!this.#isOver) this.#run?.conversation.listener.key(key)
  }

  readonly closed = (why: "hangup" | "lost"): void => {
    if (this.#isOver) return
    const { fork, lost, reasonOfCall } = this.#of
    if (why === "lost") fork(Effect.andThen(this.suspend, lost))
    else fork(Effect.map(reasonOfCall, (reason) => this.finish(reason, "silence")))
  }

  /** The agent is to speak of it. */
  happened(content: string): void {
    if (!this.#isOver) this.#run?.conversation.handle({ _tag: "Happened", content })
  }

  // The end

  /** The conversation wants to end, or has to. */
  readonly ending = ({ code, reason }: Ending): void => {
    if (reason === "handoff") this.finish(reason, "silence")
    else this.finish(reason, code === "FAILED_TO_SPEAK" ? "goodbye" : "hangUp")
  }

  /** Something else has ended the session, or another process has the line. */
  readonly endedElsewhere = ({ session }: EndedElsewhere): void => {
    const reason = session?.endReason ?? null
    if (reason === null) this.#of.fork(this.replaced)
    else this.finish(reason, reason === "voicemail" ? "silence" : "hangUp")
  }

  /** Ends the session, and then the line. The first of several ends counts. */
  finish(reason: string, lineEnd: LineEnd): void {
    if (this.#run === null) {
      this.#early ??= () => this.finish(reason, lineEnd)
      return
    }
    if (this.#isOver) return
    this.#isOver = true
    const { fork, gone, line } = this.#of
    if (lineEnd === "silence" && reason === "voicemail") line.clear()
    const closing = this.#closeLine(lineEnd)
    fork(
      Effect.andThen(
        this.#run.end(reason),
        Effect.suspend(() => {
          gone()
          return closing
        })
      )
    )
  }

  #closeLine(lineEnd: LineEnd): Effect.Effect<void> {
    const { hangUp, line, settings } = this.#of
    if (lineEnd === "silence") return Effect.void
    if (lineEnd === "goodbye" && line.sayGoodbye !== undefined) {
      return Effect.sync(() => line.sayGoodbye?.(settings.messages.goodbye, settings.language))
    }
    return Effect.andThen(
      hangUp,
      Effect.sync(() => line.hangUp())
    )
  }

  /** Stores what was said, and closes the run. The session goes on. */
  readonly suspend: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#isOver) return Effect.void
    if (this.#run === null) {
      this.#early ??= () => this.#of.fork(this.suspend)
      return Effect.void
    }
    this.#isOver = true
    return Effect.tap(this.#run.suspend, () => Effect.sync(() => this.#of.gone()))
  })

  /** Another line of the call has come: it takes the session over, and this one is closed. */
  readonly replaced: Effect.Effect<void> = Effect.andThen(
    this.suspend,
    Effect.sync(() => this.#of.line.handBack?.())
  )

  /** The process stops: the carrier asks for the call's agent again, and finds it elsewhere. */
  readonly handBack: Effect.Effect<void> = Effect.suspend(() =>
    this.#isOver ? Effect.void : Effect.andThen(this.suspend, Effect.andThen(this.#of.handBack, this.replaced))
  )
}
