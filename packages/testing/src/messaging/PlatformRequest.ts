/** Requests to the fake of the chat platform, read as the platform reads them. */
import type * as Http from "node:http"

export type PlatformRoute =
  | "send"
  | "read"
  | "subscribe"
  | "subscriptions"
  | "numbers"
  | "upload"
  | "mediaInfo"
  | "file"
  | "templates"
  | "templateCounts"
  | "createTemplate"
  | "removeTemplate"
  | "unpauseTemplate"
  | "object"
  | "changeObject"
  | "register"
  | "deregister"
  | "profile"
  | "changeProfile"
  | "blocked"
  | "block"
  | "unblock"
  | "flows"
  | "createFlow"
  | "flowAssets"
  | "saveFlowAsset"
  | "publishFlow"
  | "deprecateFlow"
  | "flowKey"
  | "setFlowKey"
  | "removeObject"
  | "commerce"
  | "changeCommerce"
  | "catalogs"
  | "products"
  | "configurations"
  | "configuration"
  | "payment"
  | "beginUpload"
  | "fillUpload"
  | "unknown"

export type Json = Readonly<Record<string, unknown>>

export interface PlatformRequest {
  readonly route: PlatformRoute
  readonly method: string
  /** Below the base URL; of a file, below the origin. */
  readonly path: string
  /** The id that the path begins with. */
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  /** Of the `Authorization` header, which is `OAuth` for the bytes of an upload; null where it is neither. */
  readonly token: string | null
  /** The JSON object of the body; null where there is none. */
  readonly body: Json | null
  readonly form: {
    readonly fields: Readonly<Record<string, string>>
    readonly file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array } | null
  } | null
  /** When it had arrived as a whole, in milliseconds of UTC. */
  readonly at: number
  /** Connections are counted from 1. */
  readonly connection: number
}

/** The phone comes before the user ref, as on the platform. */
export const recipientOf = (body: Json | null): string => String(body?.to ?? body?.recipient ?? "")

/** What is below an id, by method. */
const below: Readonly<Record<string, Readonly<Record<string, PlatformRoute>>>> = {
  message_templates: { GET: "templates", POST: "createTemplate", DELETE: "removeTemplate" },
  template_analytics: { GET: "templateCounts" },
  unpause: { POST: "unpauseTemplate" },
  register: { POST: "register" },
  deregister: { POST: "deregister" },
  whatsapp_business_profile: { GET: "profile", POST: "changeProfile" },
  block_users: { GET: "blocked", POST: "block", DELETE: "unblock" },
  flows: { GET: "flows", POST: "createFlow" },
  assets: { GET: "flowAssets", POST: "saveFlowAsset" },
  publish: { POST: "publishFlow" },
  deprecate: { POST: "deprecateFlow" },
  whatsapp_business_encryption: { GET: "flowKey", POST: "setFlowKey" },
  whatsapp_commerce_settings: { GET: "commerce", POST: "changeCommerce" },
  product_catalogs: { GET: "catalogs" },
  products: { GET: "products" },
  payment_configurations: { GET: "configurations" },
  uploads: { POST: "beginUpload" }
}

const routeOf = (
  method: string,
  segments: ReadonlyArray<string>,
  body: Json | null,
  hasFields: boolean
): PlatformRoute => {
  const [first = "", part, more, most] = segments
  if (part === "payment_configuration" && method === "GET" && most === undefined) return "configuration"
  if (part === "payments" && method === "GET" && most !== undefined && segments.length === 4) return "payment"
  if (more !== undefined) return "unknown"
  if (part === undefined) {
    if (first.startsWith("upload:")) return method === "POST" ? "fillUpload" : "unknown"
    if (method === "POST") return "changeObject"
    if (method === "DELETE") return "removeObject"
    return method === "GET" ? (hasFields ? "object" : "mediaInfo") : "unknown"
  }
  if (part === "messages" && method === "POST") return body?.status === "read" ? "read" : "send"
  if (part === "subscribed_apps") return method === "POST" ? "subscribe" : "subscriptions"
  if (part === "phone_numbers" && method === "GET") return "numbers"
  if (part === "media" && method === "POST") return "upload"
  return below[part]?.[method] ?? "unknown"
}

const objectOf = (bytes: Buffer): Json | null => {
  try {
    const json: unknown = JSON.parse(bytes.toString())
    return typeof json === "object" && json !== null ? (json as Json) : null // an object: its fields are unknown
  } catch {
    return null
  }
}

/** Forms are read by the language's own parser, which shares no code with the client that wrote them. */
const formOf = async (type: string, bytes: Buffer): Promise<NonNullable<PlatformRequest["form"]>> => {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData()
  const fields: Record<string, string> = {}
  let file: NonNullable<PlatformRequest["form"]>["file"] = null
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value
    else file = { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
  }
  return { fields, file }
}

export const requestOf = async (
  incoming: Http.IncomingMessage,
  bytes: Buffer,
  { at, connection, root }: { readonly root: string; readonly at: number; readonly connection: number }
): Promise<PlatformRequest> => {
  const url = new URL(incoming.url ?? "/", "http://fake")
  const [method, type] = [incoming.method ?? "", incoming.headers["content-type"] ?? ""]
  const isFile = url.pathname.startsWith("/files/")
  const path = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : url.pathname
  const segments = path.split("/").slice(1).map(decodeURIComponent)
  const form = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)
    ? await formOf(type, bytes)
    : null
  const body = form === null ? objectOf(bytes) : null
  const isKnown = isFile || url.pathname.startsWith(`${root}/`)
  return {
    route: isFile ? "file" : isKnown ? routeOf(method, segments, body, url.searchParams.has("fields")) : "unknown",
    method,
    path,
    id: segments[0] ?? "",
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    token: /^(?:Bearer|OAuth) (.*)$/.exec(incoming.headers.authorization ?? "")?.[1] ?? null,
    body,
    form,
    at,
    connection
  }
}
