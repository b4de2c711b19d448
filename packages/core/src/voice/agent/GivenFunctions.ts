/** Functions as clients and configurations describe them. Pure. Source: docs/reference/voice-agent.md#functions. */
import { isObject } from "../../platform/kernel/index.ts"
import type { AgentFunction, FunctionEndpoint } from "./AgentSettings.ts"
import { type Findings, GivenFields } from "./GivenFields.ts"
import { builtInNames } from "./VoiceTools.ts"

const maxFunctions = 64
const maxDescription = 4000
const maxHeaders = 32
const maxHeaderLength = 8192

export const functionName = /^[A-Za-z0-9_-]{1,64}$/
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
/** Visible characters, spaces and tabs: what a header may have. */
const headerValue = /^[\t\x20-\x7e\u0080-\u00ff]*$/
/** These say how the request is sent. */
const ownHeaders = new Set(["host", "content-length", "connection", "transfer-encoding", "upgrade", "expect", "te"])

/** The methods of an endpoint; the first is the default. */
export const methods = ["POST", "GET", "PUT", "PATCH", "DELETE"] as const

/** The functions in a field of an object. `needsEndpoint`: there may be no client to run them. */
export const readFunctions = (
  fields: GivenFields,
  needsEndpoint: boolean
): ReadonlyArray<AgentFunction> | undefined => {
  const seen = new Set<string>()
  return fields.list("functions", maxFunctions, (value, path, findings) => {
    const one = GivenFields.of(value, path, findings)
    if (one === undefined) return undefined
    const name = nameOf(one, seen)
    const read = {
      description: one.text("description", { max: maxDescription }) ?? "",
      parameters: parametersOf(one),
      endpoint: endpointOf(one, findings)
    }
    if (needsEndpoint && one.value("endpoint") === undefined) one.fault("endpoint", "is needed: an object with a url")
    one.ignoreRest()
    return name === undefined ? undefined : { name, ...read }
  })
}

const nameOf = (fields: GivenFields, seen: Set<string>): string | undefined => {
  const name = fields.value("name")
  if (typeof name !== "string" || !functionName.test(name)) {
    return fields.fault("name", "must be 1 to 64 letters, digits, _ or -")
  }
  if (builtInNames.has(name)) return fields.fault("name", `${name} is the name of a built-in tool: choose another one`)
  if (seen.has(name)) return fields.fault("name", `${name} is the name of another function`)
  seen.add(name)
  return name
}

const parametersOf = (fields: GivenFields): AgentFunction["parameters"] => {
  const given = fields.value("parameters")
  if (isObject(given)) return given
  if (given !== undefined) fields.fault("parameters", "must be a JSON schema of an object")
  return { type: "object", properties: {} }
}

const endpointOf = (fields: GivenFields, findings: Findings): FunctionEndpoint | null => {
  const endpoint = fields.object("endpoint")
  if (endpoint === undefined) return null
  const url = endpoint.text("url", { min: 1, max: 2048 })
  const isUrl = url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? "")
  if (!isUrl) endpoint.fault("url", "must be a URL that begins with https://")
  const method = endpoint.value("method") ?? methods[0]
  const known = methods.find((one) => one === String(method).toUpperCase())
  if (known === undefined) endpoint.fault("method", `must be one of ${methods.join(", ")}`)
  const headers = headersOf(endpoint, findings)
  endpoint.ignoreRest()
  return { url: url ?? "", method: known ?? methods[0], headers }
}

const headersOf = (endpoint: GivenFields, { faults }: Findings): Readonly<Record<string, string>> => {
  const given = endpoint.value("headers")
  if (given === undefined) return {}
  if (!isObject(given) || Object.keys(given).length > maxHeaders) {
    endpoint.fault("headers", `must be an object of at most ${maxHeaders} texts`)
    return {}
  }
  const field = `${endpoint.path}.headers`
  for (const [name, value] of Object.entries(given)) {
    if (!headerName.test(name) || ownHeaders.has(name.toLowerCase())) {
      faults.push({ field, message: "has a name that is no header's, or of one that cannot be set" })
    } else if (typeof value !== "string" || value.length > maxHeaderLength || !headerValue.test(value)) {
      faults.push({ field: `${field}.${name}`, message: "must be a text without line breaks" })
    }
  }
  return given as Readonly<Record<string, string>> // every value has been checked; a fault refuses all
}
