/** Somebody opens a page in a browser; what the browser notes meanwhile fails the test. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and reports that the browser has noted, and addresses that it has asked elsewhere. */
  readonly noted: Array<string>
  /** `#/campaigns`: goes there as the address bar does. */
  readonly go: (place: string) => Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  readonly at: string
  /** False where requests are to fail: then the browser may note that they did. */
  readonly noteAll?: boolean
  /** What the browser takes for the present. */
  readonly time?: number
  /** Signs in at the host, whose cookie the page then has. */
  readonly before?: (context: BrowserContext) => Promise<void>
  /** The origin of the product, where the page is in a frame of another one. */
  readonly origin?: string
}

/** How a report of the page's policy begins. */
const reported = "The policy was violated:"

/** What a browser notes of a request that fails, or is answered so: where a test has it fail, this is no fault of the page. */
const ofRequests =
  /^Failed to load resource: (net::|the server responded)|^TypeError: Failed to fetch dynamically imported module: /

export const visitIn = async (
  browser: Browser,
  use: (visit: Visit) => Promise<void>,
  { at, before, noteAll = true, origin = "", time, ...options }: VisitOptions
): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options })
  context.setDefaultTimeout(300_000)
  if (time !== undefined) await context.clock.setFixedTime(time)
  try {
    await before?.(context)
    const page = await context.newPage()
    const noted: Array<string> = []
    const own = new URL(at).origin
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) noted.push(message.text())
    })
    // The console has most of them: none may be missing.
    await context.addInitScript((text) => {
      addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
        console.error(`${text} ${violatedDirective} ${blockedURI}`)
      )
    }, reported)
    page.on("pageerror", (error) => void noted.push(String(error)))
    page.on("request", (request) => {
      // The issuer of a single sign-on has a page of its own.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return
      if (!/^(data|blob):/.test(request.url()) && ![own, origin].includes(new URL(request.url()).origin))
        noted.push(request.url())
    })
    await page.goto(at)
    const go = async (place: string) => {
      await page.evaluate((hash) => {
        location.hash = hash
      }, place)
    }
    try {
      await use({ page, context, noted, go })
    } catch (error) {
      // Without it a failure says what was waited for, and not what was there.
      console.warn(`the page shows: ${await page.innerText("body").catch(String)}\nnoted: ${noted.join("; ")}`)
      throw error
    }
    const wrong = noteAll ? noted : noted.filter((text) => !ofRequests.test(text))
    if (wrong.length > 0) throw new Error(`The browser has noted: ${wrong.join("; ")}`)
  } finally {
    await context.close()
  }
}
