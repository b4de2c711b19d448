/** What the fake of the chat platform does when it is in good order: messages, files, templates and the reply window. */
import { sampleBusinessAccount, sampleNumber } from "./InboundBodies.ts"
import { type Json, type PlatformRequest, recipientOf } from "./PlatformRequest.ts"

/** A message that the platform has accepted. */
export interface PlatformMessage {
  readonly id: string
  readonly phoneNumberId: string
  /** The phone or the user ref. */
  readonly to: string
  readonly body: Json
  readonly at: number
}

/** A template as it was sent. */
export interface SentTemplate {
  /** The phone or the user ref. */
  readonly to: string
  readonly name: string
  readonly language: string
  readonly components: ReadonlyArray<Json>
  /** What comes back in reports; null where the message has none. */
  readonly ref: string | null
  readonly at: number
}

/** What a message of the type `template` says; null for every other type. */
export const sentTemplate = ({ at, body, to }: PlatformMessage): SentTemplate | null => {
  if (body.type !== "template") return null
  // The fake looks at the type of a message, and not into its template.
  const { components, language, name } = body.template as {
    readonly name: string
    readonly language: { readonly code: string }
    readonly components?: ReadonlyArray<Json>
  }
  const ref = body.biz_opaque_callback_data
  return {
    to,
    name,
    language: language.code,
    components: components ?? [],
    ref: ref === undefined ? null : String(ref),
    at
  }
}

export interface PlatformFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** How long an address of a file is good, in milliseconds. */
const addressLives = 5 * 60_000

const windowMs = 24 * 3_600_000

/** The status that a code has on the platform. Everything else is 400. */
const statuses: ReadonlyArray<readonly [status: number, codes: ReadonlyArray<number>]> = [
  [401, [0, 190]],
  [403, [10, 200, 368, 130497, 131005, 131031]],
  [404, [132001]],
  [500, [3, 131000, 131016, 131045, 131057, 133000]],
  [503, [2, 133004]]
]

/** The status that the platform gives a code. */
export const statusOfCode = (code: number): number => statuses.find(([, codes]) => codes.includes(code))?.[0] ?? 400

/** An error in the platform's shape. */
export const platformError = (code: number | null, message = "leaky words", details = "leaky details"): Json => ({
  error: {
    message: `(#${code}) ${message}`,
    type: "OAuthException",
    ...(code === null ? {} : { code }),
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "AbCdEf123"
  }
})

/** An answer. A body that is not text or bytes is sent as JSON. */
export interface Done {
  readonly status: number
  readonly body: unknown
  readonly type?: string
}

const ok = (body: unknown): Done => ({ status: 200, body })
const no = (code: number, message: string, details?: string): Done => ({
  status: statusOfCode(code),
  body: platformError(code, message, details)
})

const chatOf = (phoneNumberId: string, customer: string) => `${phoneNumberId} ${customer.replace(/^\+/, "")}`

export interface PlatformServiceOptions {
  /** Tokens that are let in; any where none are named. */
  readonly tokens: ReadonlyArray<string> | undefined
  readonly product: string
  readonly root: string
  readonly origin: () => string
  readonly now: () => number
  /** Runs once a message is accepted. */
  readonly accepted: (message: PlatformMessage) => void
}

export class PlatformService {
  readonly messages: Array<PlatformMessage> = []
  readonly #messages = new Map<string, PlatformMessage>()
  readonly marked: Array<{ readonly id: string; readonly typing: boolean }> = []
  readonly subscribed = new Set<string>()
  /** Ids of the numbers of each business account. */
  readonly numbers = new Map<string, ReadonlyArray<string>>([[sampleBusinessAccount, [sampleNumber.phoneNumberId]]])
  readonly files = new Map<string, PlatformFile>()
  readonly templates: Array<Json> = []
  /** Flows by their ids, and the files with their screens. */
  readonly flows = new Map<string, Json>()
  readonly screens = new Map<string, string>()
  /** Public keys of numbers, by the numbers' ids. */
  readonly flowKeys = new Map<string, string>()
  /** What it says of numbers, by their ids, beside their ids. */
  readonly facts = new Map<string, Json>()
  /** What it counts of business accounts, by their ids, beside their ids. */
  readonly counts = new Map<string, Json>()
  readonly templateCounts: Array<Json> = []
  readonly profiles = new Map<string, Json>()
  /** What customers see of every number's catalog. */
  readonly commerce: Record<string, boolean> = { is_cart_enabled: false, is_catalog_visible: true }
  /** Configurations of payments, in its words. */
  readonly configurations: Array<Json> = []
  /** What it says of payments, in its words. */
  readonly payments: Array<Json> = []
  /** Users that it refuses to block. */
  readonly unblockable = new Set<string>()
  enforcesWindow = false
  /** What addresses of files are instead of the fake's own. */
  fileUrl: ((id: string) => string) | null = null
  /** By what they end in: which file, and until when. */
  readonly #addresses = new Map<string, { readonly id: string; readonly until: number }>()
  readonly #wrote = new Map<string, number>()
  readonly #options: PlatformServiceOptions
  #ids = 0

  constructor(options: PlatformServiceOptions) {
    this.#options = options
  }

  #nextId(): number {
    this.#ids += 1
    return this.#ids
  }

  /** The customer has written to the number at an instant. */
  wroteAt(phoneNumberId: string, customer: string, at: number): void {
    this.#wrote.set(chatOf(phoneNumberId, customer), at)
  }

  expireAddresses(): void {
    this.#addresses.clear()
  }

  #isClosed({ body, id }: PlatformRequest): boolean {
    if (!this.enforcesWindow || body?.type === "template") return false
    return (
      this.#options.now() - (this.#wrote.get(chatOf(id, recipientOf(body))) ?? Number.NEGATIVE_INFINITY) >= windowMs
    )
  }

  /** What is wrong with a message. */
  #faultOf(request: PlatformRequest): Done | null {
    const { body } = request
    if (body?.messaging_product !== this.#options.product)
      return no(100, "Invalid parameter", "messaging_product is not valid")
    if (request.route === "read") return null
    if (recipientOf(body) === "") return no(131008, "Required parameter is missing", "to or recipient is required")
    const type = typeof body.type === "string" ? body.type : "text"
    const content = body[type]
    if (typeof content !== "object" || content === null) return no(131008, "Required parameter is missing", type)
    if (type === "text" && String((content as Json).body ?? "").length > 4096) {
      return no(100, "Invalid parameter", "text.body is too long")
    }
    return this.#isClosed(request) ? no(131047, "Re-engagement message", "more than 24 hours have passed") : null
  }

  /** A message that was accepted, by its id. */
  message(id: string): PlatformMessage | undefined {
    return this.#messages.get(id)
  }

  #accept({ at, body, id }: PlatformRequest, messageStatus: string | undefined): Done {
    const to = recipientOf(body)
    const message: PlatformMessage = {
      id: `wamid.FAKE${String(this.#nextId()).padStart(8, "0")}==`,
      phoneNumberId: id,
      to,
      body: body ?? {},
      at
    }
    this.messages.push(message)
    this.#messages.set(message.id, message)
    this.#options.accepted(message)
    const digits = to.replace(/\D/g, "")
    return ok({
      messaging_product: this.#options.product,
      contacts: [body?.to === undefined ? { input: to, user_id: to } : { input: to, wa_id: digits }],
      messages: [{ id: message.id, ...(messageStatus === undefined ? {} : { message_status: messageStatus }) }]
    })
  }

  #mediaInfo(id: string): Done {
    const file = this.files.get(id)
    if (file === undefined) return no(100, "Unsupported get request", "the object does not exist")
    return ok({
      url: this.#addressOf(id),
      mime_type: file.contentType,
      sha256: "",
      file_size: file.bytes.length,
      id,
      messaging_product: this.#options.product
    })
  }

  /** Where a file is for some minutes. */
  #addressOf(id: string): string {
    const end = `${id}-${this.#nextId()}`
    this.#addresses.set(end, { id, until: this.#options.now() + addressLives })
    return this.fileUrl?.(id) ?? `${this.#options.origin()}/files/${end}`
  }

  #fileAt(end: string): Done {
    const address = this.#addresses.get(end)
    const file = address !== undefined && address.until > this.#options.now() ? this.files.get(address.id) : undefined
    return file === undefined
      ? { status: 404, body: "gone", type: "text/html" }
      : { status: 200, body: file.bytes, type: file.contentType }
  }

  keep(file: PlatformFile): string {
    const id = String(1_000_000_000 + this.#nextId())
    this.files.set(id, file)
    return id
  }

  #templatesFor({ path, query, token }: PlatformRequest): Done {
    // A name that is asked for may stand anywhere in a template's name, in large or small letters.
    const asked = (query.name ?? "").toLowerCase()
    const fits = this.templates.filter(
      ({ name, status }) => String(name).toLowerCase().includes(asked) && status === (query.status ?? status)
    )
    return this.#page(fits, { path, query, token })
  }

  #numbersOf({ id, path, query, token }: PlatformRequest): Done {
    const ids = this.numbers.get(id)
    if (ids === undefined) return no(100, "Unsupported get request", "the object does not exist")
    const listed = ids.map((id) => ({ id, verified_name: "A business", quality_rating: "GREEN" }))
    return this.#page(listed, { path, query, token })
  }

  #page(all: ReadonlyArray<unknown>, { path, query, token }: Pick<PlatformRequest, "path" | "query" | "token">): Done {
    const from = Number(query.after ?? 0)
    const to = from + Number(query.limit ?? 25)
    // The platform's addresses of further pages have the token in them.
    const more = `${this.#options.origin()}${this.#options.root}${path}?limit=${to - from}&after=${to}&access_token=${token}`
    return ok({
      data: all.slice(from, to),
      paging: { cursors: { before: String(from), after: String(to) }, ...(to < all.length ? { next: more } : {}) }
    })
  }

  #createTemplate({ body }: PlatformRequest): Done {
    const { category, components, language, name } = body ?? {}
    if (![category, components, language, name].every((one) => one !== undefined)) return no(100, "Invalid parameter")
    const template = { ...body, id: String(this.#nextId()), status: "PENDING" }
    this.templates.push(template)
    return ok({ id: template.id, status: template.status, category })
  }

  /** A business account, a number or a template, by its id. */
  #object({ id }: PlatformRequest): Done {
    const counts = this.counts.get(id)
    if (counts !== undefined) return ok({ ...counts, id })
    const template = this.templates.find((one) => one.id === id) ?? this.flows.get(id)
    if (template !== undefined) return ok(template)
    const isNumber = [...this.numbers.values()].flat().includes(id)
    return isNumber
      ? ok({ ...this.facts.get(id), id })
      : no(100, "Unsupported get request", "the object does not exist")
  }

  #profileOf({ id }: PlatformRequest): Done {
    return ok({ data: [{ messaging_product: this.#options.product, ...this.profiles.get(id) }] })
  }

  /** Where some of the users are refused, the answer is an error that names all of them. */
  #blocking({ body, route }: PlatformRequest): Done {
    const asked = (Array.isArray(body?.block_users) ? body.block_users : []) as ReadonlyArray<Json>
    const users = asked.map((one) => String(one.user ?? one.user_id))
    const done = users
      .filter((user) => !this.unblockable.has(user))
      .map((input) => ({ input, wa_id: input.replace(/\D/g, "") }))
    const failed = users
      .filter((user) => this.unblockable.has(user))
      .map((input) => ({ input, errors: [{ code: 131047, message: "Re-engagement required" }] }))
    const block_users = {
      [route === "block" ? "added_users" : "removed_users"]: done,
      ...(failed.length === 0 ? {} : { failed_users: failed })
    }
    const said = { messaging_product: this.#options.product, block_users }
    return failed.length === 0 ? ok(said) : { status: 400, body: { ...platformError(139100), ...said } }
  }

  #removeTemplates({ query: { hsm_id, name } }: PlatformRequest): Done {
    const kept = this.templates.filter((one) => one.name !== name || (hsm_id !== undefined && one.id !== hsm_id))
    this.templates.splice(0, this.templates.length, ...kept)
    return ok({ success: true })
  }

  #createFlow({ body }: PlatformRequest): Done {
    const { categories, flow_json, name } = body ?? {}
    if (typeof name !== "string" || !Array.isArray(categories)) return no(100, "Invalid parameter")
    const id = String(this.#nextId())
    this.flows.set(id, { id, name, categories, status: "DRAFT" })
    const bytes = new TextEncoder().encode(typeof flow_json === "string" ? flow_json : "{}")
    this.screens.set(id, this.keep({ bytes, contentType: "application/json" }))
    return ok({ id, success: true, validation_errors: [] })
  }

  #saveScreens({ form, id }: PlatformRequest): Done {
    if (form?.fields.asset_type !== "FLOW_JSON" || form.file === null) return no(100, "Invalid parameter")
    this.screens.set(id, this.keep({ bytes: form.file.bytes, contentType: form.file.type }))
    return ok({ success: true, validation_errors: [] })
  }

  /** What is asked for of flows; null for nothing of it. */
  #ofFlows(request: PlatformRequest): Done | null {
    const { form, id, route } = request
    switch (route) {
      case "flows":
        return this.#page([...this.flows.values()], request)
      case "createFlow":
        return this.#createFlow(request)
      case "flowAssets":
        return ok({ data: [{ asset_type: "FLOW_JSON", download_url: this.#addressOf(this.screens.get(id) ?? "") }] })
      case "saveFlowAsset":
        return this.#saveScreens(request)
      case "setFlowKey":
        this.flowKeys.set(id, form?.fields.business_public_key ?? "")
        return ok({ success: true })
      case "flowKey":
        return ok({
          data: [{ business_public_key: this.flowKeys.get(id), business_public_key_signature_status: "VALID" }]
        })
      case "publishFlow":
      case "deprecateFlow":
        return ok({ success: true })
      case "removeObject":
        return this.flows.delete(id) ? ok({ success: true }) : no(100, "Unsupported get request", "no such object")
      default:
        return null
    }
  }

  /** What else of numbers and templates is asked for; null for nothing of it. */
  #managed(request: PlatformRequest): Done | null {
    switch (request.route) {
      case "object":
        return this.#object(request)
      case "profile":
        return this.#profileOf(request)
      case "changeProfile": {
        const { messaging_product: _, ...change } = request.body ?? {}
        this.profiles.set(request.id, { ...this.profiles.get(request.id), ...change })
        return ok({ success: true })
      }
      case "blocked":
        return ok({ data: [{ block_users: [] }] })
      case "block":
      case "unblock":
        return this.#blocking(request)
      case "templateCounts":
        return this.#page(this.templateCounts, request)
      case "removeTemplate":
        return this.#removeTemplates(request)
      case "commerce":
        return ok({ data: [{ id: "2400", ...this.commerce }] })
      case "changeCommerce":
        for (const [name, value] of Object.entries(request.query)) this.commerce[name] = value === "true"
        return ok({ success: true })
      case "catalogs":
      case "products":
        return ok({ data: [{ id: "2400" }] })
      case "configurations":
        return ok({ data: [{ payment_configurations: this.configurations }] })
      case "configuration": {
        const name = decodeURIComponent(request.path.split("/").at(-1) ?? "")
        const found = this.configurations.filter((one) => one.configuration_name === name)
        return ok({ data: found })
      }
      case "payment": {
        const reference = decodeURIComponent(request.path.split("/").at(-1) ?? "")
        return ok({ payments: this.payments.filter((one) => one.reference_id === reference) })
      }
      case "beginUpload":
        return ok({ id: "upload:MTphdHRhY2htZW50OjEy?sig=ARZqkGCA_uQMxC8nHKI" })
      case "fillUpload":
        return ok({ h: "4::aW1hZ2UvcG5n:ARa" })
      case "changeObject":
      case "register":
      case "deregister":
      case "unpauseTemplate":
        return ok({ success: true })
      default:
        return this.#ofFlows(request)
    }
  }

  /** Does what is asked for, in good order. `messageStatus` is what the answer to a send says of the message. */
  serve(request: PlatformRequest, messageStatus?: string): Done {
    const { body, form, id, path, route, token } = request
    if (token === null || token === "" || (this.#options.tokens?.includes(token) ?? true) === false) {
      return no(190, "Error validating access token", "the token has expired")
    }
    if (route === "send" || route === "read") {
      const fault = this.#faultOf(request)
      if (fault !== null) return fault
      if (route === "send") return this.#accept(request, messageStatus)
      this.marked.push({ id: String(body?.message_id), typing: body?.typing_indicator !== undefined })
      return ok({ success: true })
    }
    if (route === "subscribe") {
      this.subscribed.add(id)
      return ok({ success: true })
    }
    if (route === "numbers") return this.#numbersOf(request)
    if (route === "subscriptions") return ok({ data: this.subscribed.has(id) ? [{ id: "app" }] : [] })
    if (route === "upload") {
      const file = form?.file
      if (file === undefined || file === null || form?.fields.messaging_product !== this.#options.product) {
        return no(100, "Invalid parameter", "file and messaging_product are required")
      }
      return ok({ id: this.keep({ contentType: file.type, bytes: file.bytes }) })
    }
    if (route === "mediaInfo") return this.#mediaInfo(id)
    if (route === "file") return this.#fileAt(path.split("/").at(-1) ?? "")
    if (route === "templates") return this.#templatesFor(request)
    if (route === "createTemplate") return this.#createTemplate(request)
    const managed = this.#managed(request)
    if (managed !== null) return managed
    return { status: 404, body: platformError(2500, "Unknown path components") }
  }
}
