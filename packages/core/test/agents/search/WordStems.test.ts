/** Forms of one word have one stem; words that merely look alike do not. */
import { describe, expect, it } from "vitest"
import { isStopWord } from "../../../src/agents/search/StopWords.ts"
import { fold } from "../../../src/agents/search/TextFolding.ts"
import { stemOf } from "../../../src/agents/search/WordStems.ts"

const stems = (words: string) => new Set(words.split(" ").map((word) => stemOf(fold(word))))

describe("one stem", () => {
  it.each([
    "cancel cancels cancelled canceled cancelling cancellation cancellations",
    "refund refunds refunded refundable",
    "ship ships shipped shipping shipment shipments",
    "subscribe subscribed subscriber subscription subscriptions",
    "prescribe prescription prescriptions",
    "deliver delivers delivered delivery deliveries",
    "activate activated activating activation",
    "change changes changed changing",
    "address addresses",
    "box boxes",
    "size sizes sizing",
    "reply replies replied",
    "pay pays paid paying payment payments",
    "send sends sending sent",
    "knife knives",
    "child children",
    "Rechnung Rechnungen",
    "Lieferung Lieferungen liefern",
    "Bestellung Bestellungen bestellen",
    "Adresse Adressen",
    "devolución devoluciones",
    "pedido pedidos",
    "envío envíos",
    "rembourser remboursement remboursements",
    "पैसा पैसे पैसों",
    "दिन दिनों"
  ])("%s", (words) => {
    expect(stems(words).size).toBe(1)
  })
})

describe("stems of their own", () => {
  it.each([
    "string strong",
    "need speed",
    "date data",
    "custom customer",
    "bus but",
    "order old",
    "king kin",
    "status state"
  ])("%s", (words) => {
    expect(stems(words).size).toBe(words.split(" ").length)
  })

  it("are kept by codes, by short words and by other scripts", () => {
    for (const word of ["ab12ing", "ing", "bed", "返品", "пароль", ""]) expect(stemOf(word)).toBe(word)
  })
})

describe("words that every question has", () => {
  it.each(["the", "How", "können", "WIE", "qué", "où", "क्या", "कैसे", "です", "什么"])("%s", (word) => {
    expect(isStopWord(fold(word))).toBe(true)
  })

  it("leave out what is a thing in another language", () => {
    for (const word of ["hat", "car", "fin", "kettle", "reset", "404"]) expect(isStopWord(word)).toBe(false)
  })
})
