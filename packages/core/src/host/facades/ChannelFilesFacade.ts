/** Files and templates of a channel, for a host that uses promises. */
import * as Schema from "effect/Schema"
import type { ChannelFile } from "../../messaging/channels/index.ts"
import { type JsonObject, maxContentKib } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import { maxBytesOf, PlatformFiles } from "../../messaging/sending/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"

/** Filters and page of a list of templates, in the platform's names. Source: docs/reference/messaging.md#templates. */
export interface TemplatesQuery {
  /** Names of the platform's fields, separated by commas. */
  readonly fields?: string
  /** Templates of this name alone. */
  readonly name?: string
  /** Templates in this language alone, such as `en_US`. */
  readonly language?: string
  /** Templates with this status of the platform alone, such as `APPROVED`. */
  readonly status?: string
  /** Templates of this category alone, such as `UTILITY`. */
  readonly category?: string
  /** The largest number of templates in the answer. */
  readonly limit?: number
  /** The platform's mark of the page after which the answer begins. */
  readonly after?: string
  /** The platform's mark of the page before which the answer ends. */
  readonly before?: string
}

/** Source: docs/reference/messaging.md#media. */
export interface ChannelFilesFacade {
  /** Answers the platform's id of the file. */
  readonly upload: (
    accountId: string,
    phoneNumberId: string,
    file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array },
    options?: CallOptions
  ) => Promise<string>
  /** The bytes and the type of a file of the platform. */
  readonly get: (
    accountId: string,
    phoneNumberId: string,
    mediaId: string,
    options?: CallOptions
  ) => Promise<ChannelFile>
}

/** In the platform's words, in both directions. Source: docs/reference/messaging.md#templates. */
export interface TemplatesFacade {
  /** The templates of the number's business account, as the platform reports them. */
  readonly read: (
    accountId: string,
    phoneNumberId: string,
    query?: TemplatesQuery,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Submits a template to the platform, which approves it later. */
  readonly create: (
    accountId: string,
    phoneNumberId: string,
    template: JsonObject,
    options?: CallOptions
  ) => Promise<JsonObject>
}

const { accountId, argument, callOptions, jsonObject, options, record } = Arguments

const phoneNumberId = argument("phoneNumberId", MessagingApi.PlatformId)
const templatesQuery = Arguments.given<TemplatesQuery>()(Schema.Struct(Wire.fromWire(MessagingApi.templatesQuery)))

/** What stands in a header of the platform's form. */
const headerText = Fields.text(1, 255).check(
  Schema.makeFilter((value: string) => !/\p{Cc}/u.test(value) || "Expected a text without control characters")
)

const upload = record(
  "file",
  Schema.Struct({
    contentType: headerText,
    fileName: headerText,
    bytes: Schema.declare((given): given is Uint8Array => given instanceof Uint8Array, { expected: "a Uint8Array" })
  }).check(
    Schema.makeFilter(({ bytes, contentType }) => {
      const max = maxBytesOf(contentType)
      if (bytes.byteLength === 0) return { path: ["bytes"], issue: "The file is empty" }
      return bytes.byteLength <= max || { path: ["bytes"], issue: `A file of this type may have at most ${max} bytes` }
    })
  )
)

export const channelFilesFacade = (method: Method): ChannelFilesFacade => ({
  upload: method([accountId, phoneNumberId, upload, callOptions], (tenantId, number, file) =>
    PlatformFiles.use((f) => f.upload(tenantId, number, file))
  ),
  get: method(
    [accountId, phoneNumberId, argument("mediaId", MessagingApi.MediaId), callOptions],
    (tenantId, number, mediaId) => PlatformFiles.use((f) => f.file(tenantId, number, mediaId))
  )
})

export const templatesFacade = (method: Method): TemplatesFacade => ({
  read: method([accountId, phoneNumberId, options(templatesQuery, "query"), callOptions], (tenantId, number, query) => {
    const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
    return PlatformFiles.use((f) => f.templates(tenantId, number, asked))
  }),
  create: method(
    [accountId, phoneNumberId, argument("template", Fields.json(jsonObject, maxContentKib)), callOptions],
    (tenantId, number, template) => PlatformFiles.use((f) => f.createTemplate(tenantId, number, template))
  )
})
