/**
 * What a message says, in the words of the domain: channels send it in their own form, and read their own form as it. Pure.
 * Source: docs/reference/messaging.md#contents.
 */
import type { JsonObject } from "./JsonObject.ts"

/** What a content may have beside its own fields. */
interface Content {
  /**
   * How the public form of the content differs from its fields: what the domain has no words for. It is in the words of the public
   * API, so that a channel of other words ignores it. `undefined` under a name removes that field.
   */
  readonly extra?: JsonObject
}

export interface TextContent extends Content {
  readonly _tag: "Text"
  readonly text: string
  /** False: a link in the text is shown without a preview. Left out: as the channel does by itself. */
  readonly linkPreview?: boolean | undefined
}

export const mediaKinds = ["image", "audio", "video", "document", "sticker"] as const
export type MediaKind = (typeof mediaKinds)[number]

/** A file that the channel keeps, or one that it fetches. */
export type FileReference = { readonly id: string } | { readonly link: string }

export interface MediaContent extends Content {
  readonly _tag: "Media"
  readonly kind: MediaKind
  readonly file: FileReference
  readonly caption?: string | undefined
  readonly fileName?: string | undefined
  readonly mediaType?: string | undefined
  /** True of audio that was spoken into the channel. */
  readonly isVoice?: boolean | undefined
}

export interface LocationContent extends Content {
  readonly _tag: "Location"
  /** In degrees. */
  readonly latitude: number
  readonly longitude: number
  readonly name?: string | undefined
  readonly address?: string | undefined
}

/** A button, or a row of a list. The id comes back in the {@link ChoiceContent} of a customer who chooses it. */
export interface ContentOption {
  readonly id: string
  readonly title: string
}

/** A text with buttons below it. */
export interface ButtonsContent extends Content {
  readonly _tag: "Buttons"
  readonly text: string
  readonly buttons: ReadonlyArray<ContentOption>
}

/** A text with a button that opens a list. */
export interface ListContent extends Content {
  readonly _tag: "List"
  readonly text: string
  readonly button: string
  readonly sections: ReadonlyArray<{
    readonly title?: string | undefined
    readonly rows: ReadonlyArray<ContentOption & { readonly description?: string | undefined }>
  }>
}

/** What a customer has chosen of the buttons or the list of an earlier message. */
export interface ChoiceContent extends Content, ContentOption {
  readonly _tag: "Choice"
}

export interface ContactCard {
  readonly name: string
  readonly phones: ReadonlyArray<string>
}

export interface ContactsContent extends Content {
  readonly _tag: "Contacts"
  readonly cards: ReadonlyArray<ContactCard>
}

export interface ReactionContent extends Content {
  readonly _tag: "Reaction"
  /** The channel's id of the message that it stands at. */
  readonly messageId: string
  /** Empty: the reaction is taken away. */
  readonly emoji: string
}

/** A text that the channel's network has approved. What fills its places stands in `extra`. */
export interface TemplateContent extends Content {
  readonly _tag: "Template"
  readonly name: string
  readonly language: string
}

/** What the domain has no words for: the object that `type` names, as its sender gave it. */
export interface RawContent {
  readonly _tag: "Raw"
  readonly type: string
  /** What can be read of it; null where there is nothing. */
  readonly text: string | null
  readonly json: JsonObject
}

/** What the domain has words for. */
export type KnownContent =
  | TextContent
  | MediaContent
  | LocationContent
  | ButtonsContent
  | ListContent
  | ChoiceContent
  | ContactsContent
  | ReactionContent
  | TemplateContent

/** What one message says. */
export type MessageContent = KnownContent | RawContent
