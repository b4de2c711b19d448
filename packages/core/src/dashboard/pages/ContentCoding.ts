/** Which form of a file a client gets. Pure. Source: RFC 9110, 12.5.3. */
import type { PageFile } from "./PageFile.ts"

/** The bytes of a file in one form. */
export interface FileForm {
  /** The value of `Content-Encoding`; null where the bytes are the file as it is. */
  readonly coding: "br" | "gzip" | null
  readonly bytes: Uint8Array
  /** The value of `ETag`: each form has one of its own. */
  readonly tag: string
}

/** The weights that a client gives to codings, by their names; `x-gzip` is another name of `gzip`. */
const weightsOf = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith("q="))
      const given = weight === undefined ? 1 : Number(weight.slice(2))
      return [name === "x-gzip" ? "gzip" : name, given >= 0 && given <= 1 ? given : 0] as const
    })
  )

/** The smallest form that the client takes. What it refuses in every form it gets as it is. */
export const formFor = ({ brotli, bytes, digest, gzip }: PageFile, accepted: string | undefined): FileForm => {
  const plain = { coding: null, bytes, tag: `"${digest}"` }
  const weights = weightsOf(accepted ?? "")
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0
  const identity = weights.get("identity") ?? 0
  const compressed = [
    ["br", brotli],
    ["gzip", gzip]
  ] as const
  const forms = compressed
    .flatMap(([coding, made]) => (made === null ? [] : [{ coding, bytes: made, tag: `"${digest}-${coding}"` }]))
    .filter(({ coding }) => weightOf(coding) > 0 && weightOf(coding) >= identity)
    .sort((one, other) => weightOf(other.coding) - weightOf(one.coding))
  return forms[0] ?? plain
}

/** Whether a client has this form already: `If-None-Match` names its tag. Source: RFC 9110, 13.1.2. */
export const isKnown = ({ tag }: FileForm, named: string | undefined): boolean =>
  named !== undefined &&
  (named.trim() === "*" || named.split(",").some((one) => one.trim().replace(/^W\//, "") === tag))
