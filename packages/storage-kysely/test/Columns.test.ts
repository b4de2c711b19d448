/** The column of a field follows from its schema, and what no column can hold is refused: docs/reference/storage.md#seam. */
import { Instant } from "@trunkline/core/storage"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { columnsOf } from "../src/Columns.ts"

const columnOf = (field: Schema.Constraint) => columnsOf({ fields: { field } }).field

describe("the column of a field", () => {
  it.each([
    ["text", Schema.String],
    ["text", Schema.Literals(["draft", "running"])],
    ["int", Schema.Int],
    ["big", Schema.BigInt],
    ["bool", Schema.Boolean],
    ["json", Schema.Array(Schema.String)],
    ["json", Schema.Struct({ name: Schema.String })],
    ["instant", Instant.Iso],
    // A number that is written as text is no instant by that alone.
    ["int", Schema.NumberFromString]
  ] as const)("is of the kind %s", (kind, field) => {
    expect(columnOf(field)).toEqual({ kind, nullable: false })
    expect(columnOf(Schema.NullOr(field))).toEqual({ kind, nullable: true })
  })

  it.each([
    ["a text or a number", Schema.Union([Schema.String, Schema.Int])],
    ["an instant or a number", Schema.Union([Instant.Iso, Schema.Int])],
    ["a literal that is no text", Schema.Literal(1)],
    ["a symbol", Schema.Symbol],
    ["a value of which nothing is known", Schema.Unknown],
    ["nothing but null", Schema.Null]
  ])("is refused where the field holds %s", (_, field) => {
    expect(() => columnOf(field)).toThrow("no column can hold field")
  })
})
