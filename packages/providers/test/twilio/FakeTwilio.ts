/**
 * A telephone company on 127.0.0.1 that speaks the calls part of Twilio's API: it queues, paces, rings, answers, detects
 * machines and calls back, signed. Its time passes only when a test says so, and it can misbehave in every way that
 * the carrier promises to survive. Written from the published API alone; it shares no code with the carrier.
 */
import { createHmac, randomBytes } from "node:crypto"
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How a phone behaves when it is called. Times in milliseconds. */
export interface Phone {
  readonly does: "answer" | "busy" | "ring-out" | "fail"
  readonly ringsFor?: number
  /** What detection finds, as `AnsweredBy` says it. */
  readonly who?: string
  readonly detectedAfter?: number
  readonly talksFor?: number
  /** The SIP response of a call that fails. */
  readonly sip?: number
}

/** What goes wrong with the next request that it is meant for. */
export type Fault = { readonly only?: (request: LoggedRequest) => boolean } & (
  | {
      readonly kind: "refuse"
      readonly status: number
      readonly code?: number
      readonly headers?: Record<string, string>
    }
  /** Does what was asked, then drops the connection. */
  | { readonly kind: "lose" }
  /** Drops the connection and does nothing. */
  | { readonly kind: "break" }
  /** Does what was asked and never answers. */
  | { readonly kind: "hang" }
  /** Does what was asked and answers this. */
  | { readonly kind: "say"; readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  /** Waits in real time first. */
  | { readonly kind: "delay"; readonly ms: number }
)

export interface LoggedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingMessage["headers"]
}

/** A call as the fake knows it; `record` is what its API shows of it. */
export interface FakeCall {
  readonly sid: string
  readonly form: URLSearchParams
  readonly createdAt: number
  readonly phone: Phone
  status: string
  startedAt: number | null
  answeredAt: number | null
  endedAt: number | null
  answeredBy: string | null
  /** The instructions it is carrying out. */
  twiml: string | null
  sequence: number
}

export interface FakeTwilioOptions {
  readonly accountSid: string
  readonly authToken: string
  readonly callsPerSecond?: number
  /** Virtual time at the start. */
  readonly now?: number
  /** Where callbacks go instead of to this public address, as a reverse proxy would send them. */
  readonly proxy?: { readonly publicUrl: string; readonly to: string }
  /** How a number behaves; by default a person answers. */
  readonly phone?: (to: string) => Phone
  /** The smallest page that a list is cut into, whatever is asked for. */
  readonly pageSize?: number
  /** How long after a call's end its requests can be read. Default: a quarter of an hour, as published. */
  readonly eventsAfterMs?: number
}

const final = new Set(["completed", "busy", "failed", "no-answer", "canceled"])
const rfc2822 = (at: number) => new Date(at).toUTCString().replace("GMT", "+0000")

/** One callback as it went out, and what became of it. */
export interface SentCallback {
  readonly url: string
  readonly form: URLSearchParams
  readonly status: number
}

export class FakeTwilio {
  readonly log: Array<LoggedRequest> = []
  readonly calls: Array<FakeCall> = []
  readonly sent: Array<SentCallback> = []
  /** Taken from the front by the requests that they fit. */
  readonly faults: Array<Fault> = []
  /** How often each callback is delivered, and whether those of one `advance` come in reverse. */
  readonly callbacks = { times: 1, reversed: false }
  now: number
  proxy: FakeTwilioOptions["proxy"]
  #server = createServer((request, response) => void this.#serve(request, response))
  #queue: Array<{ readonly at: number; readonly run: () => void }> = []
  #due: Array<() => Promise<void>> = []
  #nextStart: number
  #busy: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  readonly #options: FakeTwilioOptions

  private constructor(options: FakeTwilioOptions) {
    this.#options = options
    this.now = options.now ?? 0
    this.#nextStart = this.now
    this.proxy = options.proxy
  }

  static async start(options: FakeTwilioOptions): Promise<FakeTwilio> {
    const fake = new FakeTwilio(options)
    await new Promise<void>((done) => fake.#server.listen(0, "127.0.0.1", done))
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Lets virtual time pass, and delivers what calls tell meanwhile before it returns. */
  advance(ms: number): Promise<void> {
    this.#busy = this.#busy.then(() => this.#advance(this.now + ms))
    return this.#busy
  }

  /** Lets virtual time follow real time, `speed` times as fast, until `stop`. For tests of whole processes. */
  run(speed = 1): void {
    const step = 20
    this.#timer = setInterval(() => void this.advance(step * speed), step)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #advance(until: number): Promise<void> {
    for (;;) {
      const next = this.#queue.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#queue.splice(this.#queue.indexOf(next), 1)
      this.now = Math.max(this.now, next.at)
      next.run()
      if (!this.callbacks.reversed) await this.#deliver()
    }
    this.now = until
    await this.#deliver()
  }

  async #deliver(): Promise<void> {
    const due = this.#due.splice(0)
    for (const send of this.callbacks.reversed ? due.reverse() : due) {
      for (let time = 0; time < this.callbacks.times; time++) await send()
    }
  }

  #after(ms: number, run: () => void): void {
    this.#queue.push({ at: this.now + ms, run })
  }

  // Requests

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Array<Buffer> = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const url = new URL(incoming.url ?? "/", "http://fake")
    const request: LoggedRequest = {
      at: this.now,
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      headers: incoming.headers
    }
    this.log.push(request)
    const fault = this.faults.find(({ only }) => only === undefined || only(request))
    if (fault !== undefined) this.faults.splice(this.faults.indexOf(fault), 1)
    if (fault?.kind === "delay") await new Promise((done) => setTimeout(done, fault.ms))
    if (fault?.kind === "break") return void incoming.socket.destroy()
    if (fault?.kind === "refuse") return this.#answer(response, fault.status, error(fault), fault.headers)
    const [status, body] = this.#handle(request)
    if (fault?.kind === "hang") return
    if (fault?.kind === "lose") return void incoming.socket.destroy()
    if (fault?.kind === "say") return this.#answer(response, fault.status, fault.body, fault.headers)
    this.#answer(response, status, JSON.stringify(body))
  }

  #answer(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
    response.writeHead(status, {
      "content-type": "application/json",
      date: new Date(this.now).toUTCString(),
      ...headers
    })
    response.end(body)
  }

  #handle(request: LoggedRequest): readonly [number, unknown] {
    const { accountSid, authToken } = this.#options
    const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
    if (request.headers.authorization !== basic) return refusal(401, 20003, "Authentication Error")
    const path = /^\/2010-04-01\/Accounts\/([^/]+)\/Calls(?:\/([^/]+?)(\/Events)?)?\.json$/.exec(request.path)
    if (path === null || path[1] !== accountSid) return refusal(404, 20404, "The requested resource was not found")
    if (path[2] === undefined) return request.method === "POST" ? this.#create(request) : this.#list(request)
    const call = this.calls.find(({ sid }) => sid === path[2])
    if (call === undefined) return refusal(404, 20404, "The requested resource was not found")
    if (path[3] !== undefined) return [200, { events: this.#events(call), next_page_uri: null }]
    return request.method === "POST" ? this.#update(call, request.form) : [200, this.record(call)]
  }

  #create({ form }: LoggedRequest): readonly [number, unknown] {
    const to = form.get("To") ?? ""
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refusal(400, 21211, `The phone number ${to} is not valid.`)
    if (!form.has("From")) return refusal(400, 21213, "A From number is required.")
    if ((form.get("Twiml") ?? "").length > 4000) return refusal(400, 21627, "Twiml is too long.")
    const call: FakeCall = {
      sid: `CA${randomBytes(16).toString("hex")}`,
      form,
      createdAt: this.now,
      phone: this.#options.phone?.(to) ?? { does: "answer" },
      status: "queued",
      startedAt: null,
      answeredAt: null,
      endedAt: null,
      answeredBy: null,
      twiml: form.get("Twiml"),
      sequence: 0
    }
    this.calls.push(call)
    const start = Math.max(this.now, this.#nextStart)
    this.#nextStart = start + 1000 / (this.#options.callsPerSecond ?? 1)
    this.#after(start - this.now, () => this.#dial(call))
    return [201, this.record(call)]
  }

  #update(call: FakeCall, form: URLSearchParams): readonly [number, unknown] {
    const status = form.get("Status")
    const stale = refusal(400, 21220, "Call is not in-progress. Cannot redirect.")
    if (final.has(call.status)) return stale
    if (status === "canceled") {
      if (call.status === "in-progress") return stale
      this.#end(call, "canceled")
    }
    if (status === "completed") this.#end(call, call.status === "in-progress" ? "completed" : "canceled")
    const twiml = form.get("Twiml")
    if (twiml !== null) {
      if (call.status !== "in-progress") return stale
      call.twiml = twiml
      if (twiml.includes("<Hangup/>")) this.#after(5000, () => this.#end(call, "completed"))
    }
    return [200, this.record(call)]
  }

  #list({ path, query }: LoggedRequest): readonly [number, unknown] {
    const wanted = (name: string, value: string | null) => !query.has(name) || query.get(name) === value
    const fits = this.calls
      .filter((call) => wanted("To", call.form.get("To")) && wanted("From", call.form.get("From")))
      .filter((call) => wanted("Status", call.status))
      .reverse()
    const size = Math.min(Number(query.get("PageSize") ?? 50), this.#options.pageSize ?? 1000)
    const page = Number(query.get("Page") ?? 0)
    const more = fits.length > (page + 1) * size
    const following = new URLSearchParams(query)
    following.set("Page", String(page + 1))
    return [
      200,
      {
        calls: fits.slice(page * size, (page + 1) * size).map((call) => this.record(call)),
        next_page_uri: more ? `${path}?${following}` : null
      }
    ]
  }

  /** The request that made a call, and those that the fake has made for it. */
  #events(call: FakeCall): ReadonlyArray<unknown> {
    const { accountSid, eventsAfterMs = 15 * 60_000 } = this.#options
    const isReadable = eventsAfterMs === 0 || (call.endedAt !== null && this.now >= call.endedAt + eventsAfterMs)
    if (!isReadable) return []
    const made = {
      to: call.form.get("To"),
      from: call.form.get("From"),
      status_callback: call.form.get("StatusCallback")
    }
    const url = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Calls.json`
    const callbacks = this.sent.filter(({ form }) => form.get("CallSid") === call.sid)
    return [
      { request: { method: "POST", url, parameters: made }, response: { response_code: 201 } },
      ...callbacks.map(({ status, url }) => ({ request: { method: "POST", url }, response: { response_code: status } }))
    ]
  }

  /** What the API shows of a call. */
  record(call: FakeCall): Record<string, string | null> {
    const time = (at: number | null) => (at === null ? null : rfc2822(at))
    return {
      sid: call.sid,
      account_sid: this.#options.accountSid,
      to: call.form.get("To"),
      from: call.form.get("From"),
      status: call.status,
      direction: "outbound-api",
      date_created: time(call.createdAt),
      date_updated: time(this.now),
      start_time: time(call.startedAt),
      end_time: time(call.endedAt),
      duration: call.status === "completed" ? seconds(call) : null,
      answered_by: call.answeredBy
    }
  }

  // The life of a call

  #dial(call: FakeCall): void {
    if (final.has(call.status)) return
    call.startedAt = this.now
    const { does, ringsFor = 2000, sip = 503 } = call.phone
    this.#tell(call, "initiated", { CallStatus: "initiated" })
    if (does === "fail") this.#after(500, () => this.#end(call, "failed", { SipResponseCode: String(sip) }))
    else if (does === "busy") this.#after(1000, () => this.#end(call, "busy"))
    else this.#after(500, () => this.#ring(call, does === "answer" ? ringsFor : Number.POSITIVE_INFINITY))
  }

  #ring(call: FakeCall, answersAfter: number): void {
    if (final.has(call.status)) return
    call.status = "ringing"
    this.#tell(call, "ringing", { CallStatus: "ringing" })
    const ringMs = Number(call.form.get("Timeout") ?? 60) * 1000
    if (answersAfter < ringMs) this.#after(answersAfter, () => this.#answered(call))
    else this.#after(ringMs, () => call.status === "ringing" && this.#end(call, "no-answer"))
  }

  #answered(call: FakeCall): void {
    if (call.status !== "ringing") return
    call.status = "in-progress"
    call.answeredAt = this.now
    this.#tell(call, "answered", { CallStatus: "in-progress" })
    const { detectedAfter = 3000, talksFor = 20_000, who = "human" } = call.phone
    if (call.form.has("MachineDetection")) this.#after(detectedAfter, () => this.#detected(call, who))
    this.#after(talksFor, () => this.#end(call, "completed"))
  }

  #detected(call: FakeCall, who: string): void {
    if (call.status !== "in-progress") return
    call.answeredBy = who
    const url = call.form.get("AsyncAmdStatusCallback")
    if (url !== null) this.#post(url, { AnsweredBy: who, MachineDetectionDuration: "3000", ...this.#names(call) })
  }

  #end(call: FakeCall, status: string, more: Record<string, string> = {}): void {
    if (final.has(call.status)) return
    call.status = status
    call.endedAt = this.now
    const duration = { CallDuration: seconds(call), Duration: "1" }
    this.#tell(call, "completed", { CallStatus: status, ...duration, ...more })
  }

  // Callbacks

  #names(call: FakeCall): Record<string, string> {
    return {
      CallSid: call.sid,
      AccountSid: this.#options.accountSid,
      From: call.form.get("From") ?? "",
      To: call.form.get("To") ?? "",
      ApiVersion: "2010-04-01",
      Direction: "outbound-api"
    }
  }

  #tell(call: FakeCall, event: string, fields: Record<string, string>): void {
    const url = call.form.get("StatusCallback")
    const events = call.form.getAll("StatusCallbackEvent")
    if (url === null || !(events.length === 0 ? ["completed"] : events).includes(event)) return
    const sequence = { Timestamp: rfc2822(this.now), SequenceNumber: String(call.sequence++), CallbackSource: "x" }
    this.#post(url, { ...this.#names(call), ...sequence, ...fields })
  }

  #post(url: string, fields: Record<string, string>): void {
    const form = new URLSearchParams(fields)
    const proxy = this.proxy
    const to = proxy === undefined ? url : proxy.to + url.slice(proxy.publicUrl.length)
    this.#due.push(async () => {
      const status = await post(to, form, sign(this.#options.authToken, url, fields))
      this.sent.push({ url, form, status })
    })
  }
}

/** Twilio's signature, from its published description: the address, then every name and value in order of names. */
const sign = (token: string, url: string, fields: Record<string, string>): string => {
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + fields[name], url)
  return createHmac("sha1", token).update(signed).digest("base64")
}

const post = (url: string, form: URLSearchParams, signature: string): Promise<number> => {
  if (new URL(url).hostname !== "127.0.0.1") throw new Error(`the fake calls back to 127.0.0.1 only, not to ${url}`)
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": signature
  }
  return new Promise((done) => {
    const request = httpRequest(url, { method: "POST", headers }, (response) => {
      response.resume()
      response.on("end", () => done(response.statusCode ?? 0))
    })
    request.on("error", () => done(0))
    request.end(form.toString())
  })
}

const seconds = (call: FakeCall): string =>
  String(call.answeredAt === null ? 0 : Math.round(((call.endedAt ?? call.answeredAt) - call.answeredAt) / 1000))

const refusal = (status: number, code: number, message: string) => [status, { code, message, status }] as const

const error = ({ code, status }: { readonly status: number; readonly code?: number }): string =>
  JSON.stringify({ ...(code === undefined ? {} : { code }), message: "the fake was told to refuse", status })
