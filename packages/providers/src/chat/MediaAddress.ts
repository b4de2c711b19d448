/** Which addresses a file may be fetched from. The platform names them, and the number's token goes along. */
import { lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { AddressPolicy } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import { policyLookup } from "../http/index.ts"

/** `checked`: what the host's name resolves to must be checked, too. */
export interface MediaAddress {
  readonly url: URL
  readonly way: "platform" | "near" | "checked"
}

/** Undefined where it must not be called. Source: docs/reference/messaging.md#platform-media. */
export const mediaAddress = (text: string, base: URL): MediaAddress | undefined => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return undefined
  if (url.origin === base.origin) return { url, way: "platform" }
  if (url.protocol !== "https:") return undefined
  if (url.hostname === base.hostname) return { url, way: "near" }
  return Result.isSuccess(target(url)) ? { url, way: "checked" } : undefined
}

const target = ({ href }: Pick<URL, "href">) => AddressPolicy.readUrl(href, { schemes: "https", exempt: [] })

/** Looks a name up, and lets nobody connect to it unless all of its addresses are public. */
export const checkedLookup = (look: typeof lookup = lookup): LookupFunction =>
  policyLookup((hostname) => target({ href: `https://${hostname}` }), [], look)
