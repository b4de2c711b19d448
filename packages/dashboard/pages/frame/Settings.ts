/** What the installation has decided: the data block of the page, read once. */
import type { PageSettings } from "../../src/PageSettings.ts"

const standard: PageSettings = {
  version: "0",
  name: "Dashboard",
  color_scheme: "system",
  logo: null,
  logo_dark: null,
  words: {},
  hidden: [],
  help_url: null,
  token_url: null,
  sign_in_url: null,
  brand: {
    channel: "whatsapp",
    header_prefix: "X-Service-",
    message_id_field: "whatsapp_message_id",
    message_ids_field: "whatsapp_message_ids",
    user_id_field: "user_id"
  },
  areas: ["gateway", "agents", "calling", "messaging", "webhooks", "voice"],
  sign_in: true,
  oidc: null,
  outcomes: [],
  preview_hold_seconds: 120,
  frame_ancestors_foreign: false,
  frame_origins: []
}

const block = document.getElementById("settings")?.textContent?.trim() ?? ""

export const settings: PageSettings = {
  ...standard,
  ...(block === "" ? {} : (JSON.parse(block) as Partial<PageSettings>))
}

/** Where the product is mounted: the page stands one folder below, whatever a proxy has put before it. */
export const mount = new URL("..", location.href.replace(/[?#].*$/, "")).href

/** True where another page is around this one. */
export const isFramed = window.parent !== window
