/** The Cloud API in the process: it logs each request, and a test decides when and how it answers. */

import {
  type ChannelConnection,
  type ChannelFile,
  ChannelUnreachable,
  ChatChannel,
  type CommerceSettings,
  InboundSecrets,
  Instant,
  type JsonObject,
  type NumberFacts,
  type NumberProfile,
  type PaymentConfiguration,
  type PaymentFacts,
  type Recipient,
  type Sent
} from "@trunkline/core/provider"
import { type CloudApiClient, type CloudApiFailed, cloudChannel, PlatformRefused } from "@trunkline/providers/cloud-api"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { sampleBusinessAccount, sampleNumber } from "./InboundBodies.ts"

export type PlatformVerb = Exclude<keyof CloudApiClient, "maxRequestMs">

export interface PlatformCall {
  readonly verb: PlatformVerb
  readonly number: ChannelConnection
  /** The body of a send; of other verbs, their arguments. */
  readonly body: JsonObject
  readonly at: Instant.Instant
}

/** A message that the platform has accepted. */
export interface AcceptedMessage {
  readonly id: string
  readonly number: ChannelConnection
  readonly to: string
  readonly body: JsonObject
  readonly at: Instant.Instant
}

/** Answers a send. `accept` makes the platform accept the message, which it may do and still not answer. */
export type Answering = (call: PlatformCall, accept: Effect.Effect<Sent>) => Effect.Effect<Sent, CloudApiFailed>

/** Words of the platform that must never be in a log or in an answer of ours. */
export const platformLeak = "leaky words of app 1234 with token EAAG-secret"

/** What it says of a number of which a test has said nothing. */
export const usualFacts: NumberFacts = {
  status: "CONNECTED",
  qualityRating: "GREEN",
  messagingLimit: { tier: "TIER_250", perDay: 250 },
  throughput: { level: "STANDARD", perSecond: 80 },
  verifiedName: "A business",
  nameStatus: "APPROVED",
  codeVerificationStatus: "VERIFIED",
  isPinEnabled: true,
  displayPhoneNumber: "+1 555-078-3881"
}

const noProfile: NumberProfile = {
  about: null,
  address: null,
  description: null,
  email: null,
  websites: null,
  vertical: null,
  profilePictureUrl: null
}

export class FakeChatPlatform {
  /** Requests, in the order in which they came. */
  readonly calls: Array<PlatformCall> = []
  /** Messages that were accepted, in their order. */
  readonly accepted: Array<AcceptedMessage> = []
  readonly files = new Map<string, ChannelFile>()
  readonly templates: Array<JsonObject> = []
  /** Flows, and their screens, by their ids. */
  readonly flows = new Map<string, JsonObject>()
  readonly screens = new Map<string, JsonObject>()
  /** What it finds wrong in screens. */
  flowFaults: ReadonlyArray<JsonObject> = []
  /** Public keys of numbers, by the numbers' ids. */
  readonly flowKeys = new Map<string, string>()
  /** What it says of numbers, by their ids. */
  readonly facts = new Map<string, NumberFacts>()
  readonly profiles = new Map<string, NumberProfile>()
  /** What it says of every number's catalog. */
  commerce: CommerceSettings = { catalogId: "2400", isCartEnabled: false, isCatalogVisible: true }
  /** Configurations of payments of every business account. */
  readonly configurations: Array<PaymentConfiguration> = []
  /** What it knows of payments, by their references. */
  readonly payments = new Map<string, PaymentFacts>()
  /** People whom it refuses to block, and with which code. */
  readonly unblockable = new Map<string, number>()
  /** Its ids of people whom it blocks by their phones, where they are not the phones themselves. */
  readonly userIds = new Map<string, string>()
  /** False where the installation names no app. */
  hasApp = true
  /** Sends that their callers interrupted. */
  interrupted = 0
  /** The longest duration of a request that it announces, in milliseconds. */
  maxRequestMs = 40_000
  /** What it counts of business accounts. */
  counts: JsonObject = {}
  readonly templateCounts: Array<JsonObject> = []
  /** Numbers that it knows by another id than the one that is dialed. */
  readonly knownAs = new Map<string, string>()
  /** Runs just before a message is accepted. */
  beforeAccept: (body: JsonObject) => Effect.Effect<void> = () => Effect.void
  readonly #numbers = new Map<string, ReadonlySet<string>>([
    [sampleBusinessAccount, new Set([sampleNumber.phoneNumberId])]
  ])
  readonly #queue: Array<Answering> = []
  readonly #customers = new Map<string, Answering>()
  readonly #failures = new Map<PlatformVerb, CloudApiFailed>()
  readonly #slow = new Map<PlatformVerb, number>()
  #answering: Answering = (_, accept) => accept
  #ids = 0

  of(verb: PlatformVerb): ReadonlyArray<PlatformCall> {
    return this.calls.filter((call) => call.verb === verb)
  }

  /** Texts that were accepted, for one customer or for all. */
  texts(customer?: string): ReadonlyArray<string> {
    return this.accepted
      .filter(({ to }) => customer === undefined || to === customer)
      .map(({ body }) => String((body.text as JsonObject | undefined)?.body ?? "")) // of a text: an object
  }

  /** Gives a business account these numbers, beside those that it has. */
  owns(businessAccountId: string, ...ids: ReadonlyArray<string>): this {
    this.#numbers.set(businessAccountId, new Set([...(this.#numbers.get(businessAccountId) ?? []), ...ids]))
    return this
  }

  /** How sends are answered from now on. */
  does(answering: Answering): void {
    this.#answering = answering
  }

  /** How the next sends are answered, before everything else. */
  next(answering: Answering, times = 1): void {
    for (let i = 0; i < times; i += 1) this.#queue.push(answering)
  }

  /** How sends to one customer are answered; null: as all others. */
  toward(customer: string, answering: Answering | null): void {
    if (answering === null) this.#customers.delete(customer)
    else this.#customers.set(customer, answering)
  }

  /** How requests of another verb than `send` fail; null: they succeed. */
  fails(verb: Exclude<PlatformVerb, "send">, failure: CloudApiFailed | null): void {
    if (failure === null) this.#failures.delete(verb)
    else this.#failures.set(verb, failure)
  }

  /** How long requests of another verb than `send` take, in milliseconds. */
  delays(verb: Exclude<PlatformVerb, "send">, milliseconds: number): void {
    this.#slow.set(verb, milliseconds)
  }

  /** Stores a file; returns its id. */
  addFile(contentType: string, bytes: Uint8Array): string {
    this.#ids += 1
    const id = `media-${this.#ids}`
    this.files.set(id, { contentType, size: bytes.length, bytes })
    return id
  }

  /** The platform as a channel, for the product. */
  readonly layer: Layer.Layer<ChatChannel> = Layer.effect(
    ChatChannel,
    Effect.map(InboundSecrets, (secrets) => cloudChannel(this.client(), secrets))
  )

  client(): CloudApiClient {
    const fake = this
    return {
      send: (number, body) =>
        Effect.flatMap(this.#log("send", number, body), (call) =>
          Effect.onInterrupt(this.#answers(call)(call, this.#accept(call)), () =>
            Effect.sync(() => {
              this.interrupted += 1
            })
          )
        ),
      markRead: (number, { id, typing }) => Effect.asVoid(this.#ask("markRead", number, { id, typing })),
      hasNumber: (number) =>
        Effect.map(
          this.#ask("hasNumber", number, { id: number.accountId }),
          () => this.#numbers.get(number.accountId)?.has(number.id) === true
        ),
      subscribe: (number) => Effect.asVoid(this.#ask("subscribe", number, { id: number.accountId })),
      upload: (number, { bytes, contentType, fileName }) =>
        Effect.map(this.#ask("upload", number, { contentType, fileName, size: bytes.length }), () =>
          this.addFile(contentType, bytes)
        ),
      media: (number, id, maxBytes) =>
        Effect.flatMap(this.#ask("media", number, { id, maxBytes }), () =>
          Effect.flatMap(this.#file(id), (file) =>
            file.size > maxBytes ? Effect.fail(refusedWith(131052, 413)) : Effect.succeed(file)
          )
        ),
      templatesNamed: (number, name) =>
        Effect.map(this.#ask("templatesNamed", number, { name }), () =>
          this.templates.filter((one) => String(one.name).includes(name))
        ),
      templates: (number, query) =>
        Effect.map(this.#ask("templates", number, query), () => ({ data: [...this.templates] })),
      createTemplate: (number, body) =>
        Effect.map(this.#ask("createTemplate", number, body), () => {
          this.templates.push(body)
          return { id: String(this.templates.length), status: "PENDING", category: body.category }
        }),
      template: (number, id, query) =>
        Effect.flatMap(this.#ask("template", number, { id, ...query }), () => {
          const found = this.templates.find((one) => one.id === id)
          return found === undefined ? Effect.fail(refusedWith(100)) : Effect.succeed(found)
        }),
      changeTemplate: (number, id, body) =>
        Effect.as(this.#ask("changeTemplate", number, { id, ...body }), { success: true }),
      removeTemplate: (number, { id, name }) => Effect.asVoid(this.#ask("removeTemplate", number, { id, name })),
      unpauseTemplate: (number, id) => Effect.as(this.#ask("unpauseTemplate", number, { id }), { success: true }),
      get keepExample() {
        return fake.hasApp ? fake.#keepExample : null
      },
      facts: (number) => Effect.map(this.#ask("facts", number, {}), () => this.facts.get(number.id) ?? usualFacts),
      numbers: (account) =>
        Effect.map(this.#ask("numbers", account, { id: account.accountId }), () =>
          [...(this.#numbers.get(account.accountId) ?? [])].map((id) => ({ id, ...(this.facts.get(id) ?? usualFacts) }))
        ),
      register: (number, { pin, region }) =>
        Effect.asVoid(this.#ask("register", number, { pin: Redacted.value(pin), region })),
      deregister: (number) => Effect.asVoid(this.#ask("deregister", number, {})),
      setPin: (number, pin) => Effect.asVoid(this.#ask("setPin", number, { pin: Redacted.value(pin) })),
      profile: (number) =>
        Effect.map(this.#ask("profile", number, {}), () => this.profiles.get(number.id) ?? noProfile),
      changeProfile: (number, { profilePictureHandle: _, ...change }) =>
        Effect.map(this.#ask("changeProfile", number, change), () => {
          this.profiles.set(number.id, { ...(this.profiles.get(number.id) ?? noProfile), ...change })
        }),
      blocked: (number, query) => Effect.as(this.#ask("blocked", number, query), { data: [] }),
      block: (number, people) => this.#blocking("block", number, people),
      unblock: (number, people) => this.#blocking("unblock", number, people),
      flows: (number, query) =>
        Effect.map(this.#ask("flows", number, query), () => ({ data: [...this.flows.values()] })),
      createFlow: (number, flow) =>
        Effect.map(this.#ask("createFlow", number, { ...flow }), () => {
          const id = String(1000 + this.flows.size)
          this.flows.set(id, { id, name: flow.name, categories: flow.categories, status: "DRAFT" })
          this.screens.set(id, flow.json ?? {})
          return { id, faults: this.flowFaults }
        }),
      flow: (number, id, query) => Effect.andThen(this.#ask("flow", number, { id, ...query }), this.#flow(id)),
      changeFlow: (number, id, change) =>
        Effect.asVoid(Effect.andThen(this.#ask("changeFlow", number, { id, ...change }), this.#flow(id))),
      saveFlowJson: (number, id, json) =>
        Effect.map(Effect.andThen(this.#ask("saveFlowJson", number, { id, json }), this.#flow(id)), () => {
          this.screens.set(id, json)
          return { isValid: this.flowFaults.length === 0, faults: this.flowFaults }
        }),
      flowJson: (number, id) =>
        Effect.map(
          Effect.andThen(this.#ask("flowJson", number, { id }), this.#flow(id)),
          () => this.screens.get(id) ?? {}
        ),
      publishFlow: (number, id) =>
        Effect.as(Effect.andThen(this.#ask("publishFlow", number, { id }), this.#flow(id)), { success: true }),
      deprecateFlow: (number, id) =>
        Effect.as(Effect.andThen(this.#ask("deprecateFlow", number, { id }), this.#flow(id)), { success: true }),
      removeFlow: (number, id) =>
        Effect.map(Effect.andThen(this.#ask("removeFlow", number, { id }), this.#flow(id)), () => {
          this.flows.delete(id)
        }),
      setFlowKey: (number, publicKey) =>
        Effect.map(this.#ask("setFlowKey", number, { publicKey }), () => {
          this.flowKeys.set(number.id, publicKey)
        }),
      flowKeyStatus: (number) =>
        Effect.map(this.#ask("flowKeyStatus", number, {}), () => (this.flowKeys.has(number.id) ? "VALID" : null)),
      commerce: (number) => Effect.map(this.#ask("commerce", number, {}), () => this.commerce),
      changeCommerce: (number, change) =>
        Effect.map(this.#ask("changeCommerce", number, { ...change }), () => {
          this.commerce = { ...this.commerce, ...change }
        }),
      catalogs: (number, query) => Effect.as(this.#ask("catalogs", number, query), { data: [{ id: "2400" }] }),
      products: (number, id, query) =>
        Effect.as(this.#ask("products", number, { id, ...query }), { data: [{ id: "1", retailer_id: "tea" }] }),
      paymentConfigurations: (number) =>
        Effect.map(this.#ask("paymentConfigurations", number, {}), () => [...this.configurations]),
      paymentConfiguration: (number, name) =>
        Effect.map(
          this.#ask("paymentConfiguration", number, { name }),
          () => this.configurations.find((one) => one.name === name) ?? null
        ),
      payment: (number, bill) =>
        Effect.map(this.#ask("payment", number, { ...bill }), () => this.payments.get(bill.referenceId) ?? null),
      messageCounts: (number, { interval, phone }) =>
        Effect.map(this.#ask("messageCounts", number, { interval, phone }), () => this.counts),
      pricing: (number, { dimensions, interval }) =>
        Effect.map(this.#ask("pricing", number, { interval, dimensions }), () => this.counts),
      templateCounts: (number, { templateIds }) =>
        Effect.map(this.#ask("templateCounts", number, { templateIds }), () => [...this.templateCounts]),
      enableTemplateCounts: (number) => Effect.asVoid(this.#ask("enableTemplateCounts", number, {})),
      get maxRequestMs() {
        return fake.maxRequestMs
      }
    }
  }

  readonly #keepExample: NonNullable<CloudApiClient["keepExample"]> = (number, { bytes, contentType, fileName }) =>
    Effect.as(this.#ask("keepExample", number, { contentType, fileName, size: bytes.length }), "4::aW1hZ2U=")

  #flow(id: string): Effect.Effect<JsonObject, CloudApiFailed> {
    const flow = this.flows.get(id)
    return flow === undefined ? Effect.fail(refusedWith(100)) : Effect.succeed(flow)
  }

  #blocking(verb: "block" | "unblock", number: ChannelConnection, people: ReadonlyArray<Recipient>) {
    const inputs = people.map((one) => (one._tag === "Phone" ? one.phone : one.id))
    return Effect.map(this.#ask(verb, number, { people: inputs }), () => ({
      done: inputs
        .filter((input) => !this.unblockable.has(input))
        .map((input) => ({ input, userId: this.userIds.get(input) ?? input })),
      failed: inputs.flatMap((input) => {
        const code = this.unblockable.get(input)
        return code === undefined ? [] : [{ input, code }]
      })
    }))
  }

  #log(verb: PlatformVerb, number: ChannelConnection, body: JsonObject): Effect.Effect<PlatformCall> {
    return Effect.map(Instant.now, (at) => {
      const call: PlatformCall = { verb, number, body, at }
      this.calls.push(call)
      return call
    })
  }

  #ask(verb: PlatformVerb, number: ChannelConnection, body: JsonObject): Effect.Effect<PlatformCall, CloudApiFailed> {
    return Effect.flatMap(this.#log(verb, number, body), (call) => {
      const [failure, slow] = [this.#failures.get(verb), this.#slow.get(verb)]
      const answer = failure === undefined ? Effect.succeed(call) : Effect.fail(failure)
      return slow === undefined ? answer : Effect.andThen(Effect.sleep(slow), answer)
    })
  }

  #file(id: string): Effect.Effect<ChannelFile, CloudApiFailed> {
    const file = this.files.get(id)
    return file === undefined ? Effect.fail(refusedWith(100)) : Effect.succeed(file)
  }

  #answers({ body }: PlatformCall): Answering {
    return this.#queue.shift() ?? this.#customers.get(recipientOf(body)) ?? this.#answering
  }

  #accept({ body, number }: PlatformCall): Effect.Effect<Sent> {
    return Effect.map(Effect.andThen(this.beforeAccept(body), Instant.now), (at) => {
      this.#ids += 1
      const [id, to] = [`wamid.${String(this.#ids).padStart(6, "0")}`, recipientOf(body)]
      this.accepted.push({ id, number, to, body, at })
      const dialed = to.replace(/\D/g, "")
      const [phone, userRef] = body.to === undefined ? [null, to] : [this.knownAs.get(dialed) ?? dialed, null]
      return { id, contact: { input: to, phone, userRef } }
    })
  }
}

const recipientOf = ({ recipient, to }: JsonObject): string => String(to ?? recipient ?? "")

/** A refusal with a code of the platform's, at the status that is given or at 400. */
export const refusedWith = (
  code: number | null,
  httpStatus = 400,
  retryAfterSeconds: number | null = null
): PlatformRefused =>
  new PlatformRefused({
    httpStatus,
    code,
    message: platformLeak,
    details: null,
    retryAfterSeconds,
    body: { error: { message: platformLeak, type: "OAuthException", code, fbtrace_id: "A" } }
  })

/** Accepts the message. */
export const accepts: Answering = (_, accept) => accept

/** Accepts the message, and holds it back until its template is assessed. */
export const holds: Answering = (_, accept) =>
  Effect.map(accept, (sent) => ({ ...sent, messageStatus: "held_for_quality_assessment" }))

/** Refuses the message. */
export const refuses =
  (...refusal: Parameters<typeof refusedWith>): Answering =>
  () =>
    Effect.fail(refusedWith(...refusal))

/** Cannot be reached: the message was surely not accepted. */
export const unreachable: Answering = () =>
  Effect.fail(new ChannelUnreachable({ isCertain: true, detail: "connections are refused" }))

/** Does not answer, and has accepted the message or has not. */
export const silent =
  (hasAccepted: boolean): Answering =>
  (_, accept) =>
    Effect.andThen(
      hasAccepted ? accept : Effect.void,
      Effect.fail(new ChannelUnreachable({ isCertain: false, detail: "no answer in time" }))
    )

/** Makes sends wait. `begun` resolves when one has come; `go` answers it, by default by accepting the message. */
export const waits = () => {
  const begun = Deferred.makeUnsafe<PlatformCall>()
  const gate = Deferred.makeUnsafe<Answering>()
  const answering: Answering = (call, accept) =>
    Effect.andThen(
      Deferred.succeed(begun, call),
      Effect.flatMap(Deferred.await(gate), (answer) => answer(call, accept))
    )
  return {
    answering,
    begun: Deferred.await(begun),
    go: (answer: Answering = accepts) => Deferred.succeed(gate, answer)
  }
}
