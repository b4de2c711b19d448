/** Texts that somebody else writes, and what reads them in the core. */
import { verifyWebhook } from "@trunkline/client/webhooks"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ForeignText } from "../../../../../test/text/ForeignText.ts"
import { replyOf } from "../../../src/agents/replying/AgentPrompt.ts"
import { indexText } from "../../../src/agents/search/IndexedText.ts"
import { termsOf, termsOfQuestion } from "../../../src/agents/search/SearchTerms.ts"
import { snippetOf } from "../../../src/agents/search/Snippet.ts"
import { editDistance } from "../../../src/agents/search/Spelling.ts"
import { address, contactFields } from "../../../src/calling/contacts/ContactImport.ts"
import { read as readCsv } from "../../../src/calling/csv/CsvReader.ts"
import { mappingOf } from "../../../src/calling/csv/ImportMapping.ts"
import { chatBlock } from "../../../src/gateway/llm/translate/chat-to-messages/ChatParts.ts"
import { responsesParam } from "../../../src/gateway/llm/translate/responses-to-chat/ResponsesToChat.ts"
import { readRequest } from "../../../src/gateway/speech/SpeechRequest.ts"
import { argumentsOf, wellFormedCall } from "../../../src/gateway/upstreams/ToolCalls.ts"
import { searchResults } from "../../../src/gateway/web-search/SearchResults.ts"
import { splitText } from "../../../src/messaging/messages/Splitter.ts"
import { isOptOut } from "../../../src/messaging/opt-outs/OptOutWords.ts"
import { looksLikeToken } from "../../../src/platform/accounts/Tokens.ts"
import { clientOf } from "../../../src/platform/http/engine/AddressLimit.ts"
import { requestIdOf } from "../../../src/platform/http/engine/RequestId.ts"
import { paramsReader, pathOf } from "../../../src/platform/http/engine/RouteTable.ts"
import {
  FormParser,
  foreignJson,
  Ids,
  Instant,
  isLonger,
  nearestName,
  parseExactJson
} from "../../../src/platform/kernel/index.ts"
import { PhoneNumber } from "../../../src/platform/numbers/index.ts"
import { readUrl } from "../../../src/platform/outbound/AddressPolicy.ts"
import { protocolsOf } from "../../../src/platform/sockets/Upgrade.ts"
import { cutResult } from "../../../src/voice/agent/FunctionCaller.ts"
import { filledPrompt, filledSentence } from "../../../src/voice/agent/Variables.ts"
import { credentialOf } from "../../../src/voice/socket/AgentHandshake.ts"
import { heardOf } from "../../../src/voice/turns/HeardPart.ts"
import { fitForSpeech, SentenceCutter } from "../../../src/voice/turns/index.ts"
import { backchannel, goesOn, wordsOf } from "../../../src/voice/turns/TurnWords.ts"
import { teamChatBody } from "../../../src/webhooks/deliveries/TeamChat.ts"

const utf8 = new TextEncoder()
const [KiB, MiB] = [1024, 1024 * 1024]

const src = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `packages/core/src/${name}.ts`)

/** As long as a head of a request, which Node's server refuses when it is longer. */
const header = { most: 16 * KiB, boundedBy: "Node's HTTP server, `maxHeaderSize`" }

const jsonBody = { most: 10 * MiB, boundedBy: "platform/http/engine/Edge.ts, `limits.jsonBodyBytes`" }

const page = (text: string) => ({
  title: text,
  url: `https://example.com/${text}`,
  snippet: text,
  date: text,
  score: null
})

/** As the boundary of a form, and as its bytes. */
const parsedForm = (text: string): void => {
  for (const boundary of ["b", text]) {
    const form = new FormParser(
      { "content-type": `multipart/form-data; boundary=${boundary}` },
      { maxParts: 10, maxFieldSize: 1024 },
      { field: () => undefined, file: () => () => undefined }
    )
    form.write(utf8.encode(text))
    form.end()
  }
}

/** In pieces, as a model writes it. */
const cutIntoSentences = (text: string): void => {
  const cutter = new SentenceCutter()
  for (let at = 0; at < text.length; at += 7) cutter.push(text.slice(at, at + 7))
  cutter.end()
}

const spoken: ReadonlyArray<ForeignText> = [
  {
    name: "fitForSpeech",
    files: src("voice/turns/SpokenText", "voice/turns/Emphasis"),
    text: "a sentence of a model, a greeting, a message to be spoken",
    most: 256 * KiB,
    boundedBy: "agent-socket, the length of a message; voice/turns/SentenceCutter.ts, 4,096 characters of a sentence",
    openings: ["", "[", "[a](", "```", "*a ", "**a ", "*a_b~~", "\\", "`", "|", "<a ", "<a@", "http://"],
    read: fitForSpeech
  },
  {
    name: "SentenceCutter",
    files: src("voice/turns/SentenceCutter", "voice/turns/FullStops"),
    text: "the reply of a model, piece by piece",
    most: 256 * KiB,
    boundedBy: "the output limit of a run; agent-socket, the length of a message",
    openings: ["", "[", "```", "a.", "etc. ", "am 3. ", "a@b.", "**a. ", "http://"],
    read: cutIntoSentences
  },
  {
    name: "wordsOf, goesOn, backchannel",
    files: src("voice/turns/TurnWords"),
    text: "what a caller has said, as a model has heard it",
    most: 64 * KiB,
    boundedBy: "voice-live, the length of an utterance",
    read: (text) => [wordsOf(text), goesOn(text, "en"), backchannel("en", null)(text.replaceAll("a", "uh huh "))]
  },
  {
    name: "heardOf",
    files: src("voice/turns/HeardPart"),
    text: "a sentence of an agent that was interrupted",
    most: 4 * KiB,
    boundedBy: "voice/turns/SentenceCutter.ts",
    read: (text) => heardOf(text, 0.9)
  },
  {
    name: "filledPrompt, filledSentence",
    files: src("voice/agent/Variables"),
    text: "a prompt or a greeting with variables, and their values",
    most: 100_000,
    boundedBy: "bots, `system_prompt`",
    openings: ["", "{{", "{{a}}", "{"],
    read: (text) => [filledPrompt(text, { a: text }), filledSentence(text, {})]
  },
  {
    name: "cutResult",
    files: src("voice/agent/FunctionCaller"),
    text: "the result of a function",
    most: 64 * KiB,
    boundedBy: "voice/agent/FunctionCaller.ts, `maxResultBytes`",
    openings: ["", "{"],
    read: cutResult
  },
  {
    name: "argumentsOf, wellFormedCall",
    files: src("gateway/upstreams/ToolCalls"),
    text: "a call of a function that a model has written",
    most: 256 * KiB,
    boundedBy: "agent-socket, the length of a message; the output limit of a model",
    openings: ["", "{", '"{'],
    read: (text) => [argumentsOf(text), wellFormedCall({ id: text, name: text, arguments: text })]
  }
]

const chat: ReadonlyArray<ForeignText> = [
  {
    name: "replyOf",
    files: src("agents/replying/AgentPrompt"),
    text: "the reply of a model in a chat",
    most: 256 * KiB,
    boundedBy: "the output limit of a run",
    openings: ["", "<think>", "<think"],
    read: replyOf
  },
  {
    name: "splitText",
    files: src(
      "messaging/messages/Splitter",
      "messaging/messages/TextLayout",
      "messaging/messages/CodeFences",
      "messaging/messages/Graphemes"
    ),
    text: "a reply that is longer than one message",
    most: 64 * KiB,
    boundedBy: "messaging, the content of a message",
    openings: ["", "```", "*a", "[a](", "www.", "a@"],
    read: (text) => splitText(text, 1000)
  },
  {
    name: "isOptOut",
    files: src("messaging/replies/NoReplyReason"),
    text: "a message of a customer",
    most: 64 * KiB,
    boundedBy: "messaging/inbound/InboundApi.ts, the length of a delivery",
    read: (text) => isOptOut({ text, type: "text" })
  },
  {
    name: "PhoneNumber.fold, usable, unusableSentence",
    files: src(
      ...["platform/numbers/PhoneNumber", "platform/numbers/WrittenNumber", "platform/numbers/NumberScan"],
      ...["platform/numbers/OtherText", "platform/numbers/SpelledNumber"]
    ),
    text: "a telephone number as a person writes it",
    most: 256,
    boundedBy: "platform/numbers/WrittenNumber.ts, `maxText`",
    openings: ["", "(", "1", "1-800-", "1,2"],
    read: (text) => [PhoneNumber.fold(text), PhoneNumber.usable(text), PhoneNumber.unusableSentence(text)]
  },
  {
    name: "CsvReader.read",
    files: src("calling/csv/CsvReader", "calling/csv/CsvForm"),
    text: "a file of contacts",
    most: 25 * MiB,
    boundedBy: "calling/csv/CsvReader.ts, `largestFile`",
    openings: ["", "phone\n", '"', "phone,", "sep=;\n"],
    read: (text) => Effect.runPromise(Effect.exit(Stream.runDrain(readCsv(Stream.make(utf8.encode(text))))))
  },
  {
    name: "ImportMapping.mappingOf",
    files: src("calling/csv/ImportMapping"),
    text: "the header of a file of contacts",
    most: 25 * MiB,
    boundedBy: "calling/csv/CsvReader.ts, `largestFile`",
    openings: ["", "phone "],
    read: (text) => mappingOf(contactFields, [text, ...text.split(",").slice(0, 1000)], null)
  },
  {
    name: "ContactImport.address",
    files: src("calling/contacts/ContactImport"),
    text: "an email address in a file of contacts",
    most: 254,
    boundedBy: "calling/contacts/ContactImport.ts, `maxLengths`",
    openings: ["", "a@", "a@a."],
    read: (text) => address.test(text)
  }
]

const found: ReadonlyArray<ForeignText> = [
  {
    name: "termsOf, termsOfQuestion",
    files: src(
      ...[
        "agents/search/SearchTerms",
        "agents/search/TextFolding",
        "agents/search/WordStems",
        "agents/search/StopWords",
        "agents/search/Spelling"
      ]
    ),
    text: "what an agent knows, and what is asked",
    most: 100_000,
    boundedBy: "bots, the content of an entry",
    openings: ["", "a", "a1"],
    read: (text) => [termsOf(text), termsOfQuestion(text)]
  },
  {
    name: "indexText",
    files: src("agents/search/IndexedText"),
    text: "an entry of an agent's knowledge",
    most: 100_000,
    boundedBy: "bots, the content of an entry",
    read: (text) => indexText(text, text)
  },
  {
    name: "snippetOf",
    files: src("agents/search/Snippet"),
    text: "a passage that was found",
    most: 1200,
    boundedBy: "agents/search/IndexedText.ts, `maxPassageLength`",
    read: (text) => snippetOf(text, { start: 0, end: Math.min(1200, text.length) }, ["a", "1"])
  },
  {
    name: "editDistance",
    files: src("agents/search/Spelling"),
    text: "a word of a question",
    most: 40,
    boundedBy: "agents/search/SearchTerms.ts, `maxTermLength`",
    read: (text) => editDistance(text, `${text}b`, 2)
  },
  {
    name: "searchResults",
    files: src("gateway/web-search/SearchResults", "gateway/web-search/MarkupText"),
    text: "a page that a search of the web has found",
    most: MiB,
    boundedBy: "the answer of a provider, 4 MiB",
    openings: ["", "<a ", "<", "&#", "Mon, 1 Jan"],
    read: (text) => searchResults([page(text)], 10)
  }
]

const requests: ReadonlyArray<ForeignText> = [
  {
    name: "looksLikeToken, credentialOf",
    files: src("platform/accounts/Tokens", "voice/socket/AgentHandshake"),
    text: "the credential of a request",
    ...header,
    openings: ["", "eyJ", "eyJ.", "Bearer "],
    read: (text) => [looksLikeToken(text), credentialOf({ headers: { authorization: text }, protocols: [text, text] })]
  },
  {
    name: "protocolsOf",
    files: src("platform/sockets/Upgrade"),
    text: "the subprotocols that a handshake offers",
    ...header,
    openings: ["", "a,"],
    read: (text) => protocolsOf({ "sec-websocket-protocol": text })
  },
  {
    name: "clientOf, requestIdOf",
    files: src("platform/http/engine/AddressLimit", "platform/http/engine/RequestId"),
    text: "the address of a client as a proxy names it, and the id of a request",
    ...header,
    openings: ["", ":", "::"],
    read: (text) => [clientOf(text), requestIdOf({ "x-request-id": text })]
  },
  {
    name: "pathOf, paramsReader",
    files: src("platform/http/engine/RouteTable"),
    text: "the address of a request",
    ...header,
    openings: ["", "/a/", "/a/%", "/a?"],
    read: (text) => paramsReader("/:id")(pathOf(`/${text}`).split("/"))
  },
  {
    name: "readRequest",
    files: src("gateway/speech/SpeechRequest"),
    text: "names and values of a form",
    most: 64 * KiB,
    boundedBy: "gateway/speech/SpeechForm.ts, the length of a field",
    openings: ["", "1", "language["],
    read: (text) => [
      readRequest("transcriptions", [[text, "a"]]),
      readRequest("transcriptions", [
        ["temperature", text],
        ["language", text],
        ["diarize", text]
      ])
    ]
  },
  {
    name: "chatBlock",
    files: src("gateway/llm/translate/chat-to-messages/ChatParts"),
    text: "a part of a message to a model",
    ...jsonBody,
    openings: ["", "data:a/b", "data:a/b;a=", "data:a/b;base64,"],
    read: (text) => chatBlock({ type: "image_url", image_url: { url: text } }, "messages[0]")
  },
  {
    name: "responsesParam",
    files: src("gateway/llm/translate/responses-to-chat/ResponsesToChat"),
    text: "the name of a field that an upstream refuses",
    most: 64,
    boundedBy: "providers/src/upstream/UpstreamRefusal.ts",
    openings: ["", "messages"],
    read: responsesParam
  },
  {
    name: "jsonExcess, foreignJson",
    files: src("platform/kernel/ForeignJson"),
    text: "JSON that somebody else wrote, before it is parsed",
    ...jsonBody,
    openings: ["", '"', "[", '{"a":'],
    read: foreignJson
  },
  {
    name: "FormParser",
    files: src("platform/kernel/FormParser"),
    text: "the content type of a form, and its parts",
    ...header,
    openings: ["", "--b\r\n", "--b\r\nContent-Disposition: form-data; name="],
    read: parsedForm
  },
  {
    name: "parseExactJson",
    files: src("platform/kernel/ExactJson"),
    text: "a JSON body or answer",
    ...jsonBody,
    openings: ["", '"', "1."],
    read: parseExactJson
  },
  {
    name: "Instant.parse, Ids.isUuid, isLonger, nearestName",
    files: src(
      "platform/kernel/Instant",
      "platform/kernel/Ids",
      "platform/kernel/Length",
      "platform/kernel/NearestName"
    ),
    text: "a field of a JSON body, and its name",
    ...jsonBody,
    openings: ["", "2026-01-01T00:00:00."],
    read: (text) => [Instant.parse(text), Ids.isUuid(text), isLonger(text, 100), nearestName(text, ["phone", "name"])]
  },
  {
    name: "AddressPolicy.readUrl",
    files: src("platform/outbound/AddressPolicy"),
    text: "the URL of a webhook, a function, a recording",
    most: 2048,
    boundedBy: "the fields of the routes",
    openings: ["", "https://", "https://[", "https://a."],
    read: (text) => readUrl(text, { schemes: "https", exempt: [] })
  },
  {
    name: "verifyWebhook",
    files: src("webhooks/signing/Signature"),
    text: "the headers of a delivery, at its receiver",
    ...header,
    openings: ["", "sha256=", "v1,", "whsec_"],
    read: (text) =>
      verifyWebhook(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        { "x-webhook-signature": text, "webhook-signature": text, "webhook-id": "a", "webhook-timestamp": text },
        text
      )
  },
  {
    name: "teamChatBody",
    files: src("webhooks/deliveries/TeamChat"),
    text: "the data of an event, written by customers and models",
    most: 256 * KiB,
    boundedBy: "messaging, the content of a message",
    read: (text) =>
      teamChatBody({ event: "message.received", data: { text, [text.slice(0, 100)]: [text] }, at: Instant.make(0) })
  }
]

export const coreTexts: ReadonlyArray<ForeignText> = [...spoken, ...chat, ...found, ...requests]
