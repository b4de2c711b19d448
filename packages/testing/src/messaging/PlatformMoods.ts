/** How the fake of the chat platform misbehaves: what a test wants of its requests, and the answers that follow from it. */
import type * as Http from "node:http"
import { type PlatformRequest, type PlatformRoute, recipientOf } from "./PlatformRequest.ts"
import { type Done, type PlatformService, platformError, statusOfCode } from "./PlatformService.ts"

/** What is done with a request once it has arrived as a whole. `takes`: whether what it asks for happens all the same. */
export type PlatformMood = { readonly delayMs?: number } /**
 * Does what is asked for. Of a send, `messageStatus` is what its answer says of the message, such as
 * `held_for_quality_assessment`, and `before` runs between the acceptance and the answer: a report that overtakes it, for one.
 */ & (
  | {
      readonly does: "accept"
      readonly messageStatus?: string
      readonly before?: (id: string) => Promise<unknown>
    }
  /** An error in the platform's shape, at the status that the code has there, or at `status`. */
  | {
      readonly does: "refuse"
      readonly code: number | null
      readonly status?: number
      readonly message?: string
      readonly details?: string
      readonly retryAfter?: number | string
    }
  /** Any answer. A body that is not text is sent as JSON. */
  | {
      readonly does: "answer"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly takes?: boolean
    }
  /** Never answers. */
  | { readonly does: "hang"; readonly takes?: boolean }
  /** Resets the connection. */
  | { readonly does: "reset"; readonly takes?: boolean }
  /** Sends a head that announces more than comes, and closes. */
  | { readonly does: "truncate"; readonly status?: number; readonly takes?: boolean }
  /** Sends a head, then a space every so often and no end. */
  | { readonly does: "trickle"; readonly status?: number; readonly everyMs?: number; readonly takes?: boolean }
  /** Sends these bytes as they are, and closes. */
  | { readonly does: "raw"; readonly bytes: string; readonly takes?: boolean }
)

/** What a test says of the requests to come. */
export interface PlatformMoods {
  /** From now on; null for a platform in good order. A mood is for sends unless `on` names routes; a function is for everything. */
  readonly behave: (
    mood: PlatformMood | ((request: PlatformRequest) => PlatformMood | null) | null,
    on?: ReadonlyArray<PlatformRoute>
  ) => void
  /** For the next requests of a route, by default of sends. Comes before everything else. */
  readonly next: (mood: PlatformMood, times?: number, on?: PlatformRoute) => void
  /** For sends to one customer; null for none. */
  readonly toward: (customer: string, mood: PlatformMood | null) => void
}

/** A platform is in good order until a test says otherwise. `moodOf` is asked once for each request. */
export const makeMoods = () => {
  const queue: Array<{ readonly mood: PlatformMood; readonly on: PlatformRoute }> = []
  const customers = new Map<string, PlatformMood>()
  let behaviour: (request: PlatformRequest) => PlatformMood | null = () => null
  const moodOf = (request: PlatformRequest): PlatformMood => {
    const at = queue.findIndex(({ on }) => on === request.route)
    const [queued] = at < 0 ? [] : queue.splice(at, 1)
    const customer = request.route === "send" ? customers.get(recipientOf(request.body)) : undefined
    return queued?.mood ?? customer ?? behaviour(request) ?? { does: "accept" }
  }
  const moods: PlatformMoods = {
    behave: (mood, on = ["send"]) => {
      behaviour = typeof mood === "function" ? mood : ({ route }) => (on.includes(route) ? mood : null)
    },
    next: (mood, times = 1, on = "send") => {
      for (let i = 0; i < times; i += 1) queue.push({ mood, on })
    },
    toward: (customer, mood) => {
      if (mood === null) customers.delete(customer)
      else customers.set(customer, mood)
    }
  }
  return { moodOf, moods }
}

const say = (response: Http.ServerResponse, done: Done, headers: Readonly<Record<string, string>> = {}) => {
  if (response.destroyed || response.socket === null) return
  const { body, status, type } = done
  const isPlain = typeof body === "string" || body instanceof Uint8Array
  response.writeHead(status, { "content-type": type ?? (isPlain ? "text/plain" : "application/json"), ...headers })
  response.end(isPlain ? body : JSON.stringify(body))
}

/** Answers requests as their moods say; `stop` ends what still waits or trickles. */
export const makeAnswers = (service: PlatformService) => {
  const timers = new Set<NodeJS.Timeout>()

  const accept = (
    request: PlatformRequest,
    response: Http.ServerResponse,
    { before, messageStatus }: Extract<PlatformMood, { does: "accept" }>
  ) => {
    const taken = service.messages.length
    const served = service.serve(request, messageStatus)
    const message = service.messages[taken]
    if (before === undefined || message === undefined) return say(response, served)
    const answer = () => say(response, served)
    void before(message.id).then(answer, answer)
  }

  const act = (request: PlatformRequest, response: Http.ServerResponse, mood: PlatformMood) => {
    const { socket } = response
    if (mood.does === "accept") return accept(request, response, mood)
    if (mood.does === "refuse") {
      const { code, details, message, retryAfter, status = statusOfCode(code ?? 1) } = mood
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return say(response, { status, body: platformError(code, message, details) }, headers)
    }
    const served = mood.takes === true ? service.serve(request) : null
    if (mood.does === "answer") {
      return say(response, { status: mood.status, body: mood.body ?? served?.body ?? "" }, mood.headers)
    }
    if (socket === null || mood.does === "hang") return
    if (mood.does === "reset") return void socket.resetAndDestroy()
    if (mood.does === "raw") return void socket.end(mood.bytes)
    if (mood.does === "truncate") {
      const head = `HTTP/1.1 ${mood.status ?? 200} x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n`
      return void socket.end(`${head}{"messages": [`)
    }
    response.writeHead(mood.status ?? 200, { "content-type": "application/json" })
    response.write(" ")
    timers.add(setInterval(() => response.write(" "), mood.everyMs ?? 10))
  }

  return {
    answer: (request: PlatformRequest, response: Http.ServerResponse, mood: PlatformMood): void => {
      if (mood.delayMs === undefined) {
        act(request, response, mood)
        return
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        act(request, response, mood)
      }, mood.delayMs)
      timers.add(timer)
    },
    stop: (): void => {
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
