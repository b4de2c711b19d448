/** What the platform's code says of a template that was sent. Pure: the table is the rule. Source: docs/reference/template-campaigns.md#codes. */
import type { SendMeaning } from "@trunkline/core/provider"
import { isPermission, optedOutCode } from "./PlatformCodes.ts"

const codes: ReadonlyArray<readonly [SendMeaning, ReadonlyArray<number>]> = [
  ["throttled", [4, 80007, 130429]],
  ["pair_rate", [131056]],
  ["passing", [2, 131000, 131016, 131057, 133004]],
  ["classification", [131064]],
  ["spam_rate", [131048]],
  ["marketing_limit", [131049]],
  ["experiment", [130472]],
  ["opted_out", [optedOutCode]],
  ["undeliverable", [131021, 131026, 131030, 131062]],
  ["country", [130497]],
  [
    "invalid_content",
    [100, 131008, 131009, 131051, 131052, 131053, 132000, 132005, 132007, 132008, 132012, 132018, 135000]
  ],
  ["template_missing", [132001]],
  ["template_paused", [132015]],
  ["template_disabled", [132016]],
  ["flow_blocked", [132068, 132069]],
  ["marketing_not_permitted", [131063]],
  // Code 3 is an ability that the token's app lacks: no message of the number is accepted until another token has it.
  ["credentials", [0, 3, 10, 190]],
  ["payment", [131042]],
  ["account_restricted", [33, 368, 131005, 131031, 131037, 131045, 133010]]
]

const meanings: ReadonlyMap<number, SendMeaning> = new Map(
  codes.flatMap(([meaning, all]) => all.map((code) => [code, meaning] as const))
)

export const meaningOf = (code: number): SendMeaning =>
  meanings.get(code) ?? (isPermission(code) ? "credentials" : "rejected")
