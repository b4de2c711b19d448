/** Telegram's Bot API over real sockets: it knows bots by their tokens, accepts messages, keeps files, and logs every request. A test decides what it refuses. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

type Json = Readonly<Record<string, unknown>>

export interface TelegramCall {
  readonly token: string
  /** `sendMessage`, or `file` for a file's bytes. */
  readonly method: string
  readonly parameters: Json
}

/** What becomes of the next call of a method. */
export type TelegramMood =
  | { readonly does: "refuse"; readonly code: number; readonly description: string; readonly retryAfter?: number }
  /** Resets the connection once the request has arrived. */
  | { readonly does: "reset" }
  /** Answers something that is none of the Bot API's. */
  | { readonly does: "answer"; readonly status: number; readonly body: string }

export interface FakeTelegram {
  readonly apiUrl: string
  /** Calls that have arrived as a whole, in their order. */
  readonly calls: ReadonlyArray<TelegramCall>
  readonly of: (method: string) => ReadonlyArray<TelegramCall>
  /** What was registered for a bot. */
  readonly webhook: (token: string) => Json | undefined
  readonly next: (method: string, mood: TelegramMood) => void
  /** Keeps a file that a customer has sent; returns its id. */
  readonly keep: (path: string, bytes: Uint8Array) => string
  /** A person writes to a bot; returns the status and the body that the update was answered with. */
  readonly writes: (token: string, message: Json) => Promise<{ readonly status: number; readonly body: string }>
  readonly delivers: (token: string, update: Json) => Promise<{ readonly status: number; readonly body: string }>
  /** Delivers there instead of to the host that was registered. */
  readonly deliverTo: (origin: string) => void
  readonly close: () => Promise<void>
}

/** A bot's token. */
export const telegramToken = (id: number): string => `${id}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw`

/** An update with a text of a customer's. */
export const telegramText = (chat: number, message_id: number, text: string, more: Json = {}): Json => ({
  message_id,
  date: 1_795_250_000,
  chat: { id: chat, type: "private", first_name: "Ada" },
  from: { id: chat, is_bot: false, first_name: "Ada", last_name: "L." },
  text,
  ...more
})

const bytesOf = async (request: Http.IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece as Buffer) // no encoding is set: buffers
  return Buffer.concat(pieces)
}

export const startFakeTelegram = async (bots: ReadonlyArray<number> = [110201543]): Promise<FakeTelegram> => {
  const calls: Array<TelegramCall> = []
  const webhooks = new Map<string, Json>()
  const moods = new Map<string, Array<TelegramMood>>()
  const files = new Map<string, { readonly path: string; readonly bytes: Uint8Array }>()
  const tokens = new Set(bots.map(telegramToken))
  let ids = 1000
  let reached: string | null = null

  const say = (response: Http.ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }
  const no = (response: Http.ServerResponse, code: number, description: string, parameters?: Json) =>
    say(response, code, {
      ok: false,
      error_code: code,
      description,
      ...(parameters === undefined ? {} : { parameters })
    })

  const serve = ({ method, parameters, token }: TelegramCall): unknown => {
    const bot = Number(token.split(":")[0])
    if (method === "getMe") return { id: bot, is_bot: true, first_name: "Tea", username: "tea_bot" }
    if (method === "setWebhook") webhooks.set(token, parameters)
    if (method === "deleteWebhook") webhooks.delete(token)
    if (method === "getFile") {
      const file = files.get(String(parameters.file_id))
      return file === undefined ? undefined : { file_path: file.path, file_size: file.bytes.length }
    }
    if (!/^send(?!ChatAction)/.test(method)) return true
    ids += 1
    return { message_id: ids, chat: { id: Number(parameters.chat_id), type: "private" } }
  }

  const server = Http.createServer(async (request, response) => {
    const bytes = await bytesOf(request)
    const [, file, token = "", name = ""] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(request.url ?? "") ?? []
    const method = file === undefined ? name : "file"
    const call = { token, method, parameters: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Json) }
    calls.push(call)
    const mood = moods.get(method)?.shift()
    if (mood?.does === "reset") return void response.socket?.resetAndDestroy()
    if (mood?.does === "answer") return say(response, mood.status, mood.body)
    if (mood?.does === "refuse") {
      const { code, description, retryAfter } = mood
      return no(response, code, description, retryAfter === undefined ? undefined : { retry_after: retryAfter })
    }
    if (!tokens.has(token)) return no(response, 401, "Unauthorized")
    if (method === "file") {
      const found = [...files.values()].find(({ path }) => path === name)
      if (found === undefined) return no(response, 404, "Not Found")
      response.writeHead(200, { "content-type": "application/octet-stream" })
      return void response.end(found.bytes)
    }
    const result = serve(call)
    return result === undefined
      ? no(response, 400, "Bad Request: invalid file_id")
      : say(response, 200, { ok: true, result })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // of TCP: never a path

  const delivers: FakeTelegram["delivers"] = async (token, update) => {
    const { secret_token, url } = webhooks.get(token) ?? {}
    const { origin, pathname } = new URL(String(url))
    const answer = await fetch(`${reached ?? origin}${pathname}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": String(secret_token) },
      body: JSON.stringify({ update_id: calls.length, ...update })
    })
    return { status: answer.status, body: await answer.text() }
  }

  return {
    apiUrl: `http://127.0.0.1:${port}`,
    calls,
    of: (method) => calls.filter((call) => call.method === method),
    webhook: (token) => webhooks.get(token),
    next: (method, mood) => void moods.set(method, [...(moods.get(method) ?? []), mood]),
    keep: (path, bytes) => {
      ids += 1
      files.set(`file-${ids}`, { path, bytes })
      return `file-${ids}`
    },
    delivers,
    deliverTo: (origin) => {
      reached = origin
    },
    writes: (token, message) => delivers(token, { message }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
