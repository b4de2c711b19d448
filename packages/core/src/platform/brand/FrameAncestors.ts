/** Which pages may show a page of the product in a frame. Pure. Source: docs/reference/webhooks-portal.md#policy. */

/** A page's origin as a policy names it, or a keyword. Characters that could end the directive or the header are refused. */
const source = /^(?:'self'|'none'|https?:\/\/(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::(?:\d+|\*))?)$/

export const isFrameAncestor = (origin: string): boolean => source.test(origin)

/** The origins of other pages among those that may frame one. */
export const foreignAncestors = (origins: ReadonlyArray<string>): ReadonlyArray<string> =>
  origins.filter((one) => !one.startsWith("'"))

/** What is wrong with a list of pages that may frame one, as a sentence; null for one that can be used. */
export const frameAncestorFault = (origins: ReadonlyArray<string>): string | null => {
  const wrong = origins.find((one) => !isFrameAncestor(one))
  if (wrong !== undefined) return `${wrong} is no origin such as https://app.example.com, 'self' or 'none'`
  return origins.length === 0 || (origins.length > 1 && origins.includes("'none'"))
    ? "must have one origin at least, and 'none' only by itself"
    : null
}
