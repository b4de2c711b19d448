/** Names that a vendor may choose: docs/reference/configuration.md#brand. Verifies: HOST-2. */
import type { Brand } from "@trunkline/core/provider"
import { neutralBrand } from "@trunkline/core/testing"
import { describe, expect, it } from "vitest"
import { brandFaults, makeApi } from "../../../src/host/index.ts"

const faults = (brand: Partial<Brand>) => brandFaults({ ...neutralBrand, ...brand })

describe("a brand", () => {
  it("may call the fields of the channel anything that is no other field's name", () => {
    expect(faults({})).toEqual([])
    expect(faults({ messageIdField: "wamid", messageIdsField: "wamids", userIdField: "wa_id" })).toEqual([])
    for (const name of ["id", "text", "phone", "to", "contacts", "conversation_id", "input", "error"]) {
      for (const field of ["messageIdField", "messageIdsField", "userIdField"]) {
        expect(faults({ [field]: name }), `${field} ${name}`).toEqual([
          `the field name ${name} is already that of another field: choose another`
        ])
      }
    }
  })

  it("has a name and a description that are not empty, and addresses of the web", () => {
    expect(
      faults({ name: "Acme", description: "x", url: "https://acme.example", logo: "http://acme.example/l" })
    ).toEqual([])
    expect(faults({ name: " ", description: "", url: "acme.example", logo: "javascript:alert(1)" })).toEqual([
      "the name must not be empty: leave it out instead",
      "the description must not be empty: leave it out instead",
      "the url must be a URL that begins with https:// or http://",
      "the logo must be a URL that begins with https:// or http://"
    ])
  })

  it("without faults has a contract", () => {
    const names = { messageIdField: "wamid", messageIdsField: "wamids", userIdField: "wa_id", channel: "chat" }
    expect(faults(names)).toEqual([])
    expect(() => makeApi({ ...neutralBrand, ...names })).not.toThrow()
    expect(() => makeApi({ ...neutralBrand, userIdField: "phone" })).toThrow()
  })
})
