/** The Cloud API as a channel: messages of the domain become its bodies, its refusals become classes of the domain. */
import {
  type ChannelAnalytics,
  type ChannelCallback,
  ChannelCallbackRefused,
  type ChannelCommerce,
  type ChannelFailed,
  type ChannelFlows,
  type ChannelIdentity,
  type ChannelNumbers,
  type ChannelPayments,
  ChannelRefused,
  type ChannelReply,
  type ChannelTemplates,
  type ChannelTraits,
  type ChannelUnreachable,
  ChatChannel,
  type ConnectionRequest,
  contentJson,
  contentTypes,
  type Ids,
  type InboundSecrets,
  Instant,
  type JsonObject,
  maxTextLength,
  type OutboundMessage,
  type Recipient,
  type TemplateAnswer,
  type TemplateFacts
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { sameSecret } from "../chat/SameSecret.ts"
import { jsonIn } from "../http/index.ts"
import { decodeAccounts } from "./AccountEnvelope.ts"
import { messagesIn, pricingIn, templateResultsIn } from "./AnalyticsAnswers.ts"
import { billOf, updateOf } from "./BillContent.ts"
import type { CloudApiClient } from "./CloudApiClient.ts"
import type { CloudApiFailed } from "./CloudApiRequests.ts"
import { makeFlowKey, openFlowQuestion } from "./FlowCipher.ts"
import { decodeInbound } from "./InboundEnvelope.ts"
import { proof, verifyInbound } from "./InboundSignature.ts"
import type { PlatformRefused } from "./PlatformAnswers.ts"
import { classOf, isInDoubt, sentenceOf } from "./PlatformCodes.ts"
import { createdIn, namedIn, templateIn, templatesIn } from "./TemplateAnswers.ts"
import { meaningOf } from "./TemplateCodes.ts"
import { contentOf, shapeOf } from "./TemplateShapes.ts"

/** Source: docs/reference/messaging.md#channel-traits. */
const traits: ChannelTraits = {
  replyWindowMs: Instant.day,
  maxTextLength,
  contents: contentTypes,
  maxFileBytes: 100 * 1024 * 1024,
  typing: true,
  readMarks: true,
  statuses: true,
  echoes: true,
  provesNumbers: true,
  callbacks: { proof }
}

/** The body of a message. Its content is in the words of the public API, which are the platform's. Our own id of it comes back in reports. */
export const bodyOf = (
  to: Recipient,
  { answers, content, options }: OutboundMessage,
  ref: Ids.MessageId
): JsonObject => {
  const { json, type } = contentJson(content)
  return {
    recipient_type: to._tag === "Group" ? "group" : "individual",
    ...(to._tag === "Phone" ? { to: to.phone } : to._tag === "User" ? { recipient: to.id } : { to: to.id }),
    ...(answers === null ? {} : { context: { message_id: answers } }),
    ...options,
    type,
    [type]: type === "contacts" ? json.contacts : json,
    biz_opaque_callback_data: ref
  }
}

/** A refusal as a class of the domain. The platform's own answer goes along, for callers who speak its form. */
export const channelRefused = (refused: PlatformRefused): ChannelRefused => {
  const { body, code, details, httpStatus, isLocal, message, retryAfterSeconds } = refused
  return new ChannelRefused({
    class: classOf(refused),
    sentence: sentenceOf(refused),
    code,
    isCertain: !isInDoubt(refused),
    retryAfterSeconds,
    original: { status: httpStatus, message, details, body },
    // What the platform said of its own accord is not logged.
    detail:
      isLocal === true
        ? `the chat platform was not asked: ${message}`
        : `the chat platform refused: status ${httpStatus}, code ${code}`
  })
}

const inDomain = <A>(
  request: Effect.Effect<A, CloudApiFailed>
): Effect.Effect<A, ChannelRefused | ChannelUnreachable> =>
  Effect.mapError(request, (failed) => (failed._tag === "PlatformRefused" ? channelRefused(failed) : failed))

const acknowledged: ChannelReply = { status: 200, headers: {}, body: "" }

const textReply = (body: string): ChannelReply => ({ status: 200, headers: { "content-type": "text/plain" }, body })

const refuse = (reason: ChannelCallbackRefused["reason"], detail: string) =>
  Effect.fail(new ChannelCallbackRefused({ reason, detail }))

/** Answers the challenge with which the platform verifies the endpoint. */
const answerChallenge = ({ target }: ChannelCallback, { verification }: InboundSecrets) => {
  const query = new URL(target, "http://platform").searchParams
  const [challenge, token] = [query.get("hub.challenge"), query.get("hub.verify_token")]
  if (query.get("hub.mode") !== "subscribe" || challenge === null || token === null) {
    return refuse("malformed", "hub.mode=subscribe, hub.verify_token and hub.challenge are needed")
  }
  return verification !== null && sameSecret(Redacted.value(verification), token)
    ? Effect.succeed({ batches: [], reply: textReply(challenge) })
    : refuse("forbidden", "The verify token is not this installation's")
}

const isSigned = ({ body, headers }: ChannelCallback, { signing }: InboundSecrets): boolean =>
  verifyInbound(signing === null ? "" : Redacted.value(signing), headers[proof.header], body)

/** Checks the signature of a delivery and reads it. */
const readDelivery = (callback: ChannelCallback, secrets: InboundSecrets) => {
  const { body } = callback
  if (!isSigned(callback, secrets)) {
    return refuse(
      "signature",
      "The delivery is not signed with this installation's app secret (X-Hub-Signature-256). Nothing was stored."
    )
  }
  const json = jsonIn(body)
  return json === undefined
    ? refuse("malformed", "The delivery is not JSON")
    : Effect.succeed({ batches: decodeInbound(json), accounts: decodeAccounts(json), reply: acknowledged })
}

/** A token is for a business account, which may have several numbers. */
const unnamed = new ChannelRefused({
  class: "invalid_content",
  sentence:
    "Numbers of this channel are connected by name: send phone_number_id, business_account_id and access_token to the route of phone numbers.",
  code: null,
  isCertain: true,
  retryAfterSeconds: null,
  original: null,
  detail: "a number of the chat platform was not named"
})

const identify = (
  client: CloudApiClient,
  credentials: Redacted.Redacted | null,
  named: ConnectionRequest["named"]
): Effect.Effect<ChannelIdentity | null, ChannelRefused | ChannelUnreachable> => {
  if (named === null || credentials === null) return Effect.fail(unnamed)
  const number = { ...named, credentials }
  return Effect.map(inDomain(client.hasNumber(number)), (isTheirs) =>
    isTheirs ? { ...number, displayName: null } : null
  )
}

/** An answer, and what it says of templates. */
const saying = (
  asked: Effect.Effect<JsonObject, CloudApiFailed>,
  read: (answer: JsonObject) => ReadonlyArray<TemplateFacts>
): Effect.Effect<TemplateAnswer, ChannelFailed> =>
  Effect.map(inDomain(asked), (answer) => ({ answer, templates: read(answer) }))

const templatesOf = (client: CloudApiClient): ChannelTemplates => {
  const { keepExample } = client
  return {
    shapeOf,
    contentOf,
    meaningOf,
    named: (number, name) =>
      Effect.map(inDomain(client.templatesNamed(number, name)), (listed) => namedIn(name, listed)),
    list: (number, query) => saying(client.templates(number, query), templatesIn),
    create: (number, template) =>
      saying(client.createTemplate(number, template), (answer) => createdIn(template, answer)),
    get: (number, id, query) => saying(client.template(number, id, query), templateIn),
    change: (number, id, change) => inDomain(client.changeTemplate(number, id, change)),
    remove: (number, template) => inDomain(client.removeTemplate(number, template)),
    unpause: (number, id) => inDomain(client.unpauseTemplate(number, id)),
    keepExample: keepExample === null ? null : (number, file) => inDomain(keepExample(number, file))
  }
}

const numbersOf = (client: CloudApiClient): ChannelNumbers => ({
  read: (number) => inDomain(client.facts(number)),
  discover: (credentials, accountId) => inDomain(client.numbers({ id: accountId, accountId, credentials })),
  register: (number, given) => inDomain(client.register(number, given)),
  deregister: (number) => inDomain(client.deregister(number)),
  setPin: (number, pin) => inDomain(client.setPin(number, pin)),
  profile: (number) => inDomain(client.profile(number)),
  changeProfile: (number, change) => inDomain(client.changeProfile(number, change)),
  blocked: (number, query) => inDomain(client.blocked(number, query)),
  block: (number, people) => inDomain(client.block(number, people)),
  unblock: (number, people) => inDomain(client.unblock(number, people))
})

const commerceOf = (client: CloudApiClient): ChannelCommerce => ({
  settings: (number) => inDomain(client.commerce(number)),
  change: (number, change) => inDomain(client.changeCommerce(number, change)),
  catalogs: (number, query) => inDomain(client.catalogs(number, query)),
  products: (number, catalogId, query) => inDomain(client.products(number, catalogId, query))
})

const paymentsOf = (client: CloudApiClient): ChannelPayments => ({
  billOf,
  updateOf,
  configurations: (number) => inDomain(client.paymentConfigurations(number)),
  configuration: (number, name) => inDomain(client.paymentConfiguration(number, name)),
  lookUp: (number, bill) => inDomain(client.payment(number, bill))
})

const analyticsOf = (client: CloudApiClient): ChannelAnalytics => ({
  messages: (number, asked) => Effect.map(inDomain(client.messageCounts(number, asked)), messagesIn),
  pricing: (number, asked) => Effect.map(inDomain(client.pricing(number, asked)), pricingIn),
  templates: (number, asked) => Effect.map(inDomain(client.templateCounts(number, asked)), templateResultsIn),
  enableTemplates: (number) => inDomain(client.enableTemplateCounts(number))
})

const flowsOf = (client: CloudApiClient, secrets: InboundSecrets): ChannelFlows => ({
  list: (number, query) => inDomain(client.flows(number, query)),
  create: (number, flow) => inDomain(client.createFlow(number, flow)),
  get: (number, id, query) => inDomain(client.flow(number, id, query)),
  change: (number, id, change) => inDomain(client.changeFlow(number, id, change)),
  saveJson: (number, id, json) => inDomain(client.saveFlowJson(number, id, json)),
  json: (number, id) => inDomain(client.flowJson(number, id)),
  publish: (number, id) => inDomain(client.publishFlow(number, id)),
  deprecate: (number, id) => inDomain(client.deprecateFlow(number, id)),
  remove: (number, id) => inDomain(client.removeFlow(number, id)),
  makeKey: makeFlowKey,
  setKey: (number, publicKey) => inDomain(client.setFlowKey(number, publicKey)),
  keyStatus: (number) => inDomain(client.flowKeyStatus(number)),
  isGenuine: (callback) => isSigned(callback, secrets),
  open: openFlowQuestion
})

/** The channel over a client of the Cloud API. */
export const cloudChannel = (client: CloudApiClient, secrets: InboundSecrets): ChatChannel["Service"] =>
  ChatChannel.of({
    kind: "cloud-api",
    traits,
    get maxRequestMs() {
      return client.maxRequestMs
    },
    identify: ({ credentials, named }) => identify(client, credentials, named),
    connect: (number) => inDomain(client.subscribe(number)),
    // The account's other numbers are subscribed with it.
    disconnect: () => Effect.void,
    send: (number, to, message, ref) => inDomain(client.send(number, bodyOf(to, message, ref))),
    markRead: (number, { id, typing }) => inDomain(client.markRead(number, { id, typing })),
    read: (callback) =>
      callback.method === "POST" ? readDelivery(callback, secrets) : answerChallenge(callback, secrets),
    files: {
      upload: (number, file) => inDomain(client.upload(number, file)),
      download: (number, fileId, maxBytes) => inDomain(client.media(number, fileId, maxBytes))
    },
    network: {
      templates: templatesOf(client),
      numbers: numbersOf(client),
      analytics: analyticsOf(client),
      flows: flowsOf(client, secrets),
      commerce: commerceOf(client),
      payments: paymentsOf(client)
    }
  })
