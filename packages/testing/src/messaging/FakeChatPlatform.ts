/** The Cloud API in the process: it logs what it is asked, and answers when and as it is told. */
import {
  type ChannelConnection,
  type ChannelFile,
  ChannelUnreachable,
  ChatChannel,
  InboundSecrets,
  Instant,
  type JsonObject,
  type Sent
} from "@trunkline/core/effect"
import { type CloudApiClient, type CloudApiFailed, cloudChannel, PlatformRefused } from "@trunkline/providers/cloud-api"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export type PlatformVerb = Exclude<keyof CloudApiClient, "maxRequestMs">

export interface PlatformCall {
  readonly verb: PlatformVerb
  readonly number: ChannelConnection
  /** What was sent; of other verbs, what they were asked about. */
  readonly body: JsonObject
  readonly at: Instant.Instant
}

/** A message that the platform has taken. */
export interface TakenMessage {
  readonly id: string
  readonly number: ChannelConnection
  readonly to: string
  readonly body: JsonObject
  readonly at: Instant.Instant
}

/** Answers a send. `take` is the platform's taking the message, which it may do and still not answer. */
export type Answering = (call: PlatformCall, take: Effect.Effect<Sent>) => Effect.Effect<Sent, CloudApiFailed>

/** Words of the platform's that must never be in a log or in an answer of ours. */
export const platformLeak = "leaky words of app 1234 with token EAAG-secret"

export class FakeChatPlatform {
  /** What was asked, in the order in which it came. */
  readonly calls: Array<PlatformCall> = []
  /** What was taken, in the order in which it was. */
  readonly taken: Array<TakenMessage> = []
  readonly files = new Map<string, ChannelFile>()
  readonly templates: Array<JsonObject> = []
  /** Sends that were given up by whoever asked. */
  interrupted = 0
  /** Promises to take no longer, in milliseconds. */
  maxRequestMs = 40_000
  readonly #queue: Array<Answering> = []
  readonly #customers = new Map<string, Answering>()
  readonly #failures = new Map<PlatformVerb, CloudApiFailed>()
  readonly #slow = new Map<PlatformVerb, number>()
  #answering: Answering = (_, take) => take
  #ids = 0

  of(verb: PlatformVerb): ReadonlyArray<PlatformCall> {
    return this.calls.filter((call) => call.verb === verb)
  }

  /** Texts that were taken, for one customer or for all. */
  texts(customer?: string): ReadonlyArray<string> {
    return this.taken
      .filter(({ to }) => customer === undefined || to === customer)
      .map(({ body }) => String((body.text as JsonObject | undefined)?.body ?? "")) // of a text: an object
  }

  /** What becomes of sends from now on. */
  does(answering: Answering): void {
    this.#answering = answering
  }

  /** What becomes of the next sends, before everything else. */
  next(answering: Answering, times = 1): void {
    for (let i = 0; i < times; i += 1) this.#queue.push(answering)
  }

  /** What becomes of sends to one customer; null for what becomes of all. */
  toward(customer: string, answering: Answering | null): void {
    if (answering === null) this.#customers.delete(customer)
    else this.#customers.set(customer, answering)
  }

  /** What becomes of everything that is asked by another verb than `send`; null for the best. */
  fails(verb: Exclude<PlatformVerb, "send">, failure: CloudApiFailed | null): void {
    if (failure === null) this.#failures.delete(verb)
    else this.#failures.set(verb, failure)
  }

  /** How long everything takes that is asked by another verb than `send`, in milliseconds. */
  takes(verb: Exclude<PlatformVerb, "send">, milliseconds: number): void {
    this.#slow.set(verb, milliseconds)
  }

  /** Keeps a file; tells its id. */
  keep(contentType: string, bytes: Uint8Array): string {
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
          Effect.onInterrupt(this.#answers(call)(call, this.#take(call)), () =>
            Effect.sync(() => {
              this.interrupted += 1
            })
          )
        ),
      markRead: (number, { id, typing }) => Effect.asVoid(this.#ask("markRead", number, { id, typing })),
      subscribe: (number) => Effect.asVoid(this.#ask("subscribe", number, { id: number.accountId })),
      upload: (number, { bytes, contentType, fileName }) =>
        Effect.map(this.#ask("upload", number, { contentType, fileName, size: bytes.length }), () =>
          this.keep(contentType, bytes)
        ),
      media: (number, id, maxBytes) =>
        Effect.flatMap(this.#ask("media", number, { id, maxBytes }), () =>
          Effect.flatMap(this.#file(id), (file) =>
            file.size > maxBytes ? Effect.fail(refusedWith(131052, 413)) : Effect.succeed(file)
          )
        ),
      templates: (number, query) =>
        Effect.map(this.#ask("templates", number, query), () => ({ data: [...this.templates] })),
      createTemplate: (number, body) =>
        Effect.map(this.#ask("createTemplate", number, body), () => {
          this.templates.push(body)
          return { id: String(this.templates.length), status: "PENDING", category: body.category }
        }),
      get maxRequestMs() {
        return fake.maxRequestMs
      }
    }
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

  #take({ body, number }: PlatformCall): Effect.Effect<Sent> {
    return Effect.map(Instant.now, (at) => {
      this.#ids += 1
      const [id, to] = [`wamid.${String(this.#ids).padStart(6, "0")}`, recipientOf(body)]
      this.taken.push({ id, number, to, body, at })
      const [phone, userRef] = body.to === undefined ? [null, to] : [to.replace(/\D/g, ""), null]
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

/** Takes the message. */
export const accepts: Answering = (_, take) => take

/** Refuses the message. */
export const refuses =
  (...refusal: Parameters<typeof refusedWith>): Answering =>
  () =>
    Effect.fail(refusedWith(...refusal))

/** Cannot be reached: the message was surely not taken. */
export const unreachable: Answering = () =>
  Effect.fail(new ChannelUnreachable({ isCertain: true, detail: "connections are refused" }))

/** Does not answer, and has taken the message or has not. */
export const silent =
  (hasTaken: boolean): Answering =>
  (_, take) =>
    Effect.andThen(
      hasTaken ? take : Effect.void,
      Effect.fail(new ChannelUnreachable({ isCertain: false, detail: "no answer in time" }))
    )

/** Keeps whoever sends waiting. `begun` is when somebody does; `go` lets it answer, by taking the message unless told otherwise. */
export const waits = () => {
  const begun = Deferred.makeUnsafe<PlatformCall>()
  const gate = Deferred.makeUnsafe<Answering>()
  const answering: Answering = (call, take) =>
    Effect.andThen(
      Deferred.succeed(begun, call),
      Effect.flatMap(Deferred.await(gate), (answer) => answer(call, take))
    )
  return {
    answering,
    begun: Deferred.await(begun),
    go: (answer: Answering = accepts) => Deferred.succeed(gate, answer)
  }
}
