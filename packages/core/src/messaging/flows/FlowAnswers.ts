/** Answers what the channel's network asks while customers fill in flows: by itself, or with what the account's endpoint says. Source: docs/reference/flows.md#data. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Vault } from "../../platform/accounts/index.ts"
import { hmacSha256Hex, Ids, Instant, tracedFn } from "../../platform/kernel/index.ts"
import { checkedTargets, Outbound, OutboundSettings } from "../../platform/outbound/index.ts"
import { type CallbackRules, Durations, type MetricSample } from "../../platform/room/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type ChannelCallback,
  type ChannelFlows,
  type ChannelReply,
  ChatChannels,
  type ConnectedNumber,
  NumberFactsStore
} from "../channels/index.ts"
import { CustomerStore, userIdOf } from "../customers/index.ts"
import { SentFlowStore } from "../messages/index.ts"
import type { FlowEndpoint } from "./FlowEndpoint.ts"
import { tokenEnded } from "./FlowErrors.ts"
import { exchangeOf, type FlowQuestionFields, maxAnswerBytes, ownAnswers, passedAnswer } from "./FlowExchange.ts"
import { FlowEndpointStore, FlowKeyStore } from "./FlowStore.ts"

/** What names the request to the account's endpoint, as the event of a webhook does. */
const eventWord = "flow.data"

/** How long the account's endpoint has, its name's resolution included. */
const timeoutMs = 8 * Instant.second

/** What becomes of a question: `own` is answered here, and `token_ended` is the account's endpoint saying so. */
const flowOutcomes = ["answered", "token_ended", "own", "unproven", "unreadable", "unanswered"] as const
type FlowOutcome = (typeof flowOutcomes)[number]

/** In seconds. The account's endpoint has eight of them. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** An endpoint that was found, and the flows of its channel. */
export interface FoundEndpoint {
  readonly endpoint: FlowEndpoint
  readonly flows: ChannelFlows
  /** What the head of a genuine request has. */
  readonly proof: CallbackRules
}

/**
 * - `unproven` nobody has signed it
 * - `unreadable` no key opens it: the network is to encrypt it anew
 * - `unanswered` the account's endpoint did not answer as it must
 */
export type FlowDataAnswer = ChannelReply | "unproven" | "unreadable" | "unanswered"

export class FlowAnswers extends Context.Service<
  FlowAnswers,
  {
    /** Null where there is none of this id. */
    readonly find: (id: string) => Effect.Effect<FoundEndpoint | null, StorageError>
    /** Nothing of what is asked and answered is stored or logged. */
    readonly answer: (found: FoundEndpoint, callback: ChannelCallback) => Effect.Effect<FlowDataAnswer, StorageError>
    /** How long questions have taken until they were answered, by what became of them. */
    readonly durations: () => ReadonlyArray<MetricSample>
  }
>()("@trunkline/core/messaging/flows/FlowAnswers") {
  static readonly layer = Layer.effect(
    FlowAnswers,
    Effect.gen(function* () {
      const channels = yield* ChatChannels
      const customers = yield* CustomerStore
      const endpoints = yield* FlowEndpointStore
      const facts = yield* NumberFactsStore
      const keys = yield* FlowKeyStore
      const sentFlows = yield* SentFlowStore
      const outbound = yield* Outbound
      const storage = yield* Storage
      const vault = yield* Vault
      const { exempt, headerPrefix } = yield* OutboundSettings
      const targets = checkedTargets(outbound, exempt)

      const find = Effect.fnUntraced(function* (id: string) {
        const named = id.toLowerCase()
        if (!Ids.isUuid(named)) return null
        const endpoint = yield* storage.read(endpoints.byId(Ids.as<"FlowEndpoint">(named)))
        const channel = endpoint === null ? null : channels.find(endpoint.channel)
        if (endpoint === null || channel === null) return null
        const { network, traits } = channel
        const { flows } = network
        return flows === null ? null : { endpoint, flows, proof: traits.callbacks ?? {} }
      })

      /** The numbers of the endpoint's business account that have a key. */
      const sealedKeys = Effect.fnUntraced(function* ({ businessAccountId, channel, tenantId }: FlowEndpoint) {
        const all = yield* facts.ofBusinessAccount(channel, businessAccountId)
        const own = new Map(all.filter((one) => one.tenantId === tenantId).map((one) => [one.id, one]))
        const known = yield* keys.among(tenantId, [...own.keys()])
        return known.flatMap((key) => {
          const number = own.get(key.phoneId)
          return number === undefined ? [] : [{ number, privateKey: key.privateKey }]
        })
      })

      const keysOf = Effect.fnUntraced(function* (endpoint: FlowEndpoint) {
        const opened: Array<{ readonly number: ConnectedNumber; readonly key: Redacted.Redacted }> = []
        for (const { number, privateKey } of yield* storage.read(sealedKeys(endpoint))) {
          const text = yield* Effect.result(vault.decrypt(privateKey))
          if (text._tag === "Success") opened.push({ number, key: Redacted.make(text.success) })
          else yield* Effect.logWarning(`the key for flows of number ${number.id}: ${text.failure.message}`)
        }
        return opened
      })

      /** Whom a flow was sent to, where its token was made here. */
      const userOf = Effect.fnUntraced(function* ({ tenantId }: FlowEndpoint, flowToken: string | null) {
        const sent = flowToken === null ? null : yield* sentFlows.byToken(tenantId, flowToken)
        const customer = sent === null ? null : yield* customers.byId(sent.customerId)
        return customer === null ? null : userIdOf(customer)
      })

      /** What the account's endpoint is asked, in the order of its documentation. */
      const bodyOf = Effect.fnUntraced(function* (
        endpoint: FlowEndpoint,
        { phoneNumberId }: ConnectedNumber,
        { action, data, flowToken, screen, version }: FlowQuestionFields
      ) {
        return new TextEncoder().encode(
          JSON.stringify({
            flow_id: endpoint.flowId,
            phone_number_id: phoneNumberId,
            flow_token: flowToken,
            version,
            action,
            screen,
            data,
            user_id: yield* storage.read(userOf(endpoint, flowToken))
          })
        )
      })

      const posted = Effect.fnUntraced(function* ({ secret, url }: FlowEndpoint, body: Uint8Array) {
        const began = yield* Instant.now
        const target = yield* targets.checked("https", url)
        // A secret that cannot be opened is an installation with another key: only the operator can repair it.
        const key = yield* Effect.orDie(vault.decrypt(secret))
        const { body: answered, status } = yield* outbound.request({
          ...target,
          method: "POST",
          body,
          // One byte more shows that there are too many.
          maxBodyBytes: maxAnswerBytes + 1,
          remainingMs: timeoutMs - ((yield* Instant.now) - began),
          headers: {
            "Content-Type": "application/json",
            "User-Agent": "flows/1",
            [`${headerPrefix}Event`]: eventWord,
            [`${headerPrefix}Signature`]: `sha256=${hmacSha256Hex(key, body)}`
          }
        })
        return passedAnswer(status, answered)
      })

      /** What the account's endpoint says; a sentence for the log where it says nothing that can be passed on. */
      const asked = (endpoint: FlowEndpoint, body: Uint8Array) =>
        posted(endpoint, body).pipe(
          Effect.catch((failure) =>
            Effect.succeed(failure._tag === "OutboundFailed" ? failure.detail : `it was not asked: ${failure.message}`)
          ),
          Effect.timeoutOption(timeoutMs),
          Effect.map((done) => (done._tag === "Some" ? done.value : `it did not answer within ${timeoutMs} ms`))
        )

      /** An answer of a status, and what has become of the question. */
      const replied = (outcome: FlowOutcome, reply: Effect.Effect<ChannelReply>) =>
        Effect.map(reply, (answer) => ({ outcome, answer }))

      const refused = (outcome: Extract<FlowDataAnswer, string>) => ({ outcome, answer: outcome })

      const answered = Effect.fnUntraced(function* (
        { endpoint, flows }: FoundEndpoint,
        callback: ChannelCallback
      ): Effect.fn.Return<{ readonly outcome: FlowOutcome; readonly answer: FlowDataAnswer }, StorageError> {
        if (!flows.isGenuine(callback)) return refused("unproven")
        const opened = yield* keysOf(endpoint)
        const question = yield* flows.open(
          callback.body,
          opened.map(({ key }) => key)
        )
        if (question === null) return refused("unreadable")
        const { number } = opened[question.key]!
        const exchange = exchangeOf(question.asked)
        if (exchange._tag === "Notice") {
          yield* Effect.logWarning(
            `the chat platform reports a fault of flow ${endpoint.flowId} of number ${number.id}`
          )
        }
        if (exchange._tag !== "Question") return yield* replied("own", question.reply(ownAnswers[exchange._tag], 200))
        const said = yield* asked(endpoint, yield* bodyOf(endpoint, number, exchange.question))
        if (typeof said !== "string") {
          const outcome = said.status === tokenEnded ? "token_ended" : "answered"
          return yield* replied(outcome, question.reply(said.answer, said.status))
        }
        yield* Effect.logWarning(`the endpoint of flow ${endpoint.flowId} of account ${endpoint.tenantId}: ${said}`)
        return refused("unanswered")
      })

      const durations = new Map(flowOutcomes.map((outcome) => [outcome, new Durations(durationBounds)]))

      const answer = tracedFn("FlowAnswers.answer")(function* (found: FoundEndpoint, callback: ChannelCallback) {
        const [duration, { answer, outcome }] = yield* Effect.timed(answered(found, callback))
        durations.get(outcome)?.observe(Duration.toSeconds(duration))
        return answer
      })

      return FlowAnswers.of({
        find,
        answer,
        durations: () =>
          [...durations].flatMap(([outcome, { samples }]) =>
            samples.map((one) => ({ ...one, labels: { outcome, ...one.labels } }))
          )
      })
    })
  )
}
