/** Addresses of channels, as hosts write them. Pure. */
import { AddressPolicy } from "@trunkline/core/effect"
import * as Result from "effect/Result"

/** Names that only a network of one's own gives. */
const ownName = /^[^.:[\]]+$|\.(internal|local|localhost|lan|home\.arpa)$/

/** True where plain http stays within this machine or a private network. */
const isNear = ({ hostname }: URL): boolean =>
  ownName.test(hostname) ||
  Result.match(AddressPolicy.readUrl(`http://${hostname}`, { schemes: "http-or-https", exempt: [] }), {
    onFailure: ({ reason }) => reason === "address",
    onSuccess: () => false
  })

/** What is wrong with an address that tokens are sent to; undefined where nothing is. */
export const addressFault = (text: string): string | undefined => {
  if (!URL.canParse(text)) return "expected an absolute URL"
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected https or http"
  if (url.username !== "" || url.password !== "") return "expected a URL without credentials"
  if (url.search !== "" || url.hash !== "") return "expected a URL without query and fragment"
  return url.protocol === "http:" && !isNear(url)
    ? "expected https, since tokens would cross a public network in the clear"
    : undefined
}
