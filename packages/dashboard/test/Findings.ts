/** What axe finds on a page, light and dark, with much and with little room. */
import axe from "axe-core"
import type { Page } from "playwright-core"

const whole = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }

const byColour = { type: "rule", values: ["color-contrast", "link-in-text-block"] }

/** What does not depend on the colours is looked for in one scheme of each width. The page changes from one to the next as seldom as can be. */
const looks = [
  [1280, { light: whole, dark: byColour }],
  [360, { dark: whole, light: byColour }]
] as const

/** What a page shows depends on its width: it has drawn itself anew when this ends, and takes the focus from nothing any more. */
const resized = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Findings in both schemes at two widths, and what is wider than the narrowest screen. */
export const findings = async (page: Page, state: string): Promise<ReadonlyArray<string>> => {
  // The page keeps it until it is loaded anew: to read it for each look cost more than the look.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source)
  const found: Array<string> = []
  for (const [width, schemes] of looks) {
    await resized(page, width)
    for (const [scheme, rules] of Object.entries(schemes)) {
      await page.emulateMedia({ colorScheme: scheme as keyof typeof schemes })
      // Without `resultTypes` each element that is right is described as well.
      const violations = await page.evaluate(async (runOnly) => {
        const { run } = (window as never as { readonly axe: { readonly run: typeof axe.run } }).axe
        const { violations } = await run(document, { runOnly: runOnly as never, resultTypes: ["violations"] })
        return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html.slice(0, 140)).join(" | ")}`)
      }, rules)
      found.push(...violations.map((text) => `${state}, ${scheme}, ${width}: ${text}`))
    }
  }
  await resized(page, 320)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) found.push(`${state}: wider than 320 by ${over}`)
  await resized(page, 1280)
  return found
}
