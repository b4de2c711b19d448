import { expect, it } from "vitest"
import { started } from "../../minimal-express/test/Started.ts"
import { allowed, everybodyAt } from "./SignedIn.ts"

// Verifies: D-227.
it("the sign-in example for Express lets its own users do what the host says", async () => {
  const { stop, url } = await started(new URL("../app.ts", import.meta.url), {
    environment: { SESSION_SECRET: "a secret" },
    ready: /port: \d+/
  })
  expect(await everybodyAt(url)).toEqual(allowed)
  expect(await (await fetch(`${url}/phone/dashboard`)).text()).toContain("<title>Example</title>")
  expect(await stop()).toBe(0)
})
