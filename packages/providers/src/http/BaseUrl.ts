/** Checks the base URLs that hosts configure. Pure. */
import { AddressPolicy } from "@trunkline/core/provider"
import * as Result from "effect/Result"
import type { RequestTarget } from "./OpenRequest.ts"

/** Names that only a private network resolves. */
const privateName = /^[^.:[\]]+$|\.(internal|local|localhost|lan|home\.arpa)$/

const isPrivate = ({ hostname }: URL): boolean =>
  privateName.test(hostname) ||
  Result.match(AddressPolicy.readUrl(`http://${hostname}`, { schemes: "http-or-https", exempt: [] }), {
    onFailure: ({ reason }) => reason === "address",
    onSuccess: () => false
  })

/** The fault of the form of a base URL; undefined for none. */
export const baseUrlFault = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null) return "expected an absolute URL"
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected https or http"
  if (url.username !== "" || url.password !== "") return "expected a URL without credentials"
  if (url.search !== "" || url.hash !== "") return "expected a URL without query and fragment"
  return undefined
}

/** True where plain http would cross a public network. */
export const isPublicPlainHttp = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === "http:" && !isPrivate(url)
}

/** The fault of the base URL of a party that gets tokens; undefined for none. */
export const secretBaseUrlFault = (text: string): string | undefined =>
  baseUrlFault(text) ??
  (isPublicPlainHttp(text) ? "expected https, since tokens would cross a public network in the clear" : undefined)

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, "")

/** Targets of requests below a base URL without query, which is read once. */
export const targetsBelow = (baseUrl: string): ((path: string) => RequestTarget) => {
  const { origin, pathname } = new URL(baseUrl)
  const above = withoutTrailingSlash(pathname)
  return (path) => ({ origin, pathname: above + path, search: "" })
}
