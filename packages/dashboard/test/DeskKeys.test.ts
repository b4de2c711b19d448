/** Single keys at the preview desk. */
import { describe, expect, it } from "vitest"
import { keyOf, orderOf } from "../pages/preview/DeskKeys.ts"

const plain = { altKey: false, code: "", ctrlKey: false, isComposing: false, metaKey: false, repeat: false }
const order = (pressed: Partial<typeof plain> & { readonly key: string }) => orderOf({ ...plain, ...pressed }, 5)

// Verifies: B-402.
describe("keys at the preview desk", () => {
  it("give an order each, in small and in capital letters", () => {
    expect(["c", "s", "n", "d", "C"].map((key) => order({ key }))).toEqual([
      "call",
      "skip",
      "next",
      "do-not-call",
      "call"
    ])
    expect(keyOf("do-not-call")).toBe("d")
    expect(["a", "x", "Enter", " ", "Escape", "Tab"].map((key) => order({ key }))).toEqual(Array(6).fill(null))
  })

  it("choose an outcome by its digit, where there is one", () => {
    expect(["1", "5", "6", "0"].map((key) => order({ key }))).toEqual([0, 4, null, null])
  })

  it("are found by their place on keyboards that write other letters, or digits with the shift key", () => {
    expect(order({ key: "с", code: "KeyC" })).toBe("call")
    expect(order({ key: "&", code: "Digit1" })).toBe(0)
    expect(order({ key: "3", code: "Numpad3" })).toBe(2)
    // On other Latin keyboards what is written counts, wherever the key is.
    expect(order({ key: "j", code: "KeyC" })).toBe(null)
  })

  it("leave what the browser does with modifiers alone, and give one order for each press", () => {
    for (const held of ["ctrlKey", "altKey", "metaKey", "repeat", "isComposing"] as const)
      expect(order({ key: "c", [held]: true }), held).toBe(null)
  })
})
