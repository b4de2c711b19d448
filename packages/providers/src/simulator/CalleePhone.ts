/** One callee in this process: its socket, its line to an agent, and what it says by itself. */
import {
  type Call,
  type CallMedia,
  type Comeback,
  foreignJson,
  type Ids,
  Instant,
  type SocketConnection,
  type SocketListener
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { type NetworkEvent, stateAt, timeline, transferOf } from "./Network.ts"
import { makePhoneLine, type PhoneLine } from "./PhoneLine.ts"
import type { SimulatedCall } from "./SimulatedCalls.ts"

/** How often a phone looks at its call, which other processes may have changed. */
const lookEveryMs = 500
/** How long a socket keeps its callee on the line should its process die. */
const heldMs = 10 * Instant.second
const renewMs = 6 * Instant.second
/** A carrier whose stream broke asks for another after about this long. */
const comebackMs = Instant.second
/** The report of the answer, and that of the end, are waited for this long. */
const reportMs = 2 * Instant.second
const reportLookMs = 50

export interface PhoneNetwork {
  readonly media: CallMedia
  readonly speed: number
  readonly calleeAudio: Uint8Array | null
  readonly processId: string
  readonly run: (effect: Effect.Effect<void>) => unknown
  readonly read: (callId: Ids.CallId) => Effect.Effect<SimulatedCall | null>
  /** Changes the locked call; null leaves it as it is. Succeeds with what `change` returned, or null where it failed. */
  readonly update: (
    callId: Ids.CallId,
    change: (call: SimulatedCall) => SimulatedCall | null
  ) => Effect.Effect<SimulatedCall | null>
  /** Has the phone look at its call now. */
  readonly wake: (phone: CalleePhone) => void
  readonly forget: (phone: CalleePhone) => void
}

export class CalleePhone {
  readonly callId: Ids.CallId
  readonly #network: PhoneNetwork
  #socket: SocketConnection | null = null
  #knowsAnswer = false
  /** Says that the next close of the socket is no hang-up. */
  #isDropped = false
  #line: PhoneLine | null = null
  /** A look connects the agent: one that began meanwhile must not do so as well. */
  #isConnecting = false
  /** When the line is asked for again, and why; null: as soon as the call is answered, or its callee is spoken for. */
  #comeback: { readonly at: number; readonly why: Comeback } | null = null
  /** This process stops: the agent answers in another one. */
  #isHandedBack = false
  #isGoingAway = false
  /** No agent answers this call any more. */
  #isWithoutAgent = false
  #isOver = false

  constructor(callId: Ids.CallId, network: PhoneNetwork) {
    this.callId = callId
    this.#network = network
  }

  connect(connection: SocketConnection): SocketListener {
    const earlier = this.#socket
    this.#socket = connection
    this.#knowsAnswer = false
    if (this.#isDropped) this.#comeback = null
    this.#isDropped = false
    this.#isHandedBack = false
    this.#isGoingAway = false
    earlier?.close(1000, "replaced")
    this.#network.wake(this)
    const isCurrent = () => this.#socket === connection
    return {
      bytes: (sound) => {
        if (isCurrent()) this.#line?.say(sound)
      },
      text: (text) => {
        if (isCurrent()) this.#said(text)
      },
      closed: () => {
        if (!isCurrent()) return
        this.#socket = null
        if (this.#isGoingAway) this.#line?.close("lost")
        else if (!this.#isDropped) this.#hangUp()
      },
      // The drain closes the socket in the end; the callee stays on the line for another process.
      goingAway: () => {
        if (!isCurrent()) return
        this.#isGoingAway = true
        this.#leave()
      }
    }
  }

  /** Nothing more is heard of this process: the callee is to look for another. */
  #leave(): void {
    if (this.#isHandedBack && this.#isGoingAway) this.#socket?.close(1001, "going away")
  }

  #said(text: string): void {
    const { digit, type } = fieldsOf(text)
    if (type === "hangup") this.#hangUp()
    if (type === "drop") this.#drop()
    if (type === "dtmf" && typeof digit === "string" && /^[0-9*#]$/.test(digit)) this.#line?.press(digit)
  }

  /** The line breaks off, as on a carrier, and the callee is still there. */
  #drop(): void {
    this.#isDropped = true
    this.#network.run(Effect.map(Instant.now, (now) => this.#loseLine(now + comebackMs)))
  }

  #loseLine(comesBackAt: number): void {
    this.#line?.close("lost")
    this.#line = null
    this.#comeback = { at: comesBackAt, why: "lost" }
    this.#network.wake(this)
  }

  /** The callee is spoken for in another process: a socket that it has here is the earlier one. */
  #replaced(): void {
    this.#line?.close("lost")
    this.#line = null
    const earlier = this.#socket
    this.#socket = null
    earlier?.close(1000, "replaced")
  }

  /** The callee hangs up. */
  #hangUp(): void {
    if (this.#isOver) return
    const { run, update, wake } = this.#network
    this.#line?.close("hangup")
    run(
      Effect.gen({ self: this }, function* () {
        const at = yield* Instant.now
        yield* update(this.callId, (call) => ({ ...call, hungUpAt: call.hungUpAt ?? at }))
        wake(this)
      })
    )
  }

  /** Looks at the call until there is nothing more to do. It is begun anew with each change. */
  readonly follow: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    for (;;) {
      const waitMs = yield* Effect.uninterruptible(this.#look())
      if (waitMs === null) return this.#network.forget(this)
      yield* Effect.sleep(waitMs)
    }
  })

  /** Does the work that is due; how long to wait for the next look, or null for none. */
  #look(): Effect.Effect<number | null> {
    return Effect.gen({ self: this }, function* () {
      const { read, speed } = this.#network
      const call = yield* read(this.callId)
      // A socket may come before the carrier has been asked for the call.
      if (call === null) return yield* this.#waitForCall()
      const at = yield* Instant.now
      const state = stateAt(call, speed, at)
      if (state?.news._tag === "Ended") return yield* this.#end(state)
      yield* this.#keepOnLine(call, at)
      const isAnswered = state?.news._tag === "Answered" || state?.news._tag === "Detected"
      if (isAnswered) yield* this.#afterAnswer(call, at)
      if (this.#socket === null && this.#line === null && this.#comeback === null && isAnswered) return null
      const next = timeline(call, speed).find((event) => event.at > at)?.at ?? at + lookEveryMs
      const comeback = this.#comeback !== null && this.#comeback.at > at ? this.#comeback.at : next
      return Math.max(1, Math.min(next, comeback, at + lookEveryMs) - at)
    })
  }

  #waitForCall(): Effect.Effect<number | null> {
    return Effect.gen({ self: this }, function* () {
      if (this.#socket === null) return null
      const call = yield* this.#knownCall
      if (call === null || call.endedAt === null) return 2 * reportLookMs
      this.#tellEnd(call.endReason ?? "")
      return null
    })
  }

  /** The callee's own time does not run while somebody speaks for it. */
  #keepOnLine(call: SimulatedCall, at: Instant.Instant): Effect.Effect<void> {
    if (this.#socket === null || (call.heldUntil ?? 0) > at + renewMs) return Effect.void
    const heldUntil = Instant.plus(at, heldMs)
    return Effect.asVoid(this.#network.update(this.callId, (present) => ({ ...present, heldUntil })))
  }

  #afterAnswer(call: SimulatedCall, at: Instant.Instant): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      if (this.#socket !== null && !this.#knowsAnswer) {
        this.#knowsAnswer = true
        this.#socket.send(JSON.stringify({ type: "answered" }))
      }
      if (this.#line !== null && call.mediaBy !== null && call.mediaBy !== this.#network.processId) this.#replaced()
      const isDue = this.#comeback === null ? call.mediaBy === null || this.#socket !== null : this.#comeback.at <= at
      const isFree = !this.#isWithoutAgent && !this.#isHandedBack && !this.#isConnecting && this.#line === null
      if (!call.hasAgent || !isFree || !isDue || (this.#isDropped && this.#socket === null)) return
      this.#isConnecting = true
      yield* Effect.ensuring(
        this.#connectAgent(),
        Effect.sync(() => {
          this.#isConnecting = false
        })
      )
    })
  }

  /** Claims the sound of the call for this process, and connects it. */
  #connectAgent(): Effect.Effect<void> {
    const { media, processId, run, update } = this.#network
    return Effect.gen({ self: this }, function* () {
      const at = yield* Instant.now
      let isFirst = false
      const claimed = yield* update(this.callId, (call) => {
        isFirst = call.mediaBy === null
        // Another process has it, or will, where its callee is spoken for.
        const isElsewhere = isFirst ? (call.heldUntil ?? 0) > at : call.mediaBy !== processId
        return isElsewhere && this.#socket === null ? null : { ...call, mediaBy: processId }
      })
      if (claimed === null) return
      const why = this.#comeback?.why ?? "lost"
      this.#comeback = null
      this.#isDropped = false
      yield* this.#untilReported((call) => call.answeredAt !== null)
      if (!isFirst && !(yield* media.mayResume(this.callId, why))) return yield* this.#stop
      const phone = makePhoneLine(this.#ends(), run)
      this.#line = phone
      const listener = yield* media.connected(this.callId, phone.line)
      if (listener === null) return yield* this.#stop
      phone.listen(listener)
      run(phone.silence)
      if (isFirst && this.#socket === null && this.#network.calleeAudio !== null) phone.say(this.#network.calleeAudio)
    })
  }

  #ends() {
    const { run, speed, update, wake } = this.#network
    const later = (then: (now: Instant.Instant) => void) =>
      run(
        Effect.map(Instant.now, (now) => {
          this.#line = null
          then(now)
          wake(this)
        })
      )
    return {
      heard: (sound: Uint8Array) => this.#socket?.send(sound),
      cleared: () => this.#socket?.send(JSON.stringify({ type: "clear" })),
      hangUp: () => void run(this.#stop),
      handBack: () =>
        void later(() => {
          this.#isHandedBack = true
          this.#leave()
        }),
      transfer: (phone: string) => {
        const transfer = transferOf(phone, speed)
        if (transfer === null) return false
        this.#isWithoutAgent = transfer.isAnswered
        later((now) => {
          const at = Instant.plus(now, Math.round(transfer.afterMs))
          if (transfer.isAnswered) run(update(this.callId, (call) => ({ ...call, hungUpAt: call.hungUpAt ?? at })))
          else this.#comeback = { at, why: "unanswered" }
        })
        return true
      }
    }
  }

  /** Our side ends the call. */
  get #stop(): Effect.Effect<void> {
    const { update, wake } = this.#network
    return Effect.gen({ self: this }, function* () {
      this.#isWithoutAgent = true
      const at = yield* Instant.now
      yield* update(this.callId, (call) => ({ ...call, stoppedAt: call.stoppedAt ?? at }))
      wake(this)
    })
  }

  #end({ news }: NetworkEvent): Effect.Effect<null> {
    return Effect.gen({ self: this }, function* () {
      this.#isOver = true
      this.#line?.close("hangup")
      if (this.#socket === null || news._tag !== "Ended") return null
      const own = news.status === "completed" ? (news.by === "local" ? "hangup_local" : "hangup_remote") : news.status
      const call = yield* this.#untilReported(({ endedAt }) => endedAt !== null)
      this.#tellEnd(call?.endReason ?? own)
      return null
    })
  }

  #tellEnd(reason: string): void {
    this.#isOver = true
    this.#socket?.send(JSON.stringify({ type: "ended", end_reason: reason }))
    this.#socket?.close(1000, reason)
  }

  get #knownCall() {
    return Effect.catch(this.#network.media.find(this.callId), () => Effect.succeed(null))
  }

  /** The call as it is known, once that is so; or as it is after a while. */
  #untilReported(holds: (call: Call) => boolean) {
    return Effect.gen({ self: this }, function* () {
      for (let waited = 0; ; waited += reportLookMs) {
        const call = yield* this.#knownCall
        if (call === null || holds(call) || waited >= reportMs) return call
        yield* Effect.sleep(reportLookMs)
      }
    })
  }
}

const fieldsOf = (text: string): { readonly [name: string]: unknown } => {
  const value = foreignJson(text)
  return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {}
}
