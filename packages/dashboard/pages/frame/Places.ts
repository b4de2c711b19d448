/** The pages in the order of the navigation: their place, their name, and who has them. */

import type { Me } from "@trunkline/client"
import type { IconName } from "../parts/Icons.tsx"
import { say } from "./Say.ts"
import { settings } from "./Settings.ts"

export interface Place {
  /** The first part of the place: `campaigns` of `#/campaigns`. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  /** The area of the product that it needs, or one of several; null where none. */
  readonly area: string | ReadonlyArray<string> | null
  /** The scope that it needs, or one of several; null where every person has it. */
  readonly scope: string | ReadonlyArray<string> | null
  /** Every role has it, whatever its scopes. */
  readonly everyRole?: true
  /** Left out where people sign in elsewhere. */
  readonly needsSignIn?: true
  /** Left out of the navigation, because it is reached in another way. */
  readonly isApart?: true
}

export const places: ReadonlyArray<Place> = [
  { name: "start", title: say("start.heading"), icon: "start", area: null, scope: null },
  { name: "campaigns", title: say("campaigns.heading"), icon: "campaigns", area: "calling", scope: "campaigns:read" },
  {
    name: "preview",
    title: say("preview.heading"),
    icon: "preview",
    area: "calling",
    scope: "campaigns:write"
  },
  { name: "calls", title: say("calls.heading"), icon: "calls", area: "calling", scope: "calls:read" },
  { name: "do-not-call", title: say("dnc.heading"), icon: "ban", area: "calling", scope: "campaigns:read" },
  { name: "contacts", title: say("contacts.heading"), icon: "book", area: "calling", scope: "contacts:read" },
  { name: "inbox", title: say("inbox.heading"), icon: "inbox", area: "messaging", scope: "messaging:read" },
  { name: "agents", title: say("agents.heading"), icon: "agent", area: "agents", scope: "messaging:read" },
  {
    name: "numbers",
    title: say("numbers.heading"),
    icon: "numbers",
    area: ["calling", "messaging"],
    scope: ["calls:read", "messaging:read", "campaigns:read"]
  },
  { name: "webhooks", title: say("webhooks.heading"), icon: "webhooks", area: "webhooks", scope: "webhooks:write" },
  {
    name: "alerts",
    title: say("alerts.heading"),
    icon: "alerts",
    area: "voice",
    scope: "webhooks:write",
    everyRole: true
  },
  { name: "keys", title: say("keys.heading"), icon: "key", area: null, scope: "keys:manage" },
  { name: "usage", title: say("usage.heading"), icon: "usage", area: null, scope: "usage:read" },
  { name: "members", title: say("members.heading"), icon: "people", area: null, scope: null, needsSignIn: true },
  { name: "audit", title: say("audit.heading"), icon: "audit", area: null, scope: "audit:read" },
  { name: "me", title: say("account.heading"), icon: "account", area: null, scope: null, isApart: true }
]

export type Access = "open" | "absent" | "forbidden"

const hasOne = (present: ReadonlyArray<string>, wanted: Place["area"]): boolean =>
  wanted === null || [wanted].flat().some((one) => present.includes(one))

/** Whether a place is there at all, and for this person. */
export const accessTo = (name: string, me: Me): Access => {
  const place = places.find((one) => one.name === name)
  if (place === undefined || settings.hidden.includes(name)) return "absent"
  if (place.needsSignIn === true && !settings.sign_in) return "absent"
  if (!hasOne(settings.areas, place.area)) return "absent"
  if (place.everyRole === true && me.role !== null) return "open"
  return hasOne(me.scopes, place.scope) ? "open" : "forbidden"
}

/** True where a link may lead there. */
export const isOpen = (name: string, me: Me): boolean => accessTo(name, me) === "open"

/** The page of a name, as links take it. */
export const pageOf = (name: string) => `/${name}` as "/start"
