/** The instructions that Twilio carries out on a call, as XML. */
import type { Answer, VoicemailMessage } from "@trunkline/core/provider"
import * as Result from "effect/Result"

/** The most characters that Twilio takes in one request; longer instructions would have to be fetched by URL. */
export const maxLength = 4000

/** Instructions longer than the provider takes. Nothing is cut off in silence. */
export interface TooLong {
  readonly _tag: "TooLong"
  readonly length: number
}

/** What the callee hears at once, without asking anybody for instructions. */
export const answering = (
  answer: Exclude<Answer, { readonly _tag: "Url" | "Agent" }>,
  parameters: Readonly<Record<string, string>>
): Result.Result<string, TooLong> =>
  document(answer._tag === "Say" ? say(answer.text, answer.language) : stream(answer.url, parameters))

/** Where the sound of a call goes, and where the call asks what to do once that connection has ended. */
export interface AgentStream {
  readonly url: string
  readonly callId: string
  readonly token: string
  readonly resumeUrl: string
}

/** Connects the call to its agent. What follows the connection is carried out when our side has closed it, or has gone. */
export const connecting = ({ callId, resumeUrl, token, url }: AgentStream): Result.Result<string, TooLong> =>
  document(stream(url, { call_id: callId, token }) + element("Redirect", { method: "POST" }, escape(resumeUrl)))

/** A person to whom a call is transferred. */
export interface Transfer {
  readonly to: string
  /** Null: the carrier's own choice. */
  readonly from: string | null
  /** Where the call asks what to do when nobody has answered, or the conversation is over. */
  readonly resumeUrl: string
}

/** Connects the call to a person, whose phone rings for half a minute. */
export const transferring = ({ from, resumeUrl, to }: Transfer): Result.Result<string, TooLong> => {
  const caller = from === null ? {} : { callerId: from }
  const attributes = { timeout: "30", action: resumeUrl, method: "POST", ...caller }
  return document(element("Dial", attributes, element("Number", {}, escape(to))))
}

/** A sentence in the carrier's own voice, and then the end of the call. */
export const goodbye = (text: string, language: string): Result.Result<string, TooLong> =>
  document(`${say(text, language)}<Hangup/>`)

/** Ends the call. */
export const hangup = "<Response><Hangup/></Response>"

/** A message for a machine, and then the end of the call. */
export const leaving = (message: VoicemailMessage): Result.Result<string, TooLong> =>
  document(`${message._tag === "Text" ? say(message.text, null) : element("Play", {}, escape(message.url))}<Hangup/>`)

const say = (text: string, language: string | null): string =>
  element("Say", language === null ? {} : { language }, escape(text))

/** Parameters travel as elements: the provider drops the query of a stream's URL. */
const stream = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const children = Object.entries(parameters).map(([name, value]) => element("Parameter", { name, value }, ""))
  return element("Connect", {}, element("Stream", { url }, children.join("")))
}

const document = (content: string): Result.Result<string, TooLong> => {
  const text = element("Response", {}, content)
  return text.length > maxLength ? Result.fail({ _tag: "TooLong", length: text.length }) : Result.succeed(text)
}

const element = (name: string, attributes: Readonly<Record<string, string>>, content: string): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`)
  const start = `<${name}${written.join("")}`
  return content === "" ? `${start}/>` : `${start}>${content}</${name}>`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** Characters that XML cannot hold in any spelling; one of them would make the provider drop the whole call. */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const escape = (text: string): string =>
  text.replace(unwritable, "").replace(/[&<>"']/g, (sign) => entities[sign] ?? "")
