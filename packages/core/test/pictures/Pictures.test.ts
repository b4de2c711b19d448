/** The pictures of docs/guides/concepts are made from the tables of the code: `npm run docs:pictures` writes them anew. */
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { belongings } from "./Belongings.ts"
import { callLife, campaignLife, contactLife } from "./CampaignLife.ts"
import { dialReasons } from "./DialReasons.ts"
import { box, svgOf } from "./Drawing.ts"
import { messageToReply } from "./MessageToReply.ts"
import { processes } from "./Processes.ts"
import { settlement } from "./Settlement.ts"

const folder = fileURLToPath(new URL("../../../../docs/guides/concepts/", import.meta.url))

const pictures = {
  belongings,
  "campaign-life": campaignLife,
  "call-life": callLife,
  "contact-life": contactLife,
  "dial-reasons": dialReasons,
  "message-to-reply": messageToReply,
  processes,
  settlement
}

describe("the pictures of the concepts", () => {
  it.for(Object.entries(pictures))("%s is the committed one", async ([name, picture]) => {
    await expect(svgOf(picture)).toMatchFileSnapshot(`${folder}${name}.svg`)
  })

  it("are all drawn by this command", () => {
    const committed = readdirSync(folder).flatMap((name) => /^(.+)\.svg$/.exec(name)?.[1] ?? [])
    expect(committed.filter((name) => !(name in pictures))).toEqual([])
  })

  it("cannot have words that do not fit into their box", () => {
    expect(() => box({ x: 0, y: 0, width: 60, height: 20, lines: ["insufficient_balance"] })).toThrow(
      /needs 148 pixels/
    )
  })
})
