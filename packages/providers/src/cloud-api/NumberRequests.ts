/** Requests about a number of the Cloud API beside its messages: one verb is one request, but for lists, which are read to their end. */
import {
  type BlockOutcome,
  type ChannelConnection,
  type DiscoveredNumber,
  isObject,
  type JsonObject,
  type NumberFacts,
  type NumberProfile,
  type ProfileChange,
  type Recipient,
  tracedFn
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { jsonBody } from "../http/index.ts"
import { type Asked, type CloudApiFailed, type CloudApiRequests, type Listed, unclear } from "./CloudApiRequests.ts"
import { blockOutcomeIn, discoveredIn, factsIn, numberFields, profileFields, profileIn } from "./NumberAnswers.ts"

type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface NumberRequests {
  readonly facts: (number: ChannelConnection) => Done<NumberFacts>
  /** Whether the business account has the number, by what the platform says to its token. */
  readonly hasNumber: (number: ChannelConnection) => Done<boolean>
  /** The numbers of the business account. */
  readonly numbers: (account: ChannelConnection) => Done<ReadonlyArray<DiscoveredNumber>>
  readonly register: (
    number: ChannelConnection,
    given: { readonly pin: Redacted.Redacted; readonly region: string | null }
  ) => Done<void>
  readonly deregister: (number: ChannelConnection) => Done<void>
  readonly setPin: (number: ChannelConnection, pin: Redacted.Redacted) => Done<void>
  readonly profile: (number: ChannelConnection) => Done<NumberProfile>
  readonly changeProfile: (number: ChannelConnection, change: ProfileChange) => Done<void>
  readonly blocked: (number: ChannelConnection, query: Readonly<Record<string, string>>) => Done<JsonObject>
  readonly block: (number: ChannelConnection, people: ReadonlyArray<Recipient>) => Done<BlockOutcome>
  readonly unblock: (number: ChannelConnection, people: ReadonlyArray<Recipient>) => Done<BlockOutcome>
}

const profileBody = (product: string, { profilePictureHandle, ...change }: ProfileChange): JsonObject => ({
  messaging_product: product,
  ...change,
  ...(profilePictureHandle === undefined ? {} : { profile_picture_handle: profilePictureHandle })
})

/** One person of a list: a phone by its digits, everybody else by the platform's own id. */
const personOf = (to: Recipient): JsonObject => (to._tag === "Phone" ? { user: to.phone } : { user_id: to.id })

export const makeNumberRequests = (product: string, requests: CloudApiRequests): NumberRequests => {
  const { ask, askFor, passOn, readAll } = requests

  const numbersOf = (account: ChannelConnection, isLast?: Listed["isLast"]) =>
    Effect.map(
      readAll(account, {
        path: [account.accountId, "phone_numbers"],
        of: "numbers",
        ...(isLast === undefined ? {} : { isLast })
      }),
      (read) => read.flatMap(discoveredIn)
    )

  const post = (number: ChannelConnection, path: Asked["path"], body: JsonObject) =>
    Effect.asVoid(ask(number, { method: "POST", path, body: jsonBody(body) }))

  const profilePath = ({ id }: ChannelConnection) => [id, "whatsapp_business_profile"] as const

  /** Where some of the people were refused, the platform answers as if it had refused all, and says which in the body. */
  const blocking = (method: "POST" | "DELETE") =>
    Effect.fnUntraced(function* (number: ChannelConnection, people: ReadonlyArray<Recipient>) {
      const body = jsonBody({ messaging_product: product, block_users: people.map(personOf) })
      const answer = yield* Effect.catchTag(
        askFor(number, { method, path: [number.id, "block_users"], body }),
        "PlatformRefused",
        (refused) => {
          const said = isObject(refused.body) ? refused.body : {}
          return blockOutcomeIn(said) === undefined ? Effect.fail(refused) : Effect.succeed(said)
        }
      )
      return blockOutcomeIn(answer) ?? (yield* unclear("answered without the people who were named"))
    })

  return {
    facts: tracedFn("CloudApiClient.facts")(function* (number: ChannelConnection) {
      return factsIn(yield* askFor(number, { method: "GET", path: [number.id], query: { fields: numberFields } }))
    }),
    hasNumber: tracedFn("CloudApiClient.hasNumber")(function* (number: ChannelConnection) {
      const isHere = (one: { readonly id: string }) => one.id === number.id
      return (yield* numbersOf(number, (page) => page.flatMap(discoveredIn).some(isHere))).some(isHere)
    }),
    numbers: tracedFn("CloudApiClient.numbers")(function* (account: ChannelConnection) {
      return yield* numbersOf(account)
    }),
    register: (number, { pin, region }) =>
      post(number, [number.id, "register"], {
        messaging_product: product,
        pin: Redacted.value(pin),
        ...(region === null ? {} : { data_localization_region: region })
      }),
    deregister: (number) => Effect.asVoid(ask(number, { method: "POST", path: [number.id, "deregister"] })),
    setPin: (number, pin) => post(number, [number.id], { pin: Redacted.value(pin) }),
    profile: (number) =>
      Effect.map(
        askFor(number, { method: "GET", path: profilePath(number), query: { fields: profileFields } }),
        profileIn
      ),
    changeProfile: (number, change) => post(number, profilePath(number), profileBody(product, change)),
    blocked: (number, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: [number.id, "block_users"], query }),
    block: blocking("POST"),
    unblock: blocking("DELETE")
  }
}
