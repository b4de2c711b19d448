/**
 * A telephone carrier that speaks the calls part of Twilio's API, in real time: its phones and callbacks follow from the
 * seed. Written from the published API alone; it shares no code with the provider.
 */
import { createHmac } from "node:crypto"
import type { CarrierStatus, Say } from "./Lines.ts"
import { callbackWaits, type Phone, phoneOf } from "./Moods.ts"
import { randomOf } from "./Random.ts"

export const accountSid = `AC${"0f".repeat(16)}`
export const authToken = "the token of the carrier's account"

interface Call {
  readonly sid: string
  readonly id: string
  readonly nth: number
  readonly form: URLSearchParams
  readonly createdAt: number
  readonly phone: Phone
  status: string
  startedAt: number | null
  answeredAt: number | null
  endedAt: number | null
  answeredBy: string | null
  sequence: number
}

/** An answer: its status, and its body as JSON. */
export type Answer = readonly [status: number, body: unknown]

export interface CarrierParts {
  readonly seed: number
  readonly trouble: number
  readonly say: Say
  /** Callbacks of this event are all lost. */
  readonly losesCallbacks: string | undefined
  readonly ringsLong: boolean | undefined
  /** Posts a callback to one of the product's processes; its address begins with the public one. */
  readonly post: (url: string, body: string, headers: Readonly<Record<string, string>>) => Promise<number>
}

const final = new Set(["completed", "busy", "failed", "no-answer", "canceled"])
const refusal = (status: number, code: number, message: string): Answer => [status, { code, message, status }]
const instant = (at: number | null) => (at === null ? null : new Date(at).toUTCString().replace("GMT", "+0000"))

/** The published time until the requests of a call can be read. */
const eventsAfterMs = 15 * 60_000

export class CarrierService {
  readonly #parts: CarrierParts
  readonly #calls = new Map<string, Call>()
  readonly #between = new Map<string, Array<Call>>()

  constructor(parts: CarrierParts) {
    this.#parts = parts
  }

  /** Our id of the call that a form asks for. */
  static callIn(form: URLSearchParams): string {
    return new URL(form.get("StatusCallback") ?? "http://none").searchParams.get("call_id") ?? "none"
  }

  serve(method: string, url: URL, form: URLSearchParams, authorization: string): Answer {
    const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
    if (authorization !== basic) return refusal(401, 20003, "Authentication Error")
    const [, account, sid, events] =
      /\/2010-04-01\/Accounts\/([^/]+)\/Calls(?:\/([^/]+?)(\/Events)?)?\.json$/.exec(url.pathname) ?? []
    if (account !== accountSid) return refusal(404, 20404, "The requested resource was not found")
    if (sid === undefined) return method === "POST" ? this.#create(form) : this.#list(url.searchParams)
    const call = this.#calls.get(sid)
    if (call === undefined) return refusal(404, 20404, "The requested resource was not found")
    if (events !== undefined) return [200, { events: this.#events(call), next_page_uri: null }]
    return method === "POST" ? this.#update(call, form) : [200, this.#record(call)]
  }

  #create(form: URLSearchParams): Answer {
    const [to, from] = [form.get("To") ?? "", form.get("From") ?? ""]
    if (!/^\+[1-9]\d{6,14}$/.test(to) || from === "") return refusal(400, 21211, "The phone number is not valid.")
    const nth = this.#calls.size + 1
    const call: Call = {
      sid: `CA${String(nth).padStart(32, "0")}`,
      id: CarrierService.callIn(form),
      nth,
      form,
      createdAt: Date.now(),
      phone: phoneOf(this.#parts.seed, nth, this.#parts.ringsLong),
      ...{ status: "queued", startedAt: null, answeredAt: null, endedAt: null, answeredBy: null, sequence: 0 }
    }
    this.#calls.set(call.sid, call)
    const others = this.#between.get(`${from} ${to}`) ?? []
    this.#between.set(`${from} ${to}`, [...others, call])
    setTimeout(() => this.#dial(call), call.phone.queueMs)
    return [201, this.#record(call)]
  }

  #update(call: Call, form: URLSearchParams): Answer {
    const stale = refusal(400, 21220, "Call is not in-progress. Cannot redirect.")
    if (final.has(call.status)) return stale
    const status = form.get("Status")
    if (status === "canceled") {
      if (call.status === "in-progress") return stale
      this.#end(call, "canceled")
    }
    if (status === "completed") this.#end(call, call.status === "in-progress" ? "completed" : "canceled")
    if (form.has("Twiml")) {
      if (call.status !== "in-progress") return stale
      setTimeout(() => this.#end(call, "completed"), 1500)
    }
    return [200, this.#record(call)]
  }

  #list(query: URLSearchParams): Answer {
    const calls = this.#between.get(`${query.get("From")} ${query.get("To")}`) ?? []
    return [200, { calls: calls.toReversed().map((call) => this.#record(call)), next_page_uri: null }]
  }

  #events(call: Call): ReadonlyArray<unknown> {
    if (call.endedAt === null || Date.now() < call.endedAt + eventsAfterMs) return []
    const parameters = { status_callback: call.form.get("StatusCallback") }
    return [{ request: { method: "POST", parameters }, response: { response_code: 201 } }]
  }

  #record(call: Call): Record<string, string | null> {
    return {
      sid: call.sid,
      account_sid: accountSid,
      to: call.form.get("To"),
      from: call.form.get("From"),
      status: call.status,
      direction: "outbound-api",
      date_created: instant(call.createdAt),
      date_updated: instant(Date.now()),
      start_time: instant(call.startedAt),
      end_time: instant(call.endedAt),
      duration: call.status === "completed" ? seconds(call) : null,
      answered_by: call.answeredBy
    }
  }

  #dial(call: Call): void {
    if (final.has(call.status)) return
    const { does, ringMs } = call.phone
    call.startedAt = Date.now()
    this.#report(call, "initiated", { CallStatus: "initiated" })
    if (does === "fail") return void setTimeout(() => this.#end(call, "failed"), 200)
    if (does === "busy") return void setTimeout(() => this.#end(call, "busy"), 300)
    setTimeout(() => this.#ring(call, ringMs), 50)
  }

  #ring(call: Call, ringMs: number): void {
    if (final.has(call.status)) return
    call.status = "ringing"
    this.#parts.say("carrier", { what: "rang", call: call.id, sid: call.sid })
    this.#report(call, "ringing", { CallStatus: "ringing" })
    if (call.phone.does === "ring-out") setTimeout(() => this.#end(call, "no-answer"), ringMs + 2000)
    else setTimeout(() => this.#answered(call), ringMs)
  }

  #answered(call: Call): void {
    if (call.status !== "ringing") return
    call.status = "in-progress"
    call.answeredAt = Date.now()
    this.#parts.say("carrier", { what: "answered", call: call.id, sid: call.sid })
    this.#report(call, "answered", { CallStatus: "in-progress" })
    if (call.form.has("MachineDetection")) setTimeout(() => this.#detected(call), 500)
    setTimeout(() => this.#end(call, "completed"), call.phone.talkMs)
  }

  #detected(call: Call): void {
    const url = call.form.get("AsyncAmdStatusCallback")
    if (call.status !== "in-progress" || url === null) return
    call.answeredBy = call.phone.does === "machine" ? "machine_end_beep" : "human"
    this.#send(call, "detected", url, { AnsweredBy: call.answeredBy, ...this.#names(call) })
  }

  #end(call: Call, status: CarrierStatus): void {
    if (final.has(call.status)) return
    call.status = status
    call.endedAt = Date.now()
    this.#parts.say("carrier", { what: "ended", call: call.id, sid: call.sid, status })
    const sip: Record<string, string> = status === "failed" ? { SipResponseCode: "503" } : {}
    this.#report(call, "completed", { CallStatus: status, CallDuration: seconds(call), Duration: "1", ...sip })
  }

  #names(call: Call): Record<string, string> {
    const [to, from] = [call.form.get("To") ?? "", call.form.get("From") ?? ""]
    return { CallSid: call.sid, AccountSid: accountSid, From: from, To: to, Direction: "outbound-api" }
  }

  #report(call: Call, event: string, fields: Record<string, string>): void {
    const url = call.form.get("StatusCallback")
    if (url === null || !call.form.getAll("StatusCallbackEvent").includes(event)) return
    const sequence = { Timestamp: instant(Date.now())!, SequenceNumber: String(call.sequence++) }
    this.#send(call, event, url, { ...this.#names(call), ...sequence, ...fields })
  }

  #send(call: Call, event: string, url: string, fields: Record<string, string>): void {
    const { losesCallbacks, post, say, seed, trouble } = this.#parts
    const headers = {
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
      "x-twilio-signature": signature(url, fields)
    }
    const waits = event === losesCallbacks ? [] : callbackWaits(seed, call.nth, event, trouble)
    if (waits.length === 0) say("carrier", { what: "callback", call: call.id, event, status: null })
    for (const wait of waits) {
      setTimeout(async () => {
        const status = await post(url, new URLSearchParams(fields).toString(), headers)
        say("carrier", { what: "callback", call: call.id, event, status })
      }, wait)
    }
  }
}

const seconds = ({ answeredAt, endedAt }: Call): string =>
  String(answeredAt === null ? 0 : Math.round(((endedAt ?? answeredAt) - answeredAt) / 1000))

/** The address, then every name and value in order of names. */
const signature = (url: string, fields: Record<string, string>): string => {
  const signed = Object.keys(fields).sort()
  return createHmac("sha1", authToken)
    .update(signed.reduce((text, name) => text + name + fields[name], url))
    .digest("base64")
}

/** Which process a callback goes to, of those that there are. */
export const targetOf = (seed: number, nth: number, processes: number): number =>
  Math.floor(randomOf(seed, "target", nth)() * processes)
