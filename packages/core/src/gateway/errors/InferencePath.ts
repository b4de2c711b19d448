/** Paths of inference: which they are, and how client libraries write them. Source: docs/reference/gateway.md#clients. */

/** Some client libraries request the inference routes below this path. */
const alias = "/openai"
const models = "/v1/models/"

/** True of the routes whose errors are in the envelope of inference. */
export const isInference = (path: string): boolean => path.startsWith("/v1/") || path.startsWith(`${alias}/v1/`)

const messages = "/v1/messages"

/** True of the messages API, whose errors and headers are in a form of its own; also of a path that is none of the contract's. */
export const isMessages = (path: string): boolean => {
  const own = contractPath(path)
  return own === messages || own.startsWith(`${messages}/`)
}

/**
 * The path as the contract has it: without the alias, and with a model's id as one segment, because some client libraries
 * do not encode the slashes of an id.
 */
export const contractPath = (path: string): string => {
  const own = path.startsWith(`${alias}/v1/`) ? path.slice(alias.length) : path
  return own.startsWith(models) ? models + withOneSegment(own.slice(models.length)) : own
}

/** How routers write a path of the contract: at the alias too, and with the rest of the path as a model's id. */
export const patternsOf = (path: string): ReadonlyArray<string> => {
  const pattern = path.startsWith(`${models}:`) ? `${models}*` : path
  return [pattern, `${alias}${pattern}`]
}

/** A slash at the end is not part of the id. */
const withOneSegment = (id: string): string => {
  let end = id.length
  while (id[end - 1] === "/") end -= 1
  return id.slice(0, end).replaceAll("/", "%2F") + id.slice(end)
}
