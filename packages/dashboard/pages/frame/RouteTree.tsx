/** The places of the page, which stand after the sign # of its address. */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent
} from "@tanstack/react-router"
import { CampaignsPage } from "../campaigns/CampaignsPage.tsx"
import { FirstPage } from "../start/FirstPage.tsx"
import { leaving } from "./Arrival.ts"
import { ErrorPage } from "./ErrorPage.tsx"
import { post } from "./FrameMessages.ts"
import { NotAvailable } from "./NotAvailable.tsx"
import { Root } from "./Root.tsx"

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** The texts that a place may have after its question mark; others are dropped. */
const texts =
  <Name extends string>(...names: ReadonlyArray<Name>) =>
  (search: Record<string, unknown>): { readonly [K in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = textOf(search[name])
        return text === undefined ? [] : [[name, text]]
      })
    ) as { readonly [K in Name]?: string }

/** What calls are found by: the words of the API, but for days in the place of instants. */
const callFilters = [
  "phone",
  "status",
  "campaign_id",
  "bot_id",
  "from_number_id",
  "end_reason",
  "answered_by",
  "outcome",
  "since",
  "until"
] as const

const root = createRootRoute({ component: Root, notFoundComponent: () => <NotAvailable access="absent" /> })

const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

const routes = [
  createRoute({ ...at("/"), component: FirstPage }),
  createRoute({
    ...at("/sign-in"),
    validateSearch: texts("return", "error"),
    // Root.tsx shows it to nobody signed in, whatever the place.
    component: () => null
  }),
  createRoute({ ...at("/start"), component: lazyRouteComponent(() => import("../start/StartPage.tsx"), "StartPage") }),
  createRoute({ ...at("/campaigns"), validateSearch: texts("q", "status"), component: CampaignsPage }),
  createRoute({
    ...at("/campaigns/new"),
    component: lazyRouteComponent(() => import("../campaigns/CampaignForm.tsx"), "NewCampaignPage")
  }),
  createRoute({
    ...at("/campaigns/$id"),
    validateSearch: texts("q", "status", "last_error"),
    component: lazyRouteComponent(() => import("../campaigns/CampaignPage.tsx"), "CampaignPage")
  }),
  createRoute({
    ...at("/campaigns/$id/settings"),
    component: lazyRouteComponent(() => import("../campaigns/CampaignForm.tsx"), "CampaignSettingsPage")
  }),
  createRoute({
    ...at("/campaigns/$id/import"),
    component: lazyRouteComponent(() => import("../campaigns/ImportPage.tsx"), "ImportPage")
  }),
  // One page, with a campaign or without: to choose another one takes the focus from nothing.
  createRoute({
    ...at("/preview/{-$id}"),
    component: lazyRouteComponent(() => import("../preview/PreviewPage.tsx"), "PreviewPage")
  }),
  createRoute({
    ...at("/calls"),
    validateSearch: texts(...callFilters),
    component: lazyRouteComponent(() => import("../calls/CallsPage.tsx"), "CallsPage")
  }),
  createRoute({
    ...at("/calls/$id"),
    component: lazyRouteComponent(() => import("../calls/CallPage.tsx"), "CallPage")
  }),
  createRoute({
    ...at("/do-not-call"),
    validateSearch: texts("q"),
    component: lazyRouteComponent(() => import("../do-not-call/DoNotCallPage.tsx"), "DoNotCallPage")
  }),
  createRoute({
    ...at("/contacts"),
    validateSearch: texts("q", "tag"),
    component: lazyRouteComponent(() => import("../contacts/ContactsPage.tsx"), "ContactsPage")
  }),
  createRoute({
    ...at("/contacts/$id"),
    component: lazyRouteComponent(() => import("../contacts/ContactPage.tsx"), "ContactPage")
  }),
  // One page, with a conversation or without: the list stays as it is.
  createRoute({
    ...at("/inbox/{-$id}"),
    validateSearch: texts("q", "show"),
    component: lazyRouteComponent(() => import("../inbox/InboxPage.tsx"), "InboxPage")
  }),
  createRoute({
    ...at("/agents"),
    validateSearch: texts("q"),
    component: lazyRouteComponent(() => import("../agents/AgentsPage.tsx"), "AgentsPage")
  }),
  createRoute({
    ...at("/agents/new"),
    component: lazyRouteComponent(() => import("../agents/AgentPage.tsx"), "NewAgentPage")
  }),
  createRoute({
    ...at("/agents/$id"),
    validateSearch: texts("q"),
    component: lazyRouteComponent(() => import("../agents/AgentPage.tsx"), "AgentPage")
  }),
  createRoute({
    ...at("/numbers"),
    component: lazyRouteComponent(() => import("../numbers/NumbersPage.tsx"), "NumbersPage")
  }),
  createRoute({
    ...at("/webhooks"),
    component: lazyRouteComponent(() => import("../webhooks/WebhooksPage.tsx"), "WebhooksPage")
  }),
  createRoute({
    ...at("/webhooks/$id"),
    validateSearch: texts("status", "delivery"),
    component: lazyRouteComponent(() => import("../webhooks/WebhookPage.tsx"), "WebhookPage")
  }),
  createRoute({
    ...at("/alerts"),
    component: lazyRouteComponent(() => import("../alerts/AlertsPage.tsx"), "AlertsPage")
  }),
  createRoute({
    ...at("/keys"),
    validateSearch: texts("q", "state", "key"),
    component: lazyRouteComponent(() => import("../keys/KeysPage.tsx"), "KeysPage")
  }),
  createRoute({
    ...at("/usage"),
    validateSearch: texts("by", "interval", "days", "timezone", "kind"),
    component: lazyRouteComponent(() => import("../usage/UsagePage.tsx"), "UsagePage")
  }),
  createRoute({
    ...at("/members"),
    validateSearch: texts("q"),
    component: lazyRouteComponent(() => import("../members/MembersPage.tsx"), "MembersPage")
  }),
  createRoute({
    ...at("/audit"),
    validateSearch: texts("action", "actor", "target_id", "from", "to"),
    component: lazyRouteComponent(() => import("../audit/AuditPage.tsx"), "AuditPage")
  }),
  createRoute({
    ...at("/me"),
    component: lazyRouteComponent(() => import("../account/AccountPage.tsx"), "AccountPage")
  })
] as const

const history = createHashHistory()

/** Values of filters are texts, and stand in the address as they were typed. */
const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text.replace(/^\?/, "")))

const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).flatMap(([name, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text]]
  })
  const text = new URLSearchParams(given).toString()
  return text === "" ? "" : `?${text}`
}

export const router = createRouter({
  routeTree: root.addChildren([...routes]),
  history,
  parseSearch,
  stringifySearch,
  defaultPendingMs: 150,
  defaultPreload: "intent",
  defaultErrorComponent: ErrorPage,
  // Arrival.ts has a rule of its own.
  scrollRestoration: false
})

let present = history.location.href
history.subscribe(({ action, location }) => {
  const [from, to] = [present, location.href]
  present = to
  post({ event: "path", path: to })
  if (from.split("?")[0] !== to.split("?")[0]) leaving(from, to, action.type === "BACK" || action.type === "GO")
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
