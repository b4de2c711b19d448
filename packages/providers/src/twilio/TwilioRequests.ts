/** The requests to Twilio: the fields of a form or a query, and what they mean to the provider. */
import type { Answer, Ids } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import type { TwilioSettings } from "./TwilioOptions.ts"
import type { Fields } from "./TwilioSignature.ts"
import * as TwiML from "./TwiML.ts"

export interface TwilioRequest {
  readonly method: "GET" | "POST"
  /** Path and query below the settings' base URL. */
  readonly path: string
  /** The form, for a POST. */
  readonly form: Fields
}

/** One call to be made, its numbers already in the form that is dialed. */
export interface NewCall {
  readonly callId: Ids.CallId
  readonly botId: Ids.BotId | null
  readonly to: string
  readonly from: string
  readonly answer: Answer
  readonly mediaToken: string | null
  readonly detectMachine: boolean
}

/** Seconds that a phone rings. The provider adds up to 5 of its own. */
export const ringSeconds = 30

/** The longest call, in seconds, should nobody ever end it. */
const maxSeconds = 4 * 60 * 60

/** Records in one page of a list; the provider allows 1000. */
const pageSize = 200

export const callbackPath = "/api/v1/telephony/providers/twilio/callback"

/** Where streams of sound come in. */
export const mediaPath = "/api/v1/telephony/providers/twilio/media"

/** Where a call asks what to do when its stream has ended. */
export const resumePath = "/api/v1/telephony/providers/twilio/resume"

/** What a callback is about. It stands in its address, which the signature covers. */
export type About = "status" | "detection"

/** Makes one call. The provider knows no key against doing it twice, so this must never be sent again. */
export const create = (settings: TwilioSettings, call: NewCall): Result.Result<TwilioRequest, TwiML.TooLong> =>
  Result.map(instructions(settings, call), (answer) => ({
    method: "POST",
    path: calls(settings),
    form: [
      ["To", call.to],
      ["From", call.from],
      ...answer,
      ["Timeout", String(ringSeconds)],
      ["TimeLimit", String(maxSeconds)],
      ["StatusCallback", callbackUrl(settings, call.callId, "status")],
      ["StatusCallbackMethod", "POST"],
      ...["initiated", "ringing", "answered", "completed"].map((event) => ["StatusCallbackEvent", event] as const),
      ...(call.detectMachine ? detection(settings, call.callId) : [])
    ]
  }))

const instructions = (settings: TwilioSettings, call: NewCall): Result.Result<Fields, TwiML.TooLong> => {
  const ids = { call_id: call.callId, ...(call.botId === null ? {} : { bot_id: call.botId }) }
  if (call.answer._tag === "Agent") {
    return Result.map(TwiML.connecting(agentStream(settings, call.callId, call.mediaToken ?? "")), (twiml) => [
      ["Twiml", twiml]
    ])
  }
  if (call.answer._tag !== "Url") {
    return Result.map(TwiML.answering(call.answer, ids), (twiml) => [["Twiml", twiml]])
  }
  return Result.succeed([
    ["Url", withQuery(call.answer.url, ids)],
    ["Method", "POST"]
  ])
}

/** The address of streams as the provider is given it: `wss`, and `ws` where we are reached by plain http. */
export const mediaUrl = ({ publicUrl }: TwilioSettings): string => `${publicUrl.replace(/^http/i, "ws")}${mediaPath}`

export const resumeUrl = ({ publicUrl }: TwilioSettings, callId: Ids.CallId): string =>
  `${publicUrl}${resumePath}?${encode([["call_id", callId]])}`

/** What connects a call to its agent, with a token for one connection. */
export const agentStream = (settings: TwilioSettings, callId: Ids.CallId, token: string): TwiML.AgentStream => ({
  url: mediaUrl(settings),
  callId,
  token,
  resumeUrl: resumeUrl(settings, callId)
})

/** In the background, so that a person hears the greeting at once; of a machine we hear when it is its turn to listen. */
const detection = (settings: TwilioSettings, callId: Ids.CallId): Fields => [
  ["MachineDetection", "DetectMessageEnd"],
  ["AsyncAmd", "true"],
  ["AsyncAmdStatusCallback", callbackUrl(settings, callId, "detection")],
  ["AsyncAmdStatusCallbackMethod", "POST"]
]

const callbackUrl = (settings: TwilioSettings, callId: Ids.CallId, about: About): string =>
  `${settings.publicUrl}${callbackPath}?${encode([
    ["call_id", callId],
    ["about", about]
  ])}`

const withQuery = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const [, before = "", fragment = ""] = /^([^#]*)(.*)$/s.exec(url) ?? []
  return `${before}${before.includes("?") ? "&" : "?"}${encode(Object.entries(parameters))}${fragment}`
}

/** Stops a call that is queued or ringing. One that was answered meanwhile goes on, and the answer says so. */
export const cancel = (settings: TwilioSettings, sid: string): TwilioRequest =>
  update(settings, sid, [["Status", "canceled"]])

/** Hangs up, in every state of the call. */
export const complete = (settings: TwilioSettings, sid: string): TwilioRequest =>
  update(settings, sid, [["Status", "completed"]])

/** Gives an answered call new instructions; what it was doing stops. */
export const instruct = (settings: TwilioSettings, sid: string, twiml: string): TwilioRequest =>
  update(settings, sid, [["Twiml", twiml]])

const update = (settings: TwilioSettings, sid: string, form: Fields): TwilioRequest => ({
  method: "POST",
  path: one(settings, sid),
  form
})

/** The record of one call. */
export const record = (settings: TwilioSettings, sid: string): TwilioRequest => ({
  method: "GET",
  path: one(settings, sid),
  form: []
})

/** The requests that the provider has made for a call: the addresses of its callbacks, with our id, are in them. */
export const events = (settings: TwilioSettings, sid: string): TwilioRequest => ({
  method: "GET",
  path: `${account(settings)}/Calls/${encodeURIComponent(sid)}/Events.json`,
  form: []
})

/**
 * The records of all calls between two numbers. The provider's own filter by time is left out on purpose: it knows
 * days only, and it goes by the start of a call, which one that is still queued does not have.
 */
export const records = (settings: TwilioSettings, to: string, from: string | null): TwilioRequest => ({
  method: "GET",
  path: `${calls(settings)}?${encode([
    ["To", to],
    ...(from === null ? [] : [["From", from] as const]),
    ["PageSize", String(pageSize)]
  ])}`,
  form: []
})

/** The page that a list names as its next: a path of the same host, never another one, since our credentials go there. */
export const nextPage = (settings: TwilioSettings, uri: string): TwilioRequest | undefined => {
  if (!URL.canParse(uri, settings.baseUrl)) return undefined
  const next = new URL(uri, settings.baseUrl).href
  if (!next.startsWith(`${settings.baseUrl}/`)) return undefined
  return { method: "GET", path: next.slice(settings.baseUrl.length), form: [] }
}

const account = ({ accountSid }: TwilioSettings): string => `/2010-04-01/Accounts/${accountSid}`
const calls = (settings: TwilioSettings): string => `${account(settings)}/Calls.json`
const one = (settings: TwilioSettings, sid: string): string =>
  `${account(settings)}/Calls/${encodeURIComponent(sid)}.json`

/** A form or a query as it goes over the wire. */
export const encode = (fields: Fields): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
