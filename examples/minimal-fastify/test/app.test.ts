import { expect, it } from "vitest"
import { started } from "../../minimal-express/test/Started.ts"

it("the minimal fastify example starts, answers requests, and exits with code 0 when it is stopped", async () => {
  const { key, stop, url } = await started(new URL("../app.ts", import.meta.url))
  const campaigns = `${url}/phone/api/v1/voice-campaigns`
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const made = await fetch(campaigns, { method: "POST", headers, body: JSON.stringify({ name: "Renewals" }) })
  expect(made.status).toBe(201)
  expect(await (await fetch(campaigns, { headers })).json()).toMatchObject([{ name: "Renewals", status: "draft" }])
  expect(await (await fetch(url)).text()).toBe("Your own application")
  expect(await stop()).toBe(0)
})
