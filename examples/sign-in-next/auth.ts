/** Stands for your own sign-in: with Auth.js it is `const session = await auth()`. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { HostPrincipal } from "@trunkline/core"

/** Each of your customers has an account; a role or scopes say what a person may do. */
export const people = new Map<string, HostPrincipal>()

const sign = (name: string): string =>
  createHmac("sha256", process.env.SESSION_SECRET!).update(name).digest("base64url")

export const cookieFor = (name: string): string => `user=${name}.${sign(name)}; Path=/; HttpOnly; SameSite=Lax`

export const signedIn = async (request: Request): Promise<HostPrincipal | undefined> => {
  const [, name = "", signature = ""] = /(?:^|; )user=(\w+)\.([\w-]+)/.exec(request.headers.get("cookie") ?? "") ?? []
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name))]
  return given.length === expected.length && timingSafeEqual(given, expected) ? people.get(name) : undefined
}
