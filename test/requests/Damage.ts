/** One thing wrong with a request that was in order: a value, a bound, a number's spelling, the bytes of a body. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import type { Json, Operation, Schema } from "./Description.ts"
import { type Source, uuid } from "./Values.ts"

const oddValues: ReadonlyArray<readonly [what: string, value: unknown]> = [
  ["null", null],
  ["an object", {}],
  ["a list", []],
  ["a list of lists", [[[[]]]]],
  ["true", true],
  ["an empty text", ""],
  ["blanks", "   "],
  ["a number", 1],
  ["a number in a text", "1"],
  ["minus one", -1],
  ["a fraction", 1.5],
  ["beyond whole numbers", 2 ** 53 + 2],
  ["the greatest number", 1.7e308],
  ["a NUL", "a\u0000b"],
  ["half a pair", "\ud83d"],
  ["turned text", "\u202eabc"],
  ["markup", "<script>alert(1)</script>"],
  ["a path", "../../etc/passwd"],
  ["an unknown id", "00000000-0000-7000-8000-000000000000"],
  ["a long text", "x".repeat(70_000)]
]

const bounds = (given: Schema, { description }: Source): ReadonlyArray<readonly [string, unknown]> => {
  const schema = description.resolve(given)
  const found = [schema, ...(schema.anyOf ?? [])].map((one) => description.resolve(one))
  return found.flatMap(({ maxItems, maxLength, maximum, minLength, minimum }) => [
    ...(maximum === undefined ? [] : [["maximum", maximum] as const, ["above the maximum", maximum + 1] as const]),
    ...(minimum === undefined ? [] : [["minimum", minimum] as const, ["below the minimum", minimum - 1] as const]),
    ...(maxLength === undefined
      ? []
      : [["longest", "x".repeat(maxLength)] as const, ["too long", "x".repeat(maxLength + 1)] as const]),
    ...(minLength === undefined || minLength === 0 ? [] : [["too short", "x".repeat(minLength - 1)] as const]),
    ...(maxItems === undefined ? [] : [["too many", Array.from({ length: maxItems + 1 }, () => ({}))] as const])
  ])
}

/** The body with one field changed, and what was done. */
export const damagedBody = (json: Json, given: Schema, source: Source): readonly [fault: string, json: unknown] => {
  const { random } = source
  const schema = source.description.resolve(given)
  const names = Object.keys(schema.properties ?? json)
  const chance = random()
  if (chance < 0.06) return ["no object", oneOf(random, [null, [], "text", 1, [json]])]
  if (chance < 0.12)
    return ["odd keys", { ...json, constructor: 1, toString: [], "": {}, "\u0000": 1, ["__proto__"]: 1 }]
  if (names.length === 0) return ["another field", { ...json, other: 1 }]
  const name = oneOf(random, names)
  if (chance < 0.22) {
    const { [name]: _, ...others } = json
    return [`without ${name}`, others]
  }
  if (chance < 0.3) return ["another field", { ...json, [`${name}_`]: 1, id: uuid(random), tenant_id: uuid(random) }]
  const values =
    chance < 0.6 ? [...bounds(schema.properties?.[name] ?? {}, source), ...oddValues.slice(0, 4)] : oddValues
  const [what, value] = oneOf(random, values)
  return [`${name} is ${what}`, { ...json, [name]: value }]
}

type Headers = Readonly<Record<string, string>>

/** The bytes of a body changed, and the headers that change with them. */
export const damagedText = (body: Buffer, random: Random): readonly [fault: string, body: Buffer, headers: Headers] =>
  oneOf<readonly [string, Buffer, Headers]>(random, [
    ["cut off", body.subarray(0, whole(random, 0, body.length - 1)), {}],
    ["empty", Buffer.alloc(0), {}],
    ["with a mark of its order", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]), {}],
    ["in UTF-16", Buffer.from(body.toString(), "utf16le"), {}],
    ["no UTF-8", Buffer.concat([body.subarray(0, -1), Buffer.from([0xff, 0xfe, 0x7d])]), {}],
    ["a comma too much", Buffer.concat([body.subarray(0, -1), Buffer.from(",}")]), {}],
    ["twice", Buffer.concat([body, body]), {}],
    ["a key twice", Buffer.from(body.toString().replace("{", '{"name":1,"name":"x",')), {}],
    ["as text", body, { "content-type": "text/plain" }],
    ["of no type", body, { "content-type": "" }],
    ["as a form", body, { "content-type": "multipart/form-data" }],
    ["with another charset", body, { "content-type": "application/json; charset=utf-16" }],
    ["said to be compressed", body, { "content-encoding": "gzip" }],
    ["said to be twice compressed", body, { "content-encoding": "br, gzip" }],
    ["NaN", Buffer.from(body.toString().replace(/:[^,}]+/, ":NaN")), {}],
    ["a number of 100,000 digits", Buffer.from(body.toString().replace("{", `{"zz":${"9".repeat(100_000)},`)), {}]
  ])

/** Spellings of a number that are none of digits alone. */
export const oddNumbers = [
  "1e1",
  "1.0",
  "-0",
  "+5",
  "007",
  " 5",
  "5 ",
  "0x10",
  "٣",
  "",
  "Infinity",
  "1_0",
  "5,",
  "%35%00"
]

type Query = ReadonlyArray<readonly [string, string]>

/** The query with one parameter changed. */
export const damagedQuery = (
  { parameters, path }: Operation,
  query: Query,
  { random }: Source
): readonly [fault: string, query: Query, right?: ReadonlyArray<number>] => {
  const numbers = parameters.filter(({ in: where, schema }) => where === "query" && schema.type === "integer")
  const other = parameters.filter(({ in: where }) => where === "query")
  const others = (name: string) => query.filter(([one]) => one !== name)
  const chance = random()
  if (numbers.length > 0 && chance < 0.5) {
    const { name } = oneOf(random, numbers)
    const value = oneOf(random, oddNumbers)
    return [
      `${name}=${value}`,
      [...others(name), [name, value]],
      path.startsWith("/v1/") ? [400, 403, 404, 422] : [403, 404, 422]
    ]
  }
  if (other.length > 0 && chance < 0.8) {
    const { name } = oneOf(random, other)
    const value = oneOf(random, [
      "",
      "x".repeat(3000),
      "\u0000",
      "null",
      "[]",
      "-1",
      "99999999999999999999",
      "\ud83d\ude00",
      "a&b=c"
    ])
    return [`${name} is odd`, [...others(name), [name, value]]]
  }
  return ["parameters that are not there", [...query, ["other", "1"], ["__proto__", "1"], ["limit[]", "1"]]]
}
