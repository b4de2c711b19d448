/**
 * What a template's components say, and the components that fill it. Values only ever become the text of a parameter that the
 * template has a place for. Pure. Source: docs/reference/template-campaigns.md#variables.
 */
import type {
  FilledTemplate,
  JsonObject,
  TemplateButton,
  TemplateHeader,
  TemplateShape,
  TemplateText,
  TemplateValues
} from "@trunkline/core/provider"
import { listOf, objectOf, textOf } from "./PlatformValues.ts"

/** Longer than any name of a place is, so that braces in a text of megabytes are read in linear time. */
const place = /\{\{([^{}]{1,256})\}\}/g

const placesIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(place)].map(([, name = ""]) => name.trim()).filter((name) => name !== ""))
]

const templateText = (given: unknown): TemplateText => {
  const text = textOf(given) ?? ""
  return { text, places: placesIn(text) }
}

const maxWordLength = 64

/** A word of the platform's in capitals, which some senders write in small letters. */
const wordOf = (value: unknown): string => (textOf(value) ?? "UNKNOWN").slice(0, maxWordLength).toUpperCase()

const mediaKinds: ReadonlyMap<string, "image" | "video" | "document"> = new Map([
  ["IMAGE", "image"],
  ["VIDEO", "video"],
  ["DOCUMENT", "document"]
])

/** What a component says; the platform's word for it where no values can fill it. */
type Read<A> = { readonly is: A } | { readonly unsupported: string }

const headerOf = ({ format, text }: JsonObject): Read<TemplateHeader> => {
  const word = wordOf(format)
  const kind = mediaKinds.get(word)
  if (kind !== undefined) return { is: { _tag: "Media", kind } }
  return word === "TEXT" ? { is: { _tag: "Text", ...templateText(text) } } : { unsupported: word }
}

/** Whether a value is sent for a button, by the platform's word for it. Every other button needs what values cannot say. */
const buttonValues: ReadonlyMap<string, TemplateButton["value"]> = new Map([
  ["COPY_CODE", "required"],
  ["QUICK_REPLY", "optional"],
  ["FLOW", "optional"],
  ["PHONE_NUMBER", "none"],
  ["VOICE_CALL", "none"]
])

const buttonOf = ({ text, type, url }: JsonObject, index: number): Read<TemplateButton> => {
  const word = wordOf(type)
  const value = word === "URL" ? (templateText(url).places.length === 0 ? "none" : "required") : buttonValues.get(word)
  return value === undefined
    ? { unsupported: word }
    : { is: { index, kind: word.toLowerCase(), title: textOf(text) ?? "", value } }
}

/** True of a component or button that values fill. The platform shows examples of those beside them. */
const isFilled = ({ format, text, url }: JsonObject): boolean =>
  mediaKinds.has(wordOf(format)) || placesIn(textOf(text) ?? "").length > 0 || placesIn(textOf(url) ?? "").length > 0

const readOf = <A>(read: Read<A>): ReadonlyArray<A> => ("is" in read ? [read.is] : [])
const unsupportedOf = (read: Read<unknown>): ReadonlyArray<string> => ("is" in read ? [] : [read.unsupported])

/** Of two components of one type the first counts. */
export const shapeOf = (components: ReadonlyArray<JsonObject>): TemplateShape => {
  const all = components.map(objectOf)
  const first = (type: string) => all.find((one) => wordOf(one.type) === type)
  const [header, buttons] = [first("HEADER"), listOf(first("BUTTONS")?.buttons).map(objectOf).map(buttonOf)]
  const headerRead = header === undefined ? null : headerOf(header)
  const faultsOf = (component: JsonObject): ReadonlyArray<string> => {
    const word = wordOf(component.type)
    if (word === "HEADER") return headerRead === null ? [] : unsupportedOf(headerRead)
    if (word === "BUTTONS") return buttons.flatMap(unsupportedOf)
    return word === "BODY" || word === "FOOTER" ? [] : [word]
  }
  return {
    header: headerRead === null ? null : (readOf(headerRead)[0] ?? null),
    body: templateText(first("BODY")?.text),
    footer: textOf(first("FOOTER")?.text),
    buttons: buttons.flatMap(readOf),
    unsupported: all.flatMap(faultsOf)[0] ?? null,
    hasExamples: [...all, ...listOf(first("BUTTONS")?.buttons).map(objectOf)].every(
      (one) => !isFilled(one) || (one.example ?? null) !== null
    )
  }
}

const isNumber = (name: string): boolean => /^\d+$/.test(name)

/** The platform fills numbered places in the order of their numbers, wherever they stand in the text. */
const byNumber = (one: string, other: string): number =>
  isNumber(one) && isNumber(other) ? Number(one) - Number(other) : 0

/** The parameters of a text. A place without a value has none, so that the platform refuses the message by their number. */
const textParameters = (within: "header" | "body", { places }: TemplateText, values: TemplateValues) =>
  [...places].sort(byNumber).flatMap((name): ReadonlyArray<JsonObject> => {
    const text = values[`${within}.${name}`]
    return text === undefined ? [] : [{ type: "text", ...(isNumber(name) ? {} : { parameter_name: name }), text }]
  })

/** Digits alone are the id of a file that the platform has. */
const mediaParameters = (kind: string, value: string | undefined): ReadonlyArray<JsonObject> =>
  value === undefined ? [] : [{ type: kind, [kind]: isNumber(value) ? { id: value } : { link: value } }]

const headerParameters = (header: TemplateHeader | null, values: TemplateValues): ReadonlyArray<JsonObject> => {
  if (header === null) return []
  return header._tag === "Text"
    ? textParameters("header", header, values)
    : mediaParameters(header.kind, values["header.media"])
}

/** The parameter of a button, in the form that the platform wants of its kind. */
const buttonParameter = (kind: string, value: string): JsonObject => {
  switch (kind) {
    case "copy_code":
      return { type: "coupon_code", coupon_code: value }
    case "quick_reply":
      return { type: "payload", payload: value }
    case "flow":
      return { type: "action", action: { flow_token: value } }
    default:
      return { type: "text", text: value }
  }
}

const buttonComponent = (button: TemplateButton, values: TemplateValues): ReadonlyArray<JsonObject> => {
  const { index, kind } = button
  const value = button.value === "none" ? undefined : values[`buttons.${index}`]
  if (value === undefined) return []
  return [{ type: "button", sub_type: kind, index: String(index), parameters: [buttonParameter(kind, value)] }]
}

const component = (type: "header" | "body", parameters: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  parameters.length === 0 ? [] : [{ type, parameters }]

export const contentOf = ({ language, name, shape, values }: FilledTemplate): JsonObject => ({
  name,
  language: { code: language },
  components: [
    ...component("header", headerParameters(shape.header, values)),
    ...component("body", textParameters("body", shape.body, values)),
    ...shape.buttons.flatMap((button) => buttonComponent(button, values))
  ]
})
