/** Regular expressions in a file, and which of them are linear by their form. */
import { parseAst } from "vitest/node"

/** The expressions that a file has, as they are written: `/…/flags`, and `new RegExp(…)` with what it is made of. */
export const expressionsOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    const { callee, end, regex, start, type } = node as {
      readonly type?: string
      readonly start: number
      readonly end: number
      readonly regex?: { readonly pattern: string; readonly flags: string }
      readonly callee?: { readonly name?: string }
    }
    if (type === "Literal" && regex !== undefined) found.push(`/${regex.pattern}/${regex.flags}`)
    if ((type === "NewExpression" || type === "CallExpression") && callee?.name === "RegExp") {
      found.push(text.slice(start, end))
    }
    Object.values(node).forEach(walk)
  }
  walk(parseAst(text, { lang: "ts" }))
  return found
}

/**
 * True where no text can make the expression slow: it repeats nothing without a bound, or one thing alone, from the beginning of the
 * text or with nothing before and after it. All others need a row in the table of foreign texts.
 */
export const isLinearByForm = (expression: string): boolean => {
  const [, pattern, flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(expression) ?? []
  if (pattern === undefined) return false
  const plain = pattern.replace(/\\[pPux]\{[^}]*\}|\\u....|\\x..|\\./g, "E").replace(/\[[^\]]*\]/g, "C")
  const repeated = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0
  if (repeated === 0) return true
  if (repeated > 1) return false
  return /^\w[*+]\??$/.test(plain) || (plain.startsWith("^") && !flags.includes("m") && !/[(|]/.test(plain))
}
