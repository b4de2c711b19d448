/** What the people of the sign-in examples may do: the statuses of reading and of creating a campaign. */

const json = { "content-type": "application/json" }

export const mayDo = async (ask: (init: RequestInit) => Promise<Response>, cookie: string) => {
  const read = await ask({ method: "GET", headers: { cookie } })
  const made = await ask({ method: "POST", headers: { ...json, cookie }, body: '{"name":"Renewals"}' })
  return [read.status, made.status]
}

/** Asks an example that listens, with the cookies that its sign-in gives. */
export const everybodyAt = async (url: string) => {
  const cookieOf = async (name: string): Promise<string> => {
    const answer = await fetch(`${url}/sign-in`, { method: "POST", headers: json, body: JSON.stringify({ name }) })
    return answer.headers.get("set-cookie")?.split(";")[0] ?? ""
  }
  const ask = (init: RequestInit) => fetch(`${url}/phone/api/v1/voice-campaigns`, init)
  return {
    ann: await mayDo(ask, await cookieOf("ann")),
    bob: await mayDo(ask, await cookieOf("bob")),
    stranger: await mayDo(ask, await cookieOf("eve"))
  }
}

/** An owner, a person with a scope for reading, and nobody. */
export const allowed = { ann: [200, 201], bob: [200, 403], stranger: [401, 401] }
