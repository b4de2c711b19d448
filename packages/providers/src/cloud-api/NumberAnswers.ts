/** Reads what the platform says of numbers: what it does not say, or says otherwise, is missing. Pure. Source: docs/reference/messaging.md#number-facts. */
import {
  type BlockOutcome,
  type DiscoveredNumber,
  type JsonObject,
  type MessagingLimit,
  type NumberFacts,
  type NumberProfile,
  type Quality,
  qualities,
  type Throughput
} from "@trunkline/core/provider"
import { idOf, listOf, objectOf, textOf } from "./PlatformValues.ts"

/** Every field that is read of a number. */
export const numberFields =
  "display_phone_number,verified_name,status,quality_rating,name_status,code_verification_status,is_pin_enabled,throughput,whatsapp_business_manager_messaging_limit,messaging_limit_tier"

export const profileFields = "about,address,description,email,profile_picture_url,websites,vertical"

const thousand = 1000

/** `TIER_2K`, `TIER_250`, `TIER_UNLIMITED`, or a number of which -1 is no limit. Null for everything else. */
export const limitOf = (value: unknown): MessagingLimit | null => {
  const tier = textOf(value)
  if (tier === null) return null
  if (tier === "TIER_UNLIMITED" || tier === "-1") return { tier, perDay: null }
  const [, digits, kilo] = /^(?:TIER_)?(\d{1,9})(K?)$/.exec(tier) ?? []
  return digits === undefined ? null : { tier, perDay: Number(digits) * (kilo === "K" ? thousand : 1) }
}

/** Messages a second by level; of any other level the least. Source: docs/reference/messaging.md#number-facts. */
const perSecond: Readonly<Record<string, number>> = { STANDARD: 80, HIGH: 1000 }

const throughputOf = (value: unknown): Throughput | null => {
  const level = textOf(objectOf(value).level)
  return level === null ? null : { level, perSecond: perSecond[level] ?? 80 }
}

const qualityOf = (value: unknown): Quality | null => {
  const named = textOf(value)
  if (named === null) return null
  return qualities.find((one) => one === named) ?? "UNKNOWN"
}

export const factsIn = (answer: JsonObject): NumberFacts => ({
  status: textOf(answer.status),
  qualityRating: qualityOf(answer.quality_rating),
  messagingLimit: limitOf(answer.whatsapp_business_manager_messaging_limit) ?? limitOf(answer.messaging_limit_tier),
  throughput: throughputOf(answer.throughput),
  verifiedName: textOf(answer.verified_name),
  nameStatus: textOf(answer.name_status),
  codeVerificationStatus: textOf(answer.code_verification_status),
  isPinEnabled: typeof answer.is_pin_enabled === "boolean" ? answer.is_pin_enabled : null,
  displayPhoneNumber: textOf(answer.display_phone_number)
})

export const discoveredIn = (given: unknown): ReadonlyArray<DiscoveredNumber> => {
  const number = objectOf(given)
  const id = idOf(number.id)
  if (id === null) return []
  const { displayPhoneNumber, qualityRating, status, verifiedName } = factsIn(number)
  return [{ id, displayPhoneNumber, verifiedName, qualityRating, status }]
}

/** The platform answers with a list of one profile. */
export const profileIn = (answer: JsonObject): NumberProfile => {
  const profile = objectOf(listOf(answer.data)[0])
  const websites = listOfTexts(profile.websites)
  return {
    about: textOf(profile.about),
    address: textOf(profile.address),
    description: textOf(profile.description),
    email: textOf(profile.email),
    websites: websites.length === 0 ? null : websites,
    vertical: textOf(profile.vertical),
    profilePictureUrl: textOf(profile.profile_picture_url)
  }
}

const listOfTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : []

/** What became of each person; undefined where the answer says nothing of people. */
export const blockOutcomeIn = (answer: JsonObject): BlockOutcome | undefined => {
  const { added_users, failed_users, removed_users } = objectOf(answer.block_users)
  const done = [...listOf(added_users), ...listOf(removed_users)]
  const failed = listOf(failed_users)
  if (done.length + failed.length === 0) return undefined
  return {
    done: done.map(objectOf).map(({ input, user_id, wa_id }) => ({
      input: textOf(input) ?? "",
      userId: idOf(user_id) ?? idOf(wa_id)
    })),
    failed: failed.map(objectOf).map(({ errors, input }) => {
      const code = Number(textOf(objectOf(listOf(errors)[0]).code) ?? Number.NaN)
      return { input: textOf(input) ?? "", code: Number.isSafeInteger(code) ? code : null }
    })
  }
}
