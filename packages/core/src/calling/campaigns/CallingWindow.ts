/** When calls may start: the hours of a campaign, under the name that hosts know. Source: docs/reference/campaigns.md#window. */
export {
  closesAt,
  type HourWindow as CallingWindow,
  isWithinHours as isOpen,
  isZone,
  nextOpening,
  windowOf
} from "../../platform/kernel/index.ts"
