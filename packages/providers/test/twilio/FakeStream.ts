/** Twilio's end of a bidirectional media stream: it plays in real time, answers marks, and says what happens on the call. */
import { createHmac } from "node:crypto"
import type { SocketListener, SocketRoute } from "@trunkline/core/provider"
import { framesOf, makeFakePlayer } from "@trunkline/testing/media-suite"
import * as Effect from "effect/Effect"

export const requestOf = (path: string, headers: Readonly<Record<string, string>>) => ({
  path,
  params: {},
  headers,
  protocols: [],
  clientAddress: null,
  requestId: "00000000-0000-0000-0000-000000000000"
})

export const signatureOf = (token: string, url: string): string =>
  createHmac("sha1", token).update(url).digest("base64")

export interface StreamOptions {
  readonly route: SocketRoute
  readonly url: string
  readonly authToken: string
  readonly callSid: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Opens the socket. Nothing is said on it. */
export const openStream = Effect.fnUntraced(function* ({ authToken, callSid, parameters, route, url }: StreamOptions) {
  const streamSid = `MZ${Math.abs(callSid.length * 7919)
    .toString(16)
    .padStart(32, "0")}`
  const sizes: Array<number> = []
  const closes: Array<readonly [number, string]> = []
  const said: Array<string> = []
  let sequence = 1
  let listener: SocketListener | null = null
  const send = (event: string, more: object) =>
    listener?.text(JSON.stringify({ event, sequenceNumber: String(sequence++), streamSid, ...more }))
  const player = yield* makeFakePlayer({ marked: (name) => send("mark", { mark: { name } }) })
  const accepted = yield* route.accept(requestOf(route.path, { "x-twilio-signature": signatureOf(authToken, url) }))
  if (accepted._tag === "Refused") throw new Error(`refused with ${accepted.status}`)
  const close = (code: number) => {
    const open = listener
    listener = null
    open?.closed(code)
  }
  listener = accepted.open({
    send: (text) => {
      const message = JSON.parse(String(text))
      said.push(message.event)
      if (message.streamSid !== streamSid) throw new Error(`a message of the stream ${message.streamSid}`)
      if (message.event === "media") {
        const sound = new Uint8Array(Buffer.from(message.media.payload, "base64"))
        sizes.push(sound.length)
        for (const frame of framesOf(sound)) player.add({ frame })
      }
      if (message.event === "mark") player.add({ mark: message.mark.name })
      if (message.event === "clear") for (const name of player.flush()) send("mark", { mark: { name } })
    },
    unsentBytes: () => 0,
    close: (code, reason) => {
      closes.push([code, reason])
      close(code)
    },
    terminate: () => close(1006)
  })
  let chunk = 1
  return {
    player,
    sizes,
    said,
    closes,
    streamSid,
    send,
    raw: (text: string) => listener?.text(text),
    /** The socket breaks. */
    lose: Effect.sync(() => close(1006)),
    start: (change: object = {}) =>
      Effect.sync(() => {
        send("connected", { protocol: "Call", version: "1.0.0" })
        const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 }
        send("start", {
          start: { callSid, streamSid, tracks: ["inbound"], mediaFormat, customParameters: parameters, ...change }
        })
      }),
    hear: (sound: Uint8Array) =>
      Effect.forEach(
        framesOf(sound),
        (frame) =>
          Effect.andThen(
            Effect.sync(() =>
              send("media", {
                media: {
                  track: "inbound",
                  chunk: String(chunk++),
                  timestamp: "0",
                  payload: Buffer.from(frame).toString("base64")
                }
              })
            ),
            Effect.sleep(20)
          ),
        { discard: true }
      ),
    stop: Effect.sync(() => {
      send("stop", { stop: { callSid } })
      close(1000)
    })
  }
})
