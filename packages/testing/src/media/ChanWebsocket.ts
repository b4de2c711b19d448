/**
 * A line over the websocket of a telephone exchange, in Asterisk's `chan_websocket`, and an exchange that speaks it. The product has
 * no such carrier: this shows that the port is enough for one. Sound goes in binary messages, everything else in texts.
 */
import { type MediaLine, type MediaListener, telephoneFormat } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { framesOf, makeFakePlayer } from "./FakePlayer.ts"

/** One end of the websocket. */
export interface ExchangeSocket {
  readonly text: (text: string) => void
  readonly bytes: (bytes: Uint8Array) => void
  /** Code 1000: the call is over. Any other: the connection broke. */
  readonly closed: (code: number) => void
}

/** The word of a message, and the value after `name:` in it. */
const wordOf = (text: string): string => text.split(" ", 1)[0] ?? ""
const valueOf = (text: string, name: string): string => new RegExp(`\\b${name}:(\\S+)`).exec(text)?.[1] ?? ""

export interface ExchangeLine extends ExchangeSocket {
  readonly line: MediaLine
  readonly listen: (listener: MediaListener) => void
}

/** Our end: what waits while the exchange's queue is full is kept here, marks in their place. */
export const exchangeLine = (exchange: ExchangeSocket): ExchangeLine => {
  let listener: MediaListener | null = null
  let isOver = false
  let isFull = false
  let waiting: Array<string | Uint8Array> = []

  const pour = () => {
    while (!isFull && !isOver) {
      const next = waiting.shift()
      if (next === undefined) return
      if (typeof next === "string") exchange.text(next)
      else exchange.bytes(next)
    }
  }
  const say = (message: string | Uint8Array) => {
    waiting.push(message)
    pour()
  }
  const close = (why: "hangup" | "lost") => {
    if (isOver) return
    isOver = true
    listener?.closed(why)
  }
  return {
    line: {
      input: telephoneFormat,
      output: telephoneFormat,
      hasMarks: true,
      send: (sound) => say(sound.slice()),
      mark: (name) => say(`MARK_MEDIA ${name}`),
      clear: () => {
        const marks = waiting.flatMap((one) => (typeof one === "string" ? [one.slice("MARK_MEDIA ".length)] : []))
        waiting = []
        exchange.text("FLUSH_MEDIA")
        for (const name of marks) listener?.marked(name)
      },
      transfer: null,
      hangUp: () => {
        if (isOver) return
        isOver = true
        exchange.text("HANGUP")
      }
    },
    listen: (given) => {
      listener = given
    },
    bytes: (bytes) => {
      if (!isOver) listener?.sound(bytes)
    },
    text: (text) => {
      const word = wordOf(text)
      if (word === "MEDIA_XOFF") isFull = true
      if (word === "MEDIA_XON") {
        isFull = false
        pour()
      }
      if (isOver) return
      if (word === "MEDIA_MARK_PROCESSED") listener?.marked(text.slice(word.length + 1))
      if (word === "DTMF_END") listener?.key(valueOf(text, "digit"))
    },
    closed: (code) => close(code === 1000 ? "hangup" : "lost")
  }
}

/** Frames at which an exchange asks to wait, at which it goes on, and beyond which it drops them. */
const [xoff, xon, maxQueued] = [900, 800, 1000]

/** An exchange with one call. It connects a line whenever a test says so. */
export const makeFakeExchange = Effect.fnUntraced(function* (connect: (exchange: ExchangeSocket) => ExchangeSocket) {
  let ours: ExchangeSocket | null = null
  let isFull = false
  let isHungUp = false
  const player = yield* makeFakePlayer({
    marked: (name) => ours?.text(`MEDIA_MARK_PROCESSED ${name}`),
    played: () => {
      if (!isFull || player.waiting() >= xon) return
      isFull = false
      ours?.text("MEDIA_XON")
    }
  })
  const heardBy = (socket: () => ExchangeSocket | null): ExchangeSocket => ({
    bytes: (bytes) => {
      if (ours !== socket()) return
      for (const frame of framesOf(bytes)) if (player.waiting() < maxQueued) player.add({ frame })
      if (isFull || player.waiting() < xoff) return
      isFull = true
      ours?.text("MEDIA_XOFF")
    },
    text: (text) => {
      if (ours !== socket()) return
      if (wordOf(text) === "MARK_MEDIA") player.add({ mark: text.slice("MARK_MEDIA ".length) })
      if (wordOf(text) === "FLUSH_MEDIA") for (const name of player.flush()) ours?.text(`MEDIA_MARK_PROCESSED ${name}`)
      if (wordOf(text) === "HANGUP") {
        isHungUp = true
        ours?.closed(1000)
        ours = null
      }
    },
    closed: () => undefined
  })
  const open = Effect.sync(() => {
    ours?.closed(1006)
    let socket: ExchangeSocket | null = null
    socket = connect(heardBy(() => socket))
    ours = socket
    const facts = "channel:WebSocket/agent channel_id:1.1 format:ulaw optimal_frame_size:160 ptime:20"
    ours.text(`MEDIA_START connection_id:agent ${facts}`)
  })
  return {
    open,
    player,
    isHungUp: () => isHungUp,
    say: (sound: Uint8Array) =>
      Effect.sync(() => {
        for (const frame of framesOf(sound)) ours?.bytes(frame)
      }),
    press: (key: string) => Effect.sync(() => ours?.text(`DTMF_END digit:${key} duration:100`)),
    hangUp: Effect.sync(() => {
      isHungUp = true
      ours?.closed(1000)
    }),
    lose: Effect.sync(() => ours?.closed(1006))
  }
})
