/** A client of the Bot API: one method is one request. The token stands in the path, and in no detail. */
import {
  type ChannelFailed,
  type ChannelFile,
  ChannelUnreachable,
  isObject,
  type JsonObject
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ChannelWire, WireAnswer } from "../chat/ChannelWire.ts"
import { jsonBody, jsonIn } from "../http/index.ts"
import { refusalOf, refusedHere } from "./TelegramErrors.ts"
import type { TelegramSettings } from "./TelegramOptions.ts"

const maxAnswerBytes = 1024 * 1024

/** The number of the bot, and its secret. */
const tokenForm = /^\d{1,20}:[\w-]{20,128}$/

export interface TelegramClient {
  /** Calls a method; returns its result. */
  readonly call: (
    token: Redacted.Redacted,
    method: string,
    parameters?: JsonObject
  ) => Effect.Effect<unknown, ChannelFailed>
  /** A file that was sent to the bot, of at most `maxBytes`. */
  readonly file: (
    token: Redacted.Redacted,
    fileId: string,
    maxBytes: number
  ) => Effect.Effect<ChannelFile, ChannelFailed>
}

const jsonOf = ({ body }: WireAnswer): unknown => (typeof body === "string" ? undefined : jsonIn(body))

const unclear = (detail: string) => new ChannelUnreachable({ isCertain: false, detail })

/** Telegram serves every file without its type. */
const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  mp4: "video/mp4",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  pdf: "application/pdf"
}

const typeOf = (path: string): string =>
  types[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream"

export const makeClient = ({ apiUrl }: TelegramSettings, { exchange, maxRequestMs }: ChannelWire): TelegramClient => {
  const plain = (token: Redacted.Redacted) =>
    tokenForm.test(Redacted.value(token))
      ? Effect.succeed(Redacted.value(token))
      : refusedHere("credentials", "This is no token of a Telegram bot: they look like 110201543:AAHdqTcvCH1vGWJxfSe….")

  const ask = (url: string, body: JsonObject | null, maxBytes: number) =>
    exchange({
      method: body === null ? "GET" : "POST",
      to: { url: new URL(url), way: "platform" },
      authorization: null,
      body: body === null ? null : jsonBody(body),
      maxBytes,
      deadline: performance.now() + maxRequestMs
    })

  const call: TelegramClient["call"] = Effect.fnUntraced(function* (token, method, parameters = {}) {
    const answer = yield* ask(`${apiUrl}/bot${yield* plain(token)}/${method}`, parameters, maxAnswerBytes)
    const said = jsonOf(answer)
    if (isObject(said) && said.ok === true && answer.status < 300) return said.result
    if (answer.status >= 300 || (isObject(said) && said.ok === false)) return yield* refusalOf(answer.status, said)
    return yield* unclear(`answered ${answer.status} with something else`)
  })

  const file: TelegramClient["file"] = Effect.fnUntraced(function* (token, fileId, maxBytes) {
    const about = yield* call(token, "getFile", { file_id: fileId })
    const { file_path: path, file_size: size } = isObject(about) ? about : {}
    if (typeof path !== "string" || !/^[\w-][\w./-]*$/.test(path) || path.includes("..")) {
      return yield* unclear("named no file")
    }
    if (Number(size) > maxBytes) return yield* refusedHere("too_large")
    const answer = yield* ask(`${apiUrl}/file/bot${yield* plain(token)}/${path}`, null, maxBytes)
    if (answer.status >= 300) return yield* refusalOf(answer.status, jsonOf(answer))
    if (answer.body === "too_large") return yield* refusedHere("too_large")
    if (typeof answer.body === "string") return yield* unclear("the file broke off")
    return { contentType: typeOf(path), size: answer.body.length, bytes: answer.body }
  })

  return { call, file }
}
