/** What a template says and what fills its places, in the words of the domain. Pure. Source: docs/reference/template-campaigns.md#variables. */

/** A text with places in it, such as `Dear {{name}}`. */
export interface TemplateText {
  readonly text: string
  /** What stands between the braces, each once, in the order of the text: `1`, `name`. */
  readonly places: ReadonlyArray<string>
}

export type TemplateHeader =
  | (TemplateText & { readonly _tag: "Text" })
  | { readonly _tag: "Media"; readonly kind: "image" | "video" | "document" }

export interface TemplateButton {
  /** Its place among the buttons, from 0. */
  readonly index: number
  /** In the network's words, in small letters: `url`, `copy_code`, `quick_reply`. */
  readonly kind: string
  readonly title: string
  /** Whether a value must, may or cannot be sent for it. */
  readonly value: "required" | "optional" | "none"
}

export interface TemplateShape {
  readonly header: TemplateHeader | null
  readonly body: TemplateText
  readonly footer: string | null
  readonly buttons: ReadonlyArray<TemplateButton>
  /** A component that no values can fill, in the network's words, such as `CAROUSEL`; null where there is none. */
  readonly unsupported: string | null
  /** False where the network shows no example of what fills one of its components. */
  readonly hasExamples: boolean
}

/** Where a value goes: `header.media`, `header.name`, `body.1`, `buttons.0`. */
export type ValueAddress = string

/** What fills a template, by addresses. */
export type TemplateValues = Readonly<Record<ValueAddress, string>>
