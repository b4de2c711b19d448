/** Texts that somebody else writes, and what reads them in the providers. */
import { Instant } from "@trunkline/core/effect"
import type { ForeignText } from "../../../../test/text/ForeignText.ts"
import { decodeInbound } from "../../src/cloud-api/InboundEnvelope.ts"
import { verifyInbound } from "../../src/cloud-api/InboundSignature.ts"
import { mediaForm } from "../../src/cloud-api/MediaForm.ts"
import { jsonIn, plainFileName, retryAfterMs } from "../../src/http/index.ts"
import { chatAnswerOf } from "../../src/openai/OpenAiChat.ts"
import { turnsAfter } from "../../src/openai/OpenAiTurns.ts"
import { readUpdate } from "../../src/telegram/TelegramUpdate.ts"
import { toE164 } from "../../src/twilio/E164.ts"
import { refusal as carrierRefusal } from "../../src/twilio/TwilioErrors.ts"
import { readMessage } from "../../src/twilio/TwilioMessages.ts"
import { callIdsIn } from "../../src/twilio/TwilioRecord.ts"
import { formFields, sign, verify } from "../../src/twilio/TwilioSignature.ts"
import { answering, goodbye } from "../../src/twilio/TwiML.ts"
import { contentTypeOf, fileNameOf } from "../../src/upstream/AudioFile.ts"
import { EventStream } from "../../src/upstream/EventStream.ts"
import { refusal, sentenceOf } from "../../src/upstream/UpstreamRefusal.ts"
import { visitorOf } from "../../src/web-chat/VisitorToken.ts"

const utf8 = new TextEncoder()
const [KiB, MiB] = [1024, 1024 * 1024]
const at = Instant.make(0)

const src = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `packages/providers/src/${name}.ts`)

/** In pieces, as a socket brings it. */
const readEvents = (text: string): void => {
  const stream = new EventStream(MiB)
  const bytes = utf8.encode(text)
  for (let from = 0; from < bytes.length; from += 61) stream.read(bytes.subarray(from, from + 61))
}

/** A form with a signature that covers it, so that all of it is looked at. */
const verifySigned = (text: string): void => {
  const [url, body] = ["https://voice.example.com/a?b=c", utf8.encode(text)]
  const form = formFields(body)
  if (form !== undefined) verify({ token: "a", url, body, form, signature: sign("a", "another", form) })
}

const strangers: ReadonlyArray<ForeignText> = [
  {
    name: "formFields, verify",
    files: src("twilio/TwilioSignature"),
    text: "the form of a carrier's callback",
    most: 64 * KiB,
    boundedBy: "core, calling/calls/TelephonyApi.ts; twilio/TwilioSignature.ts, 200 fields",
    openings: ["", "a=", "a&".repeat(199), "%"],
    read: verifySigned
  },
  {
    name: "readMessage",
    files: src("twilio/TwilioMessages"),
    text: "a message on the stream of a call",
    most: 64 * KiB,
    boundedBy: "core, platform/sockets/OpenSockets.ts, the length of a message",
    openings: ["", "{", '{"event":"'],
    read: readMessage
  },
  {
    name: "verifyInbound, decodeInbound",
    files: src("cloud-api/InboundSignature", "cloud-api/InboundEnvelope"),
    text: "a delivery of the chat platform",
    most: 3 * MiB,
    boundedBy: "core, messaging/inbound/InboundApi.ts",
    openings: ["", "+", "1"],
    read: (text) => [
      verifyInbound("a", `sha256=${"0".repeat(64)}`, utf8.encode(text)),
      decodeInbound({
        entry: [
          {
            id: text,
            changes: [
              {
                value: {
                  metadata: { phone_number_id: "1", display_phone_number: text },
                  contacts: [{ wa_id: text, profile: { name: text } }],
                  messages: [{ id: "a", from: text, type: "text", text: { body: text }, timestamp: text }],
                  statuses: [{ id: "a", status: text, recipient_id: text, timestamp: text, errors: [{ code: text }] }]
                }
              }
            ]
          }
        ]
      })
    ]
  },
  {
    name: "readUpdate",
    files: src("telegram/TelegramUpdate"),
    text: "an update of Telegram",
    most: 256 * KiB,
    boundedBy: "telegram/Telegram.ts, `callbacks`",
    read: (text) =>
      readUpdate({
        message: { message_id: 1, chat: { id: 1, type: "private" }, from: { id: 1, first_name: text }, text, date: 0 }
      })
  },
  {
    name: "visitorOf",
    files: src("web-chat/VisitorToken"),
    text: "the token of a visitor of a page",
    most: 32 * KiB,
    boundedBy: "web-chat/WebChat.ts, `callbacks`",
    openings: ["", "."],
    read: (text) => visitorOf("a secret of a chat that is long enough", "web-chat:a", text)
  },
  {
    name: "toE164, answering, goodbye",
    files: src("twilio/E164", "twilio/TwiML"),
    text: "a number to call, and a sentence that is spoken",
    most: 5000,
    boundedBy: "core, the fields of the routes; twilio/TwiML.ts, `maxLength`",
    openings: ["", "+", "("],
    read: (text) => [
      toE164(text, "+14155550100"),
      answering({ _tag: "Say", text, language: null }, {}),
      goodbye(text, "en")
    ]
  }
]

const upstreams: ReadonlyArray<ForeignText> = [
  {
    name: "EventStream",
    files: src("upstream/EventStream"),
    text: "the stream of an upstream",
    most: MiB,
    boundedBy: "upstream/EventStream.ts, the bytes of one event",
    openings: ["", "data: ", ":"],
    read: readEvents
  },
  {
    name: "refusal, sentenceOf, turnsAfter",
    files: src("upstream/UpstreamRefusal", "openai/OpenAiTurns"),
    text: "an error of an upstream",
    most: 64 * KiB,
    boundedBy: "upstream, the bytes of an error that are read",
    openings: ["", '{"error":{"message":"', "raise_exception('"],
    read: (text) => [
      refusal({ status: 400, retryAfter: text, body: text }, at, "a secret"),
      refusal(
        { status: 400, retryAfter: null, body: JSON.stringify({ error: { message: text, code: text, param: text } }) },
        at,
        "a secret"
      ),
      sentenceOf({ status: 400, retryAfter: null, body: text }),
      turnsAfter("plain", [{ role: "user", content: "a" }], { status: 400, message: text })
    ]
  },
  {
    name: "retryAfterMs",
    files: src("http/RetryAfter"),
    text: "the header Retry-After of an answer",
    most: 16 * KiB,
    boundedBy: "Node's HTTP client, `maxHeaderSize`",
    openings: ["", "1", "1."],
    read: (text) => retryAfterMs(text, at)
  },
  {
    name: "chatAnswerOf, jsonIn",
    files: src("openai/OpenAiChat", "http/JsonBody"),
    text: "the answer of a language model",
    most: 32 * MiB,
    boundedBy: "upstream, the bytes of an answer that are read",
    openings: ["", "{", '"'],
    read: (text) => [
      jsonIn(text),
      chatAnswerOf({ choices: [{ message: { content: text, tool_calls: [] }, finish_reason: text }] })
    ]
  },
  {
    name: "contentTypeOf, fileNameOf, plainFileName, mediaForm",
    files: src("upstream/AudioFile", "http/Multipart", "cloud-api/MediaForm"),
    text: "the name and the type of an uploaded file",
    most: 16 * KiB,
    boundedBy: "core, the headers of a part of a form",
    openings: ["", "audio/", "audio/a", "a."],
    read: (text) => {
      const audio = { chunks: [], size: 0, fileName: text, contentType: text }
      return [
        contentTypeOf(audio),
        fileNameOf(audio),
        plainFileName(text, 200),
        mediaForm("whatsapp", { bytes: new Uint8Array(0), contentType: text, fileName: text })
      ]
    }
  },
  {
    name: "carrierRefusal, callIdsIn",
    files: src("twilio/TwilioErrors", "twilio/TwilioRecord"),
    text: "an answer of the carrier",
    most: MiB,
    boundedBy: "twilio/TwilioWire.ts, the bytes of an answer that are read",
    openings: ["", "callback?call_id=", '{"message":"'],
    read: (text) => [
      carrierRefusal({ status: 400, retryAfter: text, body: text }, at),
      carrierRefusal({ status: 400, retryAfter: null, body: JSON.stringify({ code: 1, message: text }) }, at),
      callIdsIn(text)
    ]
  }
]

export const providerTexts: ReadonlyArray<ForeignText> = [...strangers, ...upstreams]
