import { afterEach, expect, it, vi } from "vitest"
import { allowed, mayDo } from "../../sign-in-express/test/SignedIn.ts"
import { GET, POST } from "../app/phone/[...path]/route.ts"
import { cookieFor, people } from "../auth.ts"
import { register } from "../instrumentation.ts"
import { core } from "../product.ts"

afterEach(async () => {
  vi.unstubAllEnvs()
  await (await core()).stop()
})

it("the sign-in example for Next lets its own users do what the host says", async () => {
  vi.stubEnv("DATABASE_FILE", ":memory:")
  vi.stubEnv("SESSION_SECRET", "a secret")
  vi.stubEnv("ENCRYPTION_KEY", "a key of at least thirty-two characters")
  vi.stubEnv("NEXT_RUNTIME", "nodejs")
  await register()
  const product = await core()
  expect(product.workers().running).toBe(true)
  const { id: accountId } = await product.admin.createAccount({ name: "Example", voiceCampaigns: true })
  people.set("ann", { accountId, subject: "ann", role: "owner" })
  people.set("bob", { accountId, subject: "bob", scopes: ["campaigns:read"] })
  const ask = (init: RequestInit) =>
    (init.method === "GET" ? GET : POST)(new Request("http://localhost/phone/api/v1/voice-campaigns?limit=1", init))
  expect({
    ann: await mayDo(ask, cookieFor("ann")),
    bob: await mayDo(ask, cookieFor("bob")),
    stranger: await mayDo(ask, cookieFor("ann").replace("ann", "bob"))
  }).toEqual(allowed)
})
