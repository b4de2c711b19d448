/** The functions of one session: built-in ones, the host's own, and those of a client. Source: docs/voice-agent.md#functions. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ChatTool, ToolCall } from "../inference/index.ts"
import type { Ids } from "../kernel/index.ts"
import {
  type AgentFunction,
  type AgentSettings,
  argumentsOf,
  cutResult,
  functionFaults,
  functionNamed,
  type JsonObject
} from "../voice-agent/index.ts"
import { distinctId } from "../voice-pipeline/index.ts"
import type { CallResult, FunctionTable } from "./ReplyRun.ts"

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

/** A tool that an agent has by itself. It has no error: what is wrong is a result. */
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
  /** Writes a call that has ended into the transcript. */
  readonly store: (call: ShownCall, result: string, turnId: Ids.TurnId) => Effect.Effect<void>
}

const said = (content: string): CallResult => ({ content: cutResult(content), after: null })

/** A call of a model, as it is understood. */
interface OwnCall {
  readonly call: ToolCall
  /** Null for a built-in tool, and for a name that does not exist. */
  readonly of: AgentFunction | null
  /** Null where they are no JSON object: then nobody is asked. */
  readonly args: JsonObject | null
}

const badArguments = Effect.succeed(said(functionFaults.badArguments.content))

export class SessionFunctions implements FunctionTable {
  readonly #of: SessionFunctionsOptions
  readonly #waiting = new Map<string, Deferred.Deferred<string>>()
  /** Ids of all calls of the session: a late answer must not reach a later call. */
  readonly #ids = new Set<string>()

  constructor(options: SessionFunctionsOptions) {
    this.#of = options
  }

  readonly offered = (): ReadonlyArray<ChatTool> => this.#of.offered()

  /** The client's answer to a call. False where no call of this id waits. */
  respond(id: string, content: string): boolean {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return false
    this.#waiting.delete(id)
    Deferred.doneUnsafe(waiting, Effect.succeed(content))
    return true
  }

  readonly run: FunctionTable["run"] = (turnId, calls) =>
    Effect.suspend(() => {
      const own = calls.map(
        (call): OwnCall => ({
          call: { ...call, id: distinctId(call.id, this.#ids) },
          of: this.#find(call.name),
          args: argumentsOf(call.arguments)
        })
      )
      const shown = own.flatMap(({ args, call, of }) => (of === null || args === null ? [] : [this.#shown(call, of)]))
      if (shown.length > 0) this.#of.view.requested(shown)
      const open = new Set(shown.map(({ id }) => id))
      const running = Effect.forEach(
        own,
        (one) =>
          Effect.tap(this.#result(one), ({ content }) => {
            open.delete(one.call.id)
            return this.#of.store(this.#shown(one.call, one.of), content, turnId)
          }),
        { concurrency: "unbounded" }
      )
      return Effect.onInterrupt(running, () =>
        Effect.sync(() => {
          for (const id of open) this.#waiting.delete(id)
          const cancelled = shown.filter(({ id }) => open.has(id))
          if (cancelled.length > 0) this.#of.view.cancelled(cancelled)
        })
      )
    })

  /** A function of the host's that can be run here; null for every other name. */
  #find(name: string): AgentFunction | null {
    const found = functionNamed(this.#of.settings().functions, name)
    return found !== null && found.endpoint === null && !this.#of.hasClient ? null : found
  }

  #shown({ arguments: args, id, name }: ToolCall, of: AgentFunction | null): ShownCall {
    return { id, name, arguments: args.trim() === "" ? "{}" : args, isClientSide: of !== null && of.endpoint === null }
  }

  #result({ args, call, of }: OwnCall): Effect.Effect<CallResult> {
    if (of === null) {
      const offered = this.#of.offered().map(({ name }) => name)
      const tool = offered.includes(call.name) ? this.#of.builtIn[call.name] : undefined
      if (tool === undefined) return Effect.succeed(said(functionFaults.unknown(offered).content))
      return args === null ? badArguments : tool(args)
    }
    if (args === null) return badArguments
    const shown = this.#shown(call, of)
    if (of.endpoint === null) return this.#byClient(shown)
    return Effect.map(this.#of.callEndpoint(shown, of, args), (content) => {
      this.#of.view.answered(shown, content)
      this.#of.view.finished(shown, content)
      return said(content)
    })
  }

  #byClient(call: ShownCall): Effect.Effect<CallResult> {
    return Effect.suspend(() => {
      const waiting = Deferred.makeUnsafe<string>()
      this.#waiting.set(call.id, waiting)
      const late = Effect.sync(() => {
        this.#waiting.delete(call.id)
        this.#of.view.timedOut(call)
        return said(functionFaults.timeout.content)
      })
      const answered = Effect.map(Deferred.await(waiting), (content) => {
        this.#of.view.finished(call, content)
        return said(content)
      })
      return Effect.timeoutOrElse(answered, { duration: this.#of.timeoutMs, orElse: () => late })
    })
  }
}
