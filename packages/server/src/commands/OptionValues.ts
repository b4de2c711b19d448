/** Readers of the values of options: each returns a value, or throws with what it expected. Pure. */

import { Instant, Money } from "@trunkline/core/effect"
import { Ids, isObject } from "@trunkline/core/provider"
import { Scopes } from "@trunkline/core/storage"
import { InvalidArgumentError } from "commander"
import * as JsonText from "../JsonText.ts"

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

/** An id of ours, folded. */
export const id = (text: string): string => {
  const folded = text.toLowerCase()
  return Ids.isUuid(folded) ? folded : refuse(`${JSON.stringify(text)} is not a UUID.`)
}

/** A text that is not blank. */
export const words = (text: string): string =>
  text.trim() === "" ? refuse("Expected a text that is not empty.") : text

/** An address below which the product's routes are, without a slash at its end. */
export const address = (text: string): string => {
  const url = URL.parse(text)
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === ""
  return isPlain && (url.protocol === "https:" || url.protocol === "http:")
    ? url.href.replace(/\/+$/, "")
    : refuse("It must begin with http:// or https:// and have no user name, query or fragment.")
}

/** A JSON object, or where it is broken. */
export const object = (text: string): object => {
  const read = JsonText.read(text)
  if (read._tag === "Broken") return refuse(`Expected a JSON object: ${read.faults.join(", ")}.`)
  const { value } = read
  return isObject(value) ? value : refuse('Expected a JSON object such as {"amount": 12}.')
}

/** Words that are separated by commas. */
export const list = (text: string): ReadonlyArray<string> => {
  const words = [...new Set(text.split(",").map((word) => word.trim()))].filter((word) => word !== "")
  return words.length > 0 ? words : refuse("Expected one or more words with commas between.")
}

export const permissions = (text: string): ReadonlyArray<Scopes.Permission> =>
  list(text).map(
    (name) =>
      Scopes.permissions.find((known) => known === name) ??
      refuse(`There is no permission ${name}; they are ${Scopes.permissions.join(", ")}.`)
  )

/** A host name, or one whose subdomains are meant. */
export const domains = (text: string): ReadonlyArray<string> =>
  list(text.toLowerCase()).map((name) =>
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name)
      ? name
      : refuse(`${name} is no host name such as app.example.com or *.example.com.`)
  )

/** At most a day: who has a link can use it for this time. */
export const seconds = (text: string): number =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 86_400 ? Number(text) : refuse("Expected 1 to 86400 whole seconds.")

/** At most a week; 0 ends the present secret at once. */
export const overlap = (text: string): number =>
  /^(0|[1-9]\d{0,5})$/.test(text) && Number(text) <= 604_800
    ? Number(text)
    : refuse("Expected 0 to 604800 whole seconds.")

export const count = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse("Expected a whole number above zero.")

/** An instant; a date without a time is its first moment in UTC. */
export const instant = (text: string): Instant.Instant =>
  Instant.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text) ??
  refuse("Expected an ISO 8601 instant such as 2026-11-21T09:30:00Z, or a date.")

/** Decimal credits, as they were written. */
export const amount = (text: string): string => {
  nano(text)
  return text.trim()
}

export const nano = (text: string): Money.Nano =>
  Money.parseCredits(text) ?? refuse("Expected credits as a decimal number with up to nine decimal places.")

/** An amount, or the word `none`: commander treats a reader's null as a missing value. */
export const budget = (text: string): Money.Nano | "none" => (text === "none" ? "none" : nano(text))
