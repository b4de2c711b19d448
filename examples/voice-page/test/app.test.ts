import { once } from "node:events"
import { expect, it } from "vitest"
import { started } from "../../minimal-express/test/Started.ts"

it("the page is served, a session is made without a key, and its token opens the agent's socket", async () => {
  const { stop, url } = await started(new URL("../app.ts", import.meta.url), { ready: /open the page/ })
  const page = await fetch(url)
  expect(page.headers.get("content-type")).toContain("text/html")
  const html = await page.text()
  expect(html).toContain("v1/agent/converse")
  // A browser asks for no icon, and the caller sees that the microphone is heard.
  expect(html).toContain('<link rel="icon" href="data:," />')
  expect(html).toContain("<meter ")
  const { token } = (await (await fetch(`${url}/session`, { method: "POST" })).json()) as { readonly token: string }
  expect(token).toMatch(/^vst_[A-Za-z0-9]{40}$/)
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/agent/converse`, ["token", token])
  const [{ data }] = (await once(socket, "message")) as [MessageEvent<string>]
  expect(JSON.parse(data)).toMatchObject({ type: "Welcome" })
  expect(socket.protocol).toBe("token")
  // The agent's models are there: this machine hears and speaks.
  socket.send(JSON.stringify({ type: "Settings" }))
  const [applied] = (await once(socket, "message")) as [MessageEvent<string>]
  expect(JSON.parse(applied.data)).toMatchObject({ type: "SettingsApplied" })
  socket.close()
  await once(socket, "close")
  expect(await stop()).toBe(0)
})
