/** What the installation decides about the portal's page. */
import * as Context from "effect/Context"
import type { PortalSettings } from "./PortalSettings.ts"

export class PortalPage extends Context.Service<PortalPage, PortalSettings>()(
  "@trunkline/core/webhooks/portal/PortalPage"
) {}
