/**
 * Finds a list of a request that is longer than the contract allows, without a look at its items. The decoder by itself counts
 * a list when it has decoded all of its elements.
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/** The first list that is too long, as the decoder reports it; null where there is none. */
type FindTooLong = (input: unknown) => SchemaIssue.Issue | null

type List = SchemaAST.Arrays | SchemaAST.Objects

const none: FindTooLong = () => null

/** The id of a check, which is the same for every bound that it is made with. */
export const filterId = ({ annotations }: Pick<SchemaAST.Check<never>, "annotations">): string =>
  String(annotations?.representation?.id)

const lengths: ReadonlySet<string> = new Set([Schema.isMaxLength(0), Schema.isMaxProperties(0)].map(filterId))

type Checks = ReadonlyArray<SchemaAST.Check<unknown>>

const filtersOf = (checks: Checks): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

/** The checks of a list that are about its length. */
export const maximaOf = ({ checks = [] as never }: List): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  filtersOf(checks).filter((filter) => lengths.has(filterId(filter)))

const ownLength = (ast: List): FindTooLong => {
  const maxima = maximaOf(ast)
  return (input) => {
    for (const maximum of maxima) {
      const issue = maximum.run(input, ast, {})
      if (issue !== undefined) return new SchemaIssue.Composite(ast, [new SchemaIssue.Filter(maximum, issue)])
    }
    return null
  }
}

const within = (key: PropertyKey, issue: SchemaIssue.Issue | null): SchemaIssue.Issue | null =>
  issue === null ? null : new SchemaIssue.Pointer([key], issue)

const ofArray = (ast: SchemaAST.Arrays): FindTooLong => {
  const own = ownLength(ast)
  const [element] = ast.rest
  const inside = element === undefined ? none : ofAst(element)
  return (input) => {
    if (!Array.isArray(input)) return null
    let issue = own(input)
    for (let at = 0; inside !== none && issue === null && at < input.length; at++) {
      issue = within(at, inside(input[at]))
    }
    return issue
  }
}

const ofObject = (ast: SchemaAST.Objects): FindTooLong => {
  const own = ownLength(ast)
  const members = ast.propertySignatures.flatMap(({ name, type }) => {
    const inside = ofAst(type)
    return inside === none ? [] : [{ name, inside }]
  })
  if (maximaOf(ast).length + members.length === 0) return none
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return null
    const fields = input as Readonly<Record<PropertyKey, unknown>>
    return members.reduce((issue, { inside, name }) => issue ?? within(name, inside(fields[name])), own(input))
  }
}

const ofUnion = ({ types }: SchemaAST.Union): FindTooLong => {
  const found = types.map(ofAst).filter((inside) => inside !== none)
  if (found.length === 0) return none
  return (input) => found.reduce<SchemaIssue.Issue | null>((issue, inside) => issue ?? inside(input), null)
}

const ofAst = (ast: SchemaAST.AST): FindTooLong => {
  if (SchemaAST.isArrays(ast)) return ofArray(ast)
  if (SchemaAST.isObjects(ast)) return ofObject(ast)
  return SchemaAST.isUnion(ast) ? ofUnion(ast) : none
}

/** Compiled once for a schema, over the form in which its values are sent. */
export const listLengths = (ast: SchemaAST.AST): FindTooLong => ofAst(SchemaAST.toEncoded(ast))
