/** How an installation dresses the portal page: docs/reference/webhooks-portal.md#theme. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contrast, dashboardSurfaces, themeFaults, themeStyle } from "../../../src/platform/brand/PageTheme.ts"

/** The values of the two schemes that a style sets. */
const valuesOf = (style: string, name: string): readonly [light: string, dark: string] => {
  const [, light = "", dark = ""] = new RegExp(`${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(style) ?? []
  return [light, dark]
}

/** The darker and the lighter surface on which texts stand, in both schemes: see webhooks.css. */
const surfaces = [
  ["#ffffff", "#f6f7f9"],
  ["#15171b", "#1d2026"]
] as const

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)

describe("a theme", () => {
  it("that says nothing changes nothing", () => {
    expect(themeStyle({})).toBe("")
    expect(themeFaults({})).toEqual([])
  })

  // Verifies: E-67.
  it("gives every colour a contrast of 4.5, as a text on the page and under the text of a button", () => {
    fc.assert(
      fc.property(color, (accent) => {
        const style = themeStyle({ accent })
        for (const [scheme, grounds] of surfaces.entries()) {
          const [text, fill, onFill, strong] = ["--accent", "--fill", "--on-fill", "--fill-strong"].map(
            (name) => valuesOf(style, name)[scheme]!
          )
          for (const ground of grounds)
            expect(contrast(text!, ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onFill!, fill!), `${onFill} on ${fill}`).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onFill!, strong!), `${onFill} on ${strong}`).toBeGreaterThanOrEqual(4.5)
        }
      })
    )
  })

  // Verifies: B-110.
  it("gives the dashboard texts with a contrast of 4.5 and buttons with one of 3, whatever the colour is", () => {
    fc.assert(
      fc.property(color, (accent) => {
        const style = themeStyle({ accent }, dashboardSurfaces)
        for (const [scheme, grounds] of [
          ["#ffffff", dashboardSurfaces.light],
          ["#15171b", dashboardSurfaces.dark]
        ].entries()) {
          const [text, fill, onFill, strong] = ["--accent", "--fill", "--on-fill", "--fill-strong"].map(
            (name) => valuesOf(style, name)[scheme]!
          )
          for (const ground of grounds) {
            expect(contrast(text!, ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(4.5)
            for (const button of [fill!, strong!])
              expect(contrast(button, ground), `${button} on ${ground}`).toBeGreaterThanOrEqual(3)
          }
          expect(contrast(onFill!, fill!), `${onFill} on ${fill}`).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onFill!, strong!), `${onFill} on ${strong}`).toBeGreaterThanOrEqual(4.5)
        }
      })
    )
  })

  it("keeps the colour itself where it can be read", () => {
    const style = themeStyle({ accent: "#0A5C36" })
    expect(valuesOf(style, "--accent")[0]).toBe("#0a5c36")
    expect(valuesOf(style, "--fill")).toEqual(["#0a5c36", "#0a5c36"])
    expect(valuesOf(style, "--on-fill")).toEqual(["#ffffff", "#ffffff"])
    expect(valuesOf(themeStyle({ accent: "#ffcc00" }), "--on-fill")).toEqual(["#000000", "#000000"])
  })

  it("sets fonts and the scheme", () => {
    expect(themeStyle({ font: "Inter, system-ui", colorScheme: "light" })).toBe(
      ":root {\n  color-scheme: light;\n  --font: Inter, system-ui;\n}\n"
    )
    expect(themeStyle({ colorScheme: "system" })).toBe(":root {\n  color-scheme: light dark;\n}\n")
  })

  it.each([
    [{ accent: "blue" }, "accent", /#2154c4/],
    [{ accent: "#21" }, "accent", /#2154c4/],
    [{ font: "Inter; } body { display: none" }, "font", /font families/],
    [{ font: "url(https://x)" }, "font", /font families/],
    [{ font: " " }, "font", /font families/],
    [{ font: "x".repeat(201) }, "font", /font families/],
    [{ colorScheme: "night" }, "colorScheme", /"system", "light" or "dark"/],
    [{ logo: "https://example.com/logo.svg" }, "logo", /data:image/],
    [{ logo: 'data:image/svg+xml,<svg onload="x">' }, "logo", /data:image/],
    [{ logo: "data:text/html;base64,AAAA" }, "logo", /data:image/],
    [{ logo: `data:image/png;base64,${"A".repeat(100_000)}` }, "logo", /64 KiB/]
  ])("%j is refused", (theme, key, words) => {
    expect(themeFaults(theme as never)).toEqual([{ key, message: expect.stringMatching(words) }])
  })

  it.each([
    { accent: "#2154C4", font: '"Segoe UI", Inter, sans-serif', colorScheme: "dark" },
    { logo: "data:image/svg+xml;base64,PHN2Zy8+" },
    { logo: "data:image/png;base64,AAAA" }
  ])("%j is accepted", (theme) => {
    expect(themeFaults(theme as never)).toEqual([])
  })

  it("reports every fault at once", () => {
    expect(themeFaults({ accent: "x", font: "{", logo: "y" }).map(({ key }) => key)).toEqual(["accent", "font", "logo"])
  })
})
