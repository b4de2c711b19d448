/** Chromium, for tests of pages. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { withoutClock } from "./Clock.ts"

/** The first is Chromium without the windows of a desktop, which costs half as much. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

/** Where it is, or undefined where there is none: `apt-get install chromium-headless-shell`, or its path in `CHROMIUM`. */
export const chromiumPath = [
  process.env.CHROMIUM ?? "",
  chromium.executablePath(),
  ...names.flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)))
].find((path) => path !== "" && existsSync(path))

/**
 * What it leaves out. The first two load two pages of the browser's own for the address bar of each window, which nobody sees: they
 * were a third of what a test of a page costs. The last flag of a name counts: so the others are those that playwright leaves out.
 */
const leftOut = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning"
]

export interface StartedBrowser {
  readonly browser: Browser
  readonly close: () => Promise<void>
}

/** Its temporary files are in a folder of its own: what it has not removed when it ends is removed with it. */
export const startChromium = async (): Promise<StartedBrowser> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-chromium-"))
  const browser = await chromium.launch({
    executablePath: chromiumPath!,
    // As root, Chromium runs only without its sandbox.
    args: ["--no-sandbox", `--disable-features=${leftOut.join()}`],
    env: { ...withoutClock(), TMPDIR: folder }
  })
  const close = async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
  return { browser, close }
}
