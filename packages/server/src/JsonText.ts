/** JSON that people write: syntax errors by line and column, and duplicate keys. Pure. */
import jsonc from "jsonc-parser"

export type Read =
  | { readonly _tag: "Value"; readonly value: unknown }
  | { readonly _tag: "Broken"; readonly faults: ReadonlyArray<string> }

const reasons: Partial<Record<string, string>> = {
  InvalidSymbol: "this is no JSON value",
  ValueExpected: "a value is missing",
  PropertyNameExpected: "a key in double quotes is missing, or there is a comma too many",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace } is missing",
  CloseBracketExpected: "a closing bracket ] is missing",
  EndOfFileExpected: "nothing may follow here",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfString: "a closing quote is missing",
  InvalidCharacter: "this character must be escaped",
  InvalidEscapeCharacter: "there is no such escape"
}

const place = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split("\n")
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** Reads a text. A byte order mark is passed over. */
export const read = (given: string): Read => {
  const text = given.replace(/^\uFEFF/, "")
  try {
    const value: unknown = JSON.parse(text)
    const faults = repeated(text)
    return faults.length === 0 ? { _tag: "Value", value } : { _tag: "Broken", faults }
  } catch (error) {
    return { _tag: "Broken", faults: [broken(text) ?? (error as Error).message] }
  }
}

const broken = (text: string): string | undefined => {
  const errors: Array<jsonc.ParseError> = []
  jsonc.parse(text, errors, { disallowComments: true })
  const first = errors[0]
  if (first === undefined) return undefined
  const reason = reasons[jsonc.printParseErrorCode(first.error)] ?? "this is no JSON"
  return `${place(text, first.offset)}: ${reason}`
}

/** The parser silently drops the first of two keys with one name. */
const repeated = (text: string): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const open: Array<Set<string>> = []
  jsonc.visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, offset) => {
      const names = open.at(-1)!
      if (names.has(name)) faults.push(`${place(text, offset)}: the key ${JSON.stringify(name)} stands twice`)
      names.add(name)
    }
  })
  return faults
}
