/** Templates of a channel, for a host that uses promises. */
import * as Schema from "effect/Schema"
import { type JsonObject, maxContentKib } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import { Templates } from "../../messaging/templates/index.ts"
import { maxExampleBytesOf, TemplateName } from "../../messaging/templates/TemplatesApi.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"
import { fileOf, phoneNumberId } from "./ChannelArguments.ts"

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
  /** One template. `query.fields` names other fields than the usual ones. */
  readonly get: (
    accountId: string,
    phoneNumberId: string,
    templateId: string,
    query?: { readonly fields?: string },
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Changes a template, which the platform approves anew. */
  readonly change: (
    accountId: string,
    phoneNumberId: string,
    templateId: string,
    change: JsonObject,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Deletes a template: of a name with its id in that language alone, without an id in every language. */
  readonly delete: (
    accountId: string,
    phoneNumberId: string,
    template: { readonly name: string; readonly id?: string | null },
    options?: CallOptions
  ) => Promise<void>
  /** Lets a template be sent again that the platform has paused. */
  readonly unpause: (
    accountId: string,
    phoneNumberId: string,
    templateId: string,
    options?: CallOptions
  ) => Promise<JsonObject>
  /** Keeps a file that shows what a header looks like; answers the handle for `example.header_handle`. */
  readonly uploadExample: (
    accountId: string,
    phoneNumberId: string,
    file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array },
    options?: CallOptions
  ) => Promise<string>
}

const { accountId, argument, callOptions, jsonObject, options, record } = Arguments

const templatesQuery = Arguments.given<TemplatesQuery>()(Schema.Struct(Wire.fromWire(MessagingApi.templatesQuery)))
const fieldsQuery = Schema.Struct({ fields: MessagingApi.templatesQuery.fields })
const templateId = argument("templateId", MessagingApi.PlatformDigits)
const body = Fields.json(jsonObject, maxContentKib)

const named = Schema.Struct({ name: TemplateName, id: Fields.optional(MessagingApi.PlatformDigits) })

export const templatesFacade = (method: Method): TemplatesFacade => {
  const one = [accountId, phoneNumberId, templateId] as const
  return {
    read: method([accountId, phoneNumberId, options(templatesQuery, "query"), callOptions], (tenantId, number, query) =>
      Templates.use((t) => t.list(tenantId, number, MessagingApi.asTexts(query)))
    ),
    create: method([accountId, phoneNumberId, argument("template", body), callOptions], (tenantId, number, template) =>
      Templates.use((t) => t.create(tenantId, number, template))
    ),
    get: method([...one, options(fieldsQuery, "query"), callOptions], (tenantId, number, id, query) =>
      Templates.use((t) => t.get(tenantId, number, id, MessagingApi.asTexts(query)))
    ),
    change: method([...one, argument("change", body), callOptions], (tenantId, number, id, change) =>
      Templates.use((t) => t.change(tenantId, number, id, change))
    ),
    delete: method([accountId, phoneNumberId, record("template", named), callOptions], (tenantId, number, given) =>
      Templates.use((t) => t.remove(tenantId, number, { name: given.name, id: given.id ?? null }))
    ),
    unpause: method([...one, callOptions], (tenantId, number, id) =>
      Templates.use((t) => t.unpause(tenantId, number, id))
    ),
    uploadExample: method(
      [accountId, phoneNumberId, fileOf(maxExampleBytesOf), callOptions],
      (tenantId, number, file) => Templates.use((t) => t.keepExample(tenantId, number, file))
    )
  }
}
