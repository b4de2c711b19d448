/** A media stream as the line of a conversation: whole frames out, each message in heard once, one end. */
import {
  type MediaLine,
  type MediaListener,
  type NamedCall,
  type SocketConnection,
  telephoneFormat
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { CallControl } from "./CallControl.ts"
import { clearMessage, markMessage, type StreamMessage, soundMessage } from "./TwilioMessages.ts"

/** 20 ms: chunks of other sizes are heard as a stutter. */
const frameBytes = 160
const maxFrames = 5
/** Mu-law's silence. */
const silence = 0xff

export interface CallLine {
  readonly line: MediaLine
  readonly listen: (listener: MediaListener) => void
  readonly heard: (message: StreamMessage) => void
  /** The connection has ended without a word. */
  readonly lost: () => void
  /** Nobody listens, and nothing more is said. */
  readonly drop: () => void
}

interface LineParts {
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  readonly connection: SocketConnection
  readonly streamSid: string
  readonly ref: NamedCall
  readonly control: CallControl
  /** Called once, with the first end. */
  readonly over: () => void
}

/** Sound as messages of whole frames: a part of a frame waits for more, or is filled up with silence. */
const framed = (say: (sound: Uint8Array) => void) => {
  let rest = new Uint8Array(0)
  const write = (sound: Uint8Array) => {
    const all = new Uint8Array(rest.length + sound.length)
    all.set(rest)
    all.set(sound, rest.length)
    const whole = all.length - (all.length % frameBytes)
    for (let at = 0; at < whole; at += frameBytes * maxFrames)
      say(all.subarray(at, Math.min(whole, at + frameBytes * maxFrames)))
    rest = all.slice(whole)
  }
  return {
    write,
    fill: () => {
      if (rest.length > 0) write(new Uint8Array(frameBytes - rest.length).fill(silence))
    },
    clear: () => {
      rest = new Uint8Array(0)
    }
  }
}

/** True of sound that was heard before, or comes too late. */
const onceInOrder = () => {
  const last = { sequence: -1, chunk: -1 }
  return ({ chunk, sequence }: Extract<StreamMessage, { readonly event: "media" }>): boolean => {
    const isLate = (value: number | null, than: number) => value !== null && value <= than
    if (isLate(sequence, last.sequence) && isLate(chunk ?? sequence, last.chunk)) return false
    if (sequence === null && isLate(chunk, last.chunk)) return false
    last.sequence = Math.max(last.sequence, sequence ?? -1)
    last.chunk = Math.max(last.chunk, chunk ?? sequence ?? -1)
    return true
  }
}

/** `moving`: the call is being transferred, and an end of the stream is the transfer's until that has failed. */
type Phase = "open" | "moving" | "over"

export const twilioLine = (parts: LineParts): CallLine => {
  const { connection, streamSid } = parts
  const frames = framed((sound) => connection.send(soundMessage(streamSid, sound)))
  const isNew = onceInOrder()
  const marks: Array<string> = []
  let phase: Phase = "open"
  let listener: MediaListener | null = null
  let endOfMoving: "hangup" | "lost" | null = null

  const finish = (why: "hangup" | "lost" | null) => {
    if (phase === "over") return
    if (phase === "moving" && why !== null) {
      endOfMoving ??= why
      return
    }
    phase = "over"
    parts.over()
    if (why !== null) listener?.closed(why)
  }
  const close = Effect.sync(() => connection.close(1000, ""))
  const line = makeLine(parts, {
    frames,
    marks,
    isOver: () => phase === "over",
    leave: (then) => {
      if (phase === "over") return
      finish(null)
      parts.run(Effect.andThen(then, close))
    },
    move: () => {
      phase = "moving"
    },
    moved: (isConnected) => {
      phase = "open"
      if (isConnected || endOfMoving !== null) finish(isConnected ? null : endOfMoving)
      if (isConnected) connection.close(1000, "")
    }
  })

  const heard = (message: StreamMessage) => {
    if (phase === "over" || message.streamSid !== streamSid) return
    if (message.event === "stop") {
      finish("hangup")
      connection.close(1000, "")
    } else if (phase === "open" && listener !== null) hear(listener, message)
  }
  const hear = (to: MediaListener, message: StreamMessage) => {
    if (message.event === "media" && isNew(message)) to.sound(message.sound)
    if (message.event === "dtmf") to.key(message.key)
    if (message.event !== "mark") return
    const at = marks.indexOf(message.name)
    if (at >= 0) to.marked(marks.splice(at, 1)[0]!)
  }

  return {
    line,
    listen: (given) => {
      listener = given
    },
    heard,
    lost: () => finish("lost"),
    drop: () => finish(null)
  }
}

interface Ending {
  readonly frames: ReturnType<typeof framed>
  /** Marks that have not come back. */
  readonly marks: Array<string>
  readonly isOver: () => boolean
  /** Ends the line from our side, then does this, and then closes the connection. */
  readonly leave: (then: Effect.Effect<void>) => void
  readonly move: () => void
  readonly moved: (isConnected: boolean) => void
}

const makeLine = (parts: LineParts, { frames, isOver, leave, marks, move, moved }: Ending): MediaLine => {
  const { connection, control, ref, run, streamSid } = parts
  const ignored = (what: string) =>
    Effect.catchCause((cause: unknown) => Effect.logWarning(`${what} did not reach the carrier`, ref.callId, cause))
  return {
    input: telephoneFormat,
    output: telephoneFormat,
    hasMarks: true,
    send: frames.write,
    clear: () => {
      frames.clear()
      connection.send(clearMessage(streamSid))
    },
    mark: (name) => {
      frames.fill()
      marks.push(name)
      connection.send(markMessage(streamSid, name))
    },
    transfer: (phone) =>
      new Promise((resolve) => {
        if (isOver()) return resolve(false)
        move()
        const asked = Effect.catch(control.transfer(ref, phone), (error) =>
          Effect.as(Effect.logWarning(error.message, ref.callId), false)
        )
        run(
          Effect.map(asked, (isConnected) => {
            moved(isConnected)
            resolve(isConnected)
          })
        )
      }),
    sayGoodbye: (text, language) => leave(ignored("a goodbye")(control.goodbye(ref, text, language))),
    handBack: () => leave(Effect.void),
    hangUp: () => leave(ignored("a hang-up")(control.end(ref)))
  }
}
