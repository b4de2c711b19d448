/** The dashboard, as the host has it. */
import { area } from "../platform/room/index.ts"
import { configured } from "./DashboardConfigured.ts"
import { rules, settings } from "./DashboardOptions.ts"
import { Room as pages } from "./pages/index.ts"

export const dashboardArea = area({ name: "dashboard", rooms: [pages], settings, rules, configured })
