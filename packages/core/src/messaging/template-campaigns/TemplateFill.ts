/** What fills the places of a template for one person, and what the message says then. Pure. Source: docs/reference/template-campaigns.md#variables. */
import { isLonger } from "../../platform/kernel/index.ts"
import type { BookEntry } from "../../platform/overview/index.ts"
import type { TemplateShape, TemplateText, TemplateValues, ValueAddress } from "../channels/index.ts"
import type { CampaignFault } from "./CampaignSettings.ts"
import type { TemplateCampaign, TemplateParameter } from "./TemplateCampaign.ts"
import type { TemplateContact } from "./TemplateContact.ts"

type Parameters = TemplateCampaign["parameters"]
type Person = Pick<TemplateContact, "name" | "phone" | "variables">

/** Characters of a value, a field and a fallback. */
const maxTextLength = 1024

const mediaAddress = "header.media"

const addressForm = /^(?:(?:header|body)\.[^\s{}]{1,256}|buttons\.\d{1,2})$/
const ownKey = /^(custom|variables)\.(.+)$/s
const link = /^https:\/\/[^\s/?#]\S*$/i
const fileId = /^\d+$/

const isMedia = (value: string): boolean => link.test(value) || fileId.test(value)

const lineBreaks = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/g

/** The network refuses line breaks, tabs and more than four spaces in a row. Nothing else is changed. */
const cleaned = (text: string): string => text.replace(lineBreaks, " ").replace(/ {5,}/g, "    ").trim()

const wordsOf = (name: string): ReadonlyArray<string> => name.split(/\s+/).filter((word) => word !== "")

/** A text that says something, cleaned; null for any other. */
const said = (text: string | null | undefined): string | null => {
  const clean = cleaned(text ?? "")
  return clean === "" ? null : clean
}

interface Names {
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

/** The first word is the first name; all that follows is the last name. */
const namesIn = (name: string): Names => {
  const [first = null, ...rest] = wordsOf(name)
  return { name, firstName: first, lastName: rest.length === 0 ? null : rest.join(" ") }
}

/** The parts that the address book does not have are read from its name. */
const bookNames = (book: BookEntry): Names => {
  const [firstName, lastName] = [said(book.firstName), said(book.lastName)]
  const name = said(book.name) ?? said(`${firstName ?? ""} ${lastName ?? ""}`)
  if (name === null) return { name, firstName, lastName }
  const first = firstName ?? namesIn(name).firstName ?? ""
  const rest = name.startsWith(`${first} `) ? said(name.slice(first.length)) : null
  return { name, firstName: first, lastName: lastName ?? rest }
}

/** A contact's own name counts, as a whole; the address book knows its parts where it has the same name. */
const namesOf = (contact: Person, book: BookEntry | null): Names => {
  const own = said(contact.name)
  const known = book === null ? { name: null, firstName: null, lastName: null } : bookNames(book)
  return own === null || own === known.name ? known : namesIn(own)
}

type Field = (contact: Person, book: BookEntry | null) => string | null | undefined

const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["name", (contact, book) => namesOf(contact, book).name],
  ["first_name", (contact, book) => namesOf(contact, book).firstName],
  ["last_name", (contact, book) => namesOf(contact, book).lastName],
  ["email", (_, book) => book?.email],
  ["company", (_, book) => book?.company],
  ["phone", (contact, book) => said(contact.phone) ?? book?.phone]
])

/** People write the keys: none of them is a name that every object has. */
const own = (texts: Readonly<Record<string, string>> | undefined, key: string): string | null =>
  texts !== undefined && Object.hasOwn(texts, key) ? (texts[key] ?? null) : null

const fieldOf = (field: string, contact: Person, book: BookEntry | null): string | null | undefined => {
  const [, source, key = ""] = ownKey.exec(field) ?? []
  if (source === "custom") return own(book?.custom, key)
  return source === "variables" ? own(contact.variables, key) : fields.get(field)?.(contact, book)
}

const tooLong = `A text may have ${maxTextLength} characters at most`

function* faultsOf(address: string, parameter: TemplateParameter): Generator<string> {
  if (!addressForm.test(address)) {
    yield "There is no such place: write body.1, body.<name>, header.1, header.<name>, header.media or buttons.<index>"
  }
  const given = "value" in parameter ? [parameter.value] : [parameter.field, parameter.fallback ?? ""]
  if (given.some((text) => isLonger(text, maxTextLength))) yield tooLong
  if ("field" in parameter && !ownKey.test(parameter.field) && !fields.has(parameter.field)) {
    yield `There is no such field: write ${[...fields.keys()].join(", ")}, custom.<key> or variables.<key>`
  }
  const media = "value" in parameter ? parameter.value : parameter.fallback
  if (address === mediaAddress && media !== undefined && media !== null && !isMedia(cleaned(media))) {
    yield "The header's file must be a link that begins with https://, or the id of an uploaded file, which is digits"
  }
}

/** Everything that is wrong with a campaign's parameters. */
export const parameterFaults = (parameters: Parameters): ReadonlyArray<CampaignFault> =>
  Object.entries(parameters).flatMap(([address, parameter]) =>
    [...faultsOf(address, parameter)].map((message) => ({ field: `parameters.${address}`, message }))
  )

export interface PlaceToFill {
  readonly address: ValueAddress
  /** Whether no message can be sent without a value. */
  readonly isRequired: boolean
}

const required = (address: ValueAddress): PlaceToFill => ({ address, isRequired: true })

/** The places of a template that take a value, in its order. */
export const addressesOf = ({ body, buttons, header }: TemplateShape): ReadonlyArray<PlaceToFill> => [
  ...(header?._tag === "Text" ? header.places.map((place) => required(`header.${place}`)) : []),
  ...(header?._tag === "Media" ? [required(mediaAddress)] : []),
  ...body.places.map((place) => required(`body.${place}`)),
  ...buttons
    .filter(({ value }) => value !== "none")
    .map(({ index, value }) => ({ address: `buttons.${index}`, isRequired: value === "required" }))
]

/** A place that the campaign does not fill is filled by the contact's own variable of its name; the body's are named without `body.`. */
const ownVariable = (address: ValueAddress, { variables }: Person): string | null =>
  own(variables, address.startsWith("body.") ? address.slice("body.".length) : address)

/** What may fill a place, the best first. */
const candidates = (address: ValueAddress, parameters: Parameters, contact: Person, book: BookEntry | null) => {
  const parameter = parameters[address]
  if (parameter === undefined) return [ownVariable(address, contact)]
  return "value" in parameter ? [parameter.value] : [fieldOf(parameter.field, contact, book), parameter.fallback]
}

export type Filled =
  | { readonly _tag: "Filled"; readonly values: TemplateValues }
  /** No value is there for a place that needs one. */
  | { readonly _tag: "Missing"; readonly address: ValueAddress }

/** What fills a template for a contact, whom the address book may know. */
export const filled = (
  shape: TemplateShape,
  parameters: Parameters,
  contact: Person,
  book: BookEntry | null
): Filled => {
  const values: Array<readonly [ValueAddress, string]> = []
  for (const { address, isRequired } of addressesOf(shape)) {
    const needsMedia = shape.header?._tag === "Media" && address === mediaAddress
    const value = candidates(address, parameters, contact, book)
      .map(said)
      .find((text) => text !== null && (!needsMedia || isMedia(text)))
    if (value !== undefined && value !== null) values.push([address, value])
    else if (isRequired) return { _tag: "Missing", address }
  }
  return { _tag: "Filled", values: Object.fromEntries(values) }
}

/** The braces of a place, as a channel reads them from the text. */
const place = /\{\{([^{}]{1,256})\}\}/g

/** In one pass: braces within a value are text. */
const textWith = (within: "header" | "body", { text }: TemplateText, values: TemplateValues): string =>
  text.replace(place, (braces, name: string) => own(values, `${within}.${name.trim()}`) ?? braces)

/** What the message says: header, body, footer and the titles of the buttons, each on a line of its own. */
export const renderedText = ({ body, buttons, footer, header }: TemplateShape, values: TemplateValues): string =>
  [
    header?._tag === "Text" ? textWith("header", header, values) : "",
    textWith("body", body, values),
    footer ?? "",
    ...buttons.map(({ title }) => title)
  ]
    .filter((part) => part.trim() !== "")
    .join("\n")
