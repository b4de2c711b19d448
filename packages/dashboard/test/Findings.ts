/** What axe finds on a page, light and dark, with much and with little room. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

const byLook = ["color-contrast", "target-size", "link-in-text-block"]

/** What a page shows depends on its width: it has drawn itself anew when this ends, and takes the focus from nothing any more. */
const resized = async (page: Page, width: number, height: number): Promise<void> => {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Findings in both schemes at two widths, and what is wider than the narrowest screen. */
export const findings = async (page: Page, state: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const width of [1280, 360])
    for (const colorScheme of ["light", "dark"] as const) {
      await resized(page, width, 800)
      await page.emulateMedia({ colorScheme })
      // What depends on neither the colours nor the room is looked for in two of the four.
      const isWhole = (width === 1280) === (colorScheme === "light")
      // Without frames one page is enough, and no second one is opened for each look.
      const axe = new AxeBuilder({ page }).setLegacyMode(true)
      const { violations } = await (isWhole ? axe.withTags(tags) : axe.withRules(byLook)).analyze()
      found.push(
        ...violations.map(
          ({ id, nodes }) =>
            `${state}, ${colorScheme}, ${width}: ${id} at ${nodes.map(({ html }) => html.slice(0, 140)).join(" | ")}`
        )
      )
    }
  await resized(page, 320, 800)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) found.push(`${state}: wider than 320 by ${over}`)
  await resized(page, 1280, 900)
  return found
}
