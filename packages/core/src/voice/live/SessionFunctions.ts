/** The functions of one session: built-in ones, the host's own, and those of a client. Source: docs/reference/voice-agent.md#functions. */
import * as Effect from "effect/Effect"
import { argumentsOf, type ChatTool, distinctId, type ToolCall } from "../../gateway/upstreams/index.ts"
import {
  type AgentFunction,
  type AgentSettings,
  cutResult,
  functionFaults,
  functionNamed,
  type JsonObject
} from "../agent/index.ts"
import type { EndedCall } from "../turns/index.ts"
import type { CallResult, FunctionTable } from "./ReplyRun.ts"

/** Calls in one round. */
const maxCalls = 8

/** A call as a client is shown it. */
export interface ShownCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly isClientSide: boolean
}

/** Who is shown the calls of functions. Built-in tools are not shown. */
export interface FunctionView {
  readonly requested: (calls: ReadonlyArray<ShownCall>) => void
  /** A function that ran here has answered. */
  readonly answered: (call: ShownCall, content: string) => void
  readonly finished: (call: ShownCall, content: string) => void
  readonly cancelled: (calls: ReadonlyArray<ShownCall>) => void
  readonly timedOut: (call: ShownCall) => void
}

/** A tool that an agent has by itself. It has no error: a fault is a result. One that has begun is not cancelled. */
export type BuiltInTool = (args: JsonObject) => Effect.Effect<CallResult>

export interface SessionFunctionsOptions {
  readonly settings: () => AgentSettings
  readonly offered: () => ReadonlyArray<ChatTool>
  readonly builtIn: Readonly<Record<string, BuiltInTool>>
  /** Whether there is a client that runs functions without an endpoint. */
  readonly hasClient: boolean
  readonly timeoutMs: number
  /** Calls a function at its endpoint; a failure is a text as well. */
  readonly callEndpoint: (call: ShownCall, of: AgentFunction, args: JsonObject) => Effect.Effect<string>
  readonly view: FunctionView
  /** Ids of the calls that were made before. */
  readonly taken: ReadonlyArray<string>
}

const said = (content: string): CallResult => ({ content, after: null })

/** A call of a model, as it is understood. */
type Understood =
  | { readonly _tag: "NotMade" }
  | { readonly _tag: "Wrong"; readonly content: string }
  | { readonly _tag: "BuiltIn"; readonly use: Effect.Effect<CallResult> }
  | { readonly _tag: "Function"; readonly of: AgentFunction; readonly args: JsonObject }

/** The calls of one round. */
interface Round {
  /** Functions of the host's that have not ended yet. */
  readonly open: Map<string, ShownCall>
  readonly onEnded: (call: EndedCall) => void
}

export class SessionFunctions implements FunctionTable {
  readonly #of: SessionFunctionsOptions
  /** What takes the answer of a client, by the id of its call. */
  readonly #waiting = new Map<string, (content: string) => void>()
  /** Ids of all calls of the session: a late answer must not reach a later call. */
  readonly #ids: Set<string>

  constructor(options: SessionFunctionsOptions) {
    this.#of = options
    this.#ids = new Set(options.taken)
  }

  readonly offered = (): ReadonlyArray<ChatTool> => this.#of.offered()

  /** The client's answer to a call. False where no call of this id waits. */
  respond(id: string, content: string): boolean {
    const answer = this.#waiting.get(id)
    answer?.(content)
    return answer !== undefined
  }

  readonly run: FunctionTable["run"] = (asked, onEnded) =>
    Effect.suspend(() => {
      const calls = asked.map((call) => ({ ...call, id: distinctId(call.id, this.#ids) }))
      const own = calls.map((call, nth) => ({ call, what: this.#understood(call, nth) }))
      const shown = own.flatMap(({ call, what }) => (what._tag === "Function" ? [shownCall(call, what.of)] : []))
      if (shown.length > 0) this.#of.view.requested(shown)
      const round: Round = { open: new Map(shown.map((call) => [call.id, call])), onEnded }
      const running = Effect.forEach(
        own,
        ({ call, what }) => Effect.map(this.#result(call, what, round), (result) => ({ ...result, call })),
        { concurrency: "unbounded" }
      )
      return Effect.onInterrupt(running, () =>
        Effect.sync(() => {
          for (const id of round.open.keys()) this.#waiting.delete(id)
          if (round.open.size > 0) this.#of.view.cancelled([...round.open.values()])
        })
      )
    })

  #understood({ arguments: written, name }: ToolCall, nth: number): Understood {
    if (nth >= maxCalls) return { _tag: "NotMade" }
    const of = this.#find(name)
    const offered = this.#of.offered().map((tool) => tool.name)
    const tool = offered.includes(name) ? this.#of.builtIn[name] : undefined
    if (of === null && tool === undefined) return { _tag: "Wrong", content: functionFaults.unknown(offered).content }
    const args = argumentsOf(written)
    if (args === null) return { _tag: "Wrong", content: functionFaults.badArguments.content }
    if (of !== null) return { _tag: "Function", of, args }
    return { _tag: "BuiltIn", use: tool?.(args) ?? Effect.succeed(notMade) }
  }

  /** A function of the host's that can be run here; null for every other name. */
  #find(name: string): AgentFunction | null {
    const found = functionNamed(this.#of.settings().functions, name)
    return found !== null && found.endpoint === null && !this.#of.hasClient ? null : found
  }

  #result(call: ToolCall, what: Understood, round: Round): Effect.Effect<CallResult> {
    const ended = (result: CallResult) => {
      const cut = { ...result, content: cutResult(result.content) }
      round.open.delete(call.id)
      round.onEnded({ role: "tool", ...call, result: cut.content })
      return cut
    }
    switch (what._tag) {
      case "NotMade":
        return Effect.succeed(notMade)
      case "Wrong":
        return Effect.sync(() => ended(said(what.content)))
      case "BuiltIn":
        // What it has begun cannot be undone: it is finished, and known to the run that answers next.
        return Effect.uninterruptible(Effect.map(what.use, ended))
      case "Function": {
        const shown = shownCall(call, what.of)
        return what.of.endpoint === null ? this.#byClient(shown, ended) : this.#byEndpoint(shown, what, ended)
      }
    }
  }

  #byEndpoint(
    call: ShownCall,
    { args, of }: Extract<Understood, { readonly _tag: "Function" }>,
    ended: (result: CallResult) => CallResult
  ): Effect.Effect<CallResult> {
    return Effect.map(this.#of.callEndpoint(call, of, args), (content) => {
      this.#of.view.answered(call, content)
      this.#of.view.finished(call, content)
      return ended(said(content))
    })
  }

  /** An answer counts from the moment in which it comes, also where the run is cancelled in the next one. */
  #byClient(call: ShownCall, ended: (result: CallResult) => CallResult): Effect.Effect<CallResult> {
    const answered = Effect.callback<CallResult>((resume) => {
      this.#waiting.set(call.id, (content) => {
        this.#waiting.delete(call.id)
        this.#of.view.finished(call, content)
        resume(Effect.succeed(ended(said(content))))
      })
    })
    const late = Effect.sync(() => {
      this.#waiting.delete(call.id)
      this.#of.view.timedOut(call)
      return ended(said(functionFaults.timeout.content))
    })
    return Effect.timeoutOrElse(answered, { duration: this.#of.timeoutMs, orElse: () => late })
  }
}

const notMade: CallResult = { content: functionFaults.tooMany(maxCalls).content, after: null }

const shownCall = ({ arguments: written, id, name }: ToolCall, of: AgentFunction): ShownCall => ({
  id,
  name,
  arguments: written,
  isClientSide: of.endpoint === null
})
