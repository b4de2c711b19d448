/** The route of conversations on sockets. Source: docs/reference/voice-agent.md#socket. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { allowanceHeaders, type NotAdmitted } from "../../gateway/admission/index.ts"
import { refuse, refuseWith, storageUnavailable } from "../../gateway/errors/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type {
  SocketAccepted,
  SocketConnection,
  SocketListener,
  SocketRefused,
  SocketRequest,
  SocketRoute
} from "../../platform/room/index.ts"
import { refusedWith } from "../../platform/sockets/index.ts"
import {
  type AgentCaller,
  type AgentTool,
  type AppliedSettings,
  FunctionCaller,
  systemMessage,
  toolsFor,
  VoiceAgents,
  VoiceSettings
} from "../agent/index.ts"
import { type CountedSession, type LiveRun, makeLiveRuns, standardTools, VoiceCounters } from "../live/index.ts"
import { type LiveSession, LiveSessions, type LostLease } from "../sessions/index.ts"
import { VoicePipeline } from "../stages/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { makeAgentHandshake, type SocketCaller } from "./AgentHandshake.ts"
import { agentSocketPath } from "./AgentSocketApi.ts"
import { errorSentences } from "./ErrorSentences.ts"
import { ServerMessage } from "./ServerMessage.ts"
import { SocketSession, type StartedRun } from "./SocketSession.ts"

const processFull = refuse("service_unavailable", {
  status: storageUnavailable.status,
  message: "This server has as many voice sessions as it can carry. Try again shortly.",
  retryAfterSeconds: 1
})

export class AgentSocket extends Context.Service<
  AgentSocket,
  {
    readonly route: SocketRoute
    /** Completes when every session whose socket has closed is over in its row as well. */
    readonly settled: Effect.Effect<void>
  }
>()("@trunkline/core/voice/socket/AgentSocket") {
  static readonly layer = Layer.effect(
    AgentSocket,
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const caller = yield* FunctionCaller
      const counters = yield* VoiceCounters
      const handshake = yield* makeAgentHandshake
      const pipeline = yield* VoicePipeline
      const runs = yield* makeLiveRuns
      const sessions = yield* LiveSessions
      const settings = yield* VoiceSettings
      const clock = yield* Clock.Clock
      const fibers = yield* FiberSet.make()
      const now = () => Instant.make(clock.currentTimeMillisUnsafe())
      const fork = yield* FiberSet.runtime(fibers)<never>()

      const callerOf = ({ payer }: LiveSession, { key }: SocketCaller): AgentCaller => ({
        tenantId: payer.tenantId,
        plan: payer.plan,
        key,
        problem: pipeline.problem
      })

      const apply = (live: LiveSession, by: SocketCaller, isTokens: boolean) => (body: unknown) => {
        const { botId, language, llmModel, sttModel, ttsModel, variables, voice } = live.session
        const session =
          isTokens && botId !== null ? { botId, language, llmModel, sttModel, ttsModel, variables, voice } : null
        return Effect.orDie(agents.apply(callerOf(live, by), body, session))
      }

      /** Ends a session that never had a run. */
      const unstarted = (live: LiveSession, counted: CountedSession, reason: string) =>
        Effect.suspend(() => {
          counted.ended(reason)
          return endedQuietly(sessions.end(live.lease, reason))
        })

      const start = (live: LiveSession, by: SocketCaller, counted: CountedSession) =>
        Effect.fnUntraced(function* (applied: AppliedSettings, session: SocketSession): Effect.fn.Return<StartedRun> {
          const { input, output, settings: agent } = applied
          const described = yield* Effect.orDie(sessions.describe(live.lease, descriptionOf(applied, isToken(by))))
          const knowledge = yield* Effect.orDie(agents.knowledge(live.payer.tenantId, agent.botId))
          let recording: LiveRun["recording"] | null = null
          const offered = (): ReadonlyArray<AgentTool> =>
            toolsFor({
              isTelephone: false,
              settings: session.settings(),
              hasConnectedNumber: false,
              hasEntries: knowledge?.hasEntries ?? false,
              isRecording: recording?.isRecording() ?? false
            })
          const run: LiveRun = yield* runs.start({
            // Null where it has ended meanwhile: the run learns of that by itself.
            live: { ...live, session: described ?? live.session },
            counted,
            isTelephone: false,
            history: [],
            view: session.view,
            line: session.line(input, output),
            settings: session.settings,
            prompt: (of) => systemMessage({ settings: of, at: now(), isTelephone: false, tools: offered(), found: [] }),
            functions: {
              offered,
              hasClient: !isToken(by),
              timeoutMs: settings.functionTimeoutMs,
              view: session.functionView,
              builtIn: standardTools(knowledge),
              callEndpoint: (call, { endpoint }, args) =>
                endpoint === null
                  ? Effect.succeed("")
                  : Effect.map(
                      caller.call({ endpoint, arguments: args, callId: call.id, sessionId: live.session.id }),
                      ({ content }) => content
                    )
            },
            transfer: () => Effect.succeed(false),
            onWarning: (code) => session.warn(code, warnings[code]),
            onEnding: (ending) => session.fail(ending),
            onLost: (lost) => session.lost(lost.session)
          })
          recording = run.recording
          return {
            run,
            update: (of, update) => agents.update(callerOf(live, by), of, update)
          }
        })

      const open =
        (live: LiveSession, by: SocketCaller, counted: CountedSession, watch: EndWatch) =>
        (connection: SocketConnection): SocketListener => {
          const session = new SocketSession({
            live,
            connection,
            isTokens: isToken(by),
            now,
            fork,
            limits: settings,
            apply: apply(live, by, isToken(by)),
            start: start(live, by, counted),
            endUnstarted: (reason) => unstarted(live, counted, reason),
            closed: Effect.andThen(watch.stop, by.release)
          })
          watch.follow((lost) => session.lost(lost.session))
          return session
        }

      const accepted = Effect.fnUntraced(function* (
        by: SocketCaller,
        counted: CountedSession
      ): Effect.fn.Return<SocketAccepted> {
        const { connected, protocol, release } = by
        if (connected._tag === "ConcurrencyLimit") {
          counted.ended("concurrency_limit")
          return tooMany(protocol)
        }
        const { live } = connected
        const watch = yield* watchEnd(sessions, live)
        const gone = Effect.andThen(unstarted(live, counted, "client_disconnect"), Effect.andThen(watch.stop, release))
        return { _tag: "Accepted", protocol, open: open(live, by, counted, watch), abandoned: () => void fork(gone) }
      })

      const accept = (request: SocketRequest) =>
        Effect.catch(
          Effect.gen(function* () {
            if (counters.read().active >= settings.maxSessions) {
              return yield* Effect.fail({ refused: processFull, allowance: null })
            }
            // It has its place before it is checked: of handshakes side by side none is one too many.
            const counted = counters.begin()
            const keepRoom = (tenantId: Ids.AccountId) => counted.claim(tenantId, settings.maxAccountSessions)
            const by = yield* Effect.onError(handshake.admit(request, keepRoom), () => Effect.sync(counted.released))
            return yield* accepted(by, counted)
          }),
          (error) => refused(error, request)
        )

      return AgentSocket.of({ route: { path: agentSocketPath, accept }, settled: FiberSet.awaitEmpty(fibers) })
    })
  )
}

/** Watches a session's end by another hand from the moment in which it is active: its run, which begins later, takes that over. */
interface EndWatch {
  /** Calls back once, at once where it has ended by now. */
  readonly follow: (onLost: (lost: LostLease) => void) => void
  readonly stop: Effect.Effect<void>
}

const watchEnd = Effect.fnUntraced(function* (sessions: LiveSessions["Service"], { lease }: LiveSession) {
  const scope = yield* Scope.make()
  let lost: LostLease | null = null
  let follower: ((lost: LostLease) => void) | null = null
  const onLost = (how: LostLease) => {
    lost = how
    follower?.(how)
  }
  yield* Scope.provide(sessions.attach(lease, onLost), scope)
  return {
    follow: (callback) => {
      follower = callback
      if (lost !== null) callback(lost)
    },
    stop: Scope.close(scope, Exit.void)
  } satisfies EndWatch
})

/** What the settings say of a session. The maximum of one with a token was decided when it was made. */
const descriptionOf = ({ maxDurationSeconds, settings }: AppliedSettings, isTokens: boolean) => {
  const { botId, language, listen, speak, think } = settings
  const [{ model: ttsModel, voice }] = speak
  return {
    botId,
    language,
    sttModel: listen.model,
    llmModel: think[0].model,
    ttsModel,
    voice,
    ...(isTokens || maxDurationSeconds === null ? {} : { maxDurationSeconds })
  }
}

const isToken = ({ key }: SocketCaller): boolean => key === null

const warnings = {
  LISTEN_REQUEST_FAILED:
    "The model that listens failed, or did not answer in time: what the caller said was not heard, unless its fallback hears it.",
  THINK_REQUEST_FAILED: "The language model did not answer: its fallback is asked.",
  SPEAK_REQUEST_FAILED: "The model that speaks did not answer: its fallback is asked.",
  MAXIMUM_SESSION_LENGTH_APPROACHING: "The session will soon reach its maximum duration."
} as const

const endedQuietly = <A, E>(end: Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.catchCause(end, (cause) =>
    Effect.as(Effect.logError("the end of a voice session could not be written", cause), null)
  )

/** The client learns of it on the socket, since its token was good. */
const tooMany = (protocol: string | null): SocketAccepted => ({
  _tag: "Accepted",
  protocol,
  abandoned: () => undefined,
  open: (connection) => {
    connection.send(ServerMessage.error("CONCURRENCY_LIMIT", errorSentences.CONCURRENCY_LIMIT ?? ""))
    connection.close(1000, "concurrency_limit")
    return { text: () => undefined, bytes: () => undefined, closed: () => undefined, goingAway: () => undefined }
  }
})

const refused = ({ allowance, refused }: NotAdmitted, { requestId }: SocketRequest): Effect.Effect<SocketRefused> =>
  Effect.map(refuseWith(refused), (response) => {
    const answer = refusedWith(response, requestId)
    return { ...answer, headers: { ...answer.headers, ...allowanceHeaders(allowance) } }
  })
