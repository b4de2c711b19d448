/** Answers the calls of this process with their agents. Source: docs/reference/voice-agent.md#telephone. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { type Call, CallMedia, Calls, type Comeback } from "../../calling/calls/index.ts"
import type { MediaLine, MediaListener } from "../../platform/audio/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import {
  type AgentKnowledge,
  type AgentSettings,
  FunctionCaller,
  sendMessageTool,
  systemMessage,
  toolsFor,
  VoiceAgents,
  VoiceSettings
} from "../agent/index.ts"
import { type ConversationView, type FunctionView, type LiveRun, makeLiveRuns, standardTools } from "../live/index.ts"
import { LiveSessions, type SessionLease, voiceMayComeBack } from "../sessions/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { AnsweredCall } from "./AnsweredCall.ts"
import { isOver, reasonOfCall } from "./CallEndings.ts"
import { makeCallMessages } from "./CallMessages.ts"
import { makeCallSessions, type PreparedCall } from "./CallSessions.ts"
import { makeCallTools } from "./CallTools.ts"

/** For this time a session waits for its lost line to come back. */
const lostMs = 15 * Instant.second
/** A reply under way may be finished when the process stops. */
const replyMs = 7500

const notAnswered =
  "(Nobody answered where the call was transferred to: the caller is with you again. Say so, and offer something else.)"

/** A telephone shows nothing: its caller only hears. */
const nothing = () => undefined
const view: ConversationView = {
  callerSpeaks: nothing,
  interrupted: nothing,
  said: nothing,
  thought: nothing,
  agentSpeaks: nothing,
  latency: nothing,
  agentDone: nothing,
  refused: nothing
}
const functionView: FunctionView = {
  requested: nothing,
  answered: nothing,
  finished: nothing,
  cancelled: nothing,
  timedOut: nothing
}

/** The listener of a line whose sound is ignored. */
const ignored: MediaListener = { sound: nothing, marked: nothing, key: nothing, closed: nothing }

const logged = <A, E>(effect: Effect.Effect<A, E>, what: string, callId: Ids.CallId): Effect.Effect<A | null> =>
  Effect.catchCause(effect, (cause) => Effect.as(Effect.logError(what, callId, cause), null))

/** Starts the run of a call's agent on its line. */
const makeRuns = Effect.gen(function* () {
  const agents = yield* VoiceAgents
  const caller = yield* FunctionCaller
  const clock = yield* Clock.Clock
  const messages = yield* makeCallMessages
  const runs = yield* makeLiveRuns
  const toolsOf = yield* makeCallTools
  const { functionTimeoutMs: timeoutMs } = yield* VoiceSettings
  const now = () => Instant.make(clock.currentTimeMillisUnsafe())

  const functionsOf = (
    { live }: PreparedCall,
    offered: () => ReturnType<typeof toolsFor>,
    builtIn: Parameters<typeof runs.start>[0]["functions"]["builtIn"]
  ): Parameters<typeof runs.start>[0]["functions"] => ({
    offered,
    builtIn,
    hasClient: false,
    timeoutMs,
    view: functionView,
    callEndpoint: (call, { endpoint }, args) =>
      endpoint === null
        ? Effect.succeed("")
        : Effect.map(
            caller.call({ endpoint, arguments: args, callId: call.id, sessionId: live.session.id }),
            ({ content }) => content
          )
  })

  return Effect.fnUntraced(function* (prepared: PreparedCall, line: MediaLine, answered: AnsweredCall) {
    const { call, history, live, settings } = prepared
    const knowledge: AgentKnowledge | null = yield* agents.knowledge(call.tenantId, call.botId)
    const asksToSend = settings.tools.includes(sendMessageTool.name)
    const hasConnectedNumber = asksToSend && (yield* messages.numberFor(call)) !== null
    const toolbox = toolsOf({ call, line, settings })
    const state: { recording: LiveRun["recording"] | null } = { recording: null }
    const offered = () =>
      toolsFor({
        isTelephone: true,
        settings,
        hasConnectedNumber,
        hasEntries: knowledge?.hasEntries ?? false,
        isRecording: state.recording?.isRecording() ?? false
      })
    const prompt = (of: AgentSettings) =>
      systemMessage({ settings: of, at: now(), isTelephone: true, tools: offered(), found: [] })
    const run = yield* runs.start({
      live,
      line,
      history,
      view,
      prompt,
      isTelephone: true,
      settings: () => settings,
      functions: functionsOf(prepared, offered, (of) => ({ ...standardTools(knowledge)(of), ...toolbox.tools })),
      transfer: () => toolbox.transfer,
      onWarning: nothing,
      onEnding: answered.ending,
      onLost: answered.endedElsewhere
    })
    state.recording = run.recording
    return run
  })
})

export class CallAgents extends Context.Service<
  CallAgents,
  {
    /** Calls that this process answers, handed back once their replies have been heard: another process goes on with them. */
    readonly handBack: Effect.Effect<void>
  }
>()("@trunkline/core/voice/calls/CallAgents") {
  static readonly layer = Layer.effect(
    CallAgents,
    Effect.gen(function* () {
      const calls = yield* Calls
      const media = yield* CallMedia
      const live = yield* LiveSessions
      const sessions = yield* makeCallSessions
      const start = yield* makeRuns
      const fork = yield* FiberSet.makeRuntime<never>()
      const answered = new Map<Ids.CallId, AnsweredCall>()

      const hangUp = ({ id, tenantId }: Pick<Call, "id" | "tenantId">) =>
        Effect.asVoid(logged(calls.hangUp(tenantId, id), "a call could not be hung up", id))

      const reasonNow = (call: Call) =>
        Effect.map(logged(media.find(call.id), "a call could not be read", call.id), (present) =>
          reasonOfCall(present ?? call)
        )

      /** Nobody came back: the session ends, unless somebody has it now. */
      const abandon = (call: Call, lease: SessionLease) =>
        Effect.gen(function* () {
          yield* Effect.sleep(lostMs)
          const present = yield* media.find(call.id)
          const hasEnded = present === null || isOver(present)
          const reason = present !== null && hasEnded ? reasonOfCall(present) : "participant_disconnect"
          const ended = yield* live.end(lease, reason)
          if (ended !== null && !hasEnded) yield* hangUp(call)
        })

      const answer = Effect.fnUntraced(function* (prepared: PreparedCall, line: MediaLine) {
        const { call, settings } = prepared
        const { lease } = prepared.live
        const own: AnsweredCall = new AnsweredCall({
          line,
          settings,
          fork,
          hangUp: hangUp(call),
          reasonOfCall: reasonNow(call),
          handBack: Effect.asVoid(logged(live.handBack(lease), "a call could not be handed back", call.id)),
          lost: Effect.asVoid(logged(abandon(call, lease), "a lost call could not be ended", call.id)),
          gone: () => {
            if (answered.get(call.id) === own) answered.delete(call.id)
          }
        })
        answered.set(call.id, own)
        const forget = Effect.sync(() => answered.delete(call.id))
        own.begin(yield* Effect.onError(start(prepared, line, own), () => forget))
        return own
      })

      const connected = tracedFn("CallAgents.connected")(function* (callId: Ids.CallId, line: MediaLine) {
        const earlier = answered.get(callId)
        if (earlier !== undefined) yield* earlier.replaced
        const prepared = yield* sessions.prepare(callId)
        if (prepared === null) return yield* refuse(callId)
        const own = yield* answer(prepared, line)
        if (prepared.isComeback) own.happened(notAnswered)
        return own
      })

      /** A session that was begun for a call that is over by now, or that a machine has answered, ends at once. */
      const refuse = Effect.fnUntraced(function* (callId: Ids.CallId) {
        const call = yield* media.find(callId)
        if (call === null) return null
        if (isOver(call) || call.answeredBy === "machine") yield* live.endOfCall(callId, reasonOfCall(call))
        // A message may be left on a machine.
        return call.answeredBy === "machine" ? ignored : null
      })

      const mayResume = tracedFn("CallAgents.mayResume")(function* (callId: Ids.CallId, why: Comeback) {
        const call = yield* media.find(callId)
        if (call === null || isOver(call)) return false
        const session = yield* sessions.lastOf(call)
        // Its first line was lost before the session began.
        if (session === null) return why === "lost"
        if (why === "unanswered") return session.endReason === "handoff"
        if (voiceMayComeBack(session)) return true
        yield* live.endOfCall(callId, "participant_disconnect")
        return false
      })

      const moved = tracedFn("CallAgents.moved")(function* (call: Call, what: "machine" | "ended") {
        const reason = what === "machine" ? "voicemail" : reasonOfCall(call)
        const own = answered.get(call.id)
        if (own !== undefined) own.finish(reason, "silence")
        else if (call.voiceSessionId !== null) yield* live.endOfCall(call.id, reason)
      })

      yield* media.serve({
        connected: (callId, line) => logged(connected(callId, line), "a call could not be answered", callId),
        mayResume: (callId, why) =>
          Effect.map(logged(mayResume(callId, why), "a call could not be resumed", callId), (may) => may === true),
        mayAnswer: (bot) =>
          Effect.catchCause(sessions.mayAnswer(bot), (cause) =>
            Effect.as(Effect.logError("an agent could not be read", bot.id, cause), false)
          ),
        unconnected: (callId) => Effect.asVoid(logged(sessions.giveUp(callId), "a call could not be given up", callId)),
        moved: (call, what) => Effect.asVoid(logged(moved(call, what), "a session could not be ended", call.id))
      })

      const handBack = Effect.gen(function* () {
        const until = (yield* Instant.now) + replyMs
        const isBusy = () => [...answered.values()].some((one) => one.isBusy)
        while (isBusy() && (yield* Instant.now) < until) yield* Effect.sleep(100)
        yield* Effect.forEach([...answered.values()], (one) => one.handBack, {
          concurrency: "unbounded",
          discard: true
        })
      })

      return CallAgents.of({ handBack })
    })
  )
}
