/** What can be wrong with a request about accounts, and with its origin. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const accessErrors = {
  AccountNotFound: { status: 404, code: "account_not_found" },
  CrossOrigin: { status: 403, code: "cross_origin" },
  FeatureDisabled: { status: 404, code: "feature_disabled" }
} as const satisfies ErrorTable

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", { id: Schema.String }) {
  override get message() {
    return `There is no account ${this.id}.`
  }
}

/** A browser has sent a cookie along, the host's or a session's, for a page that is not of this origin. */
export class CrossOrigin extends Schema.TaggedError<CrossOrigin>()("CrossOrigin", {}) {
  override get message() {
    return "This request was made by a page of another origin. Make it from a page of this service's own origin, or, where the host signs people in, have the operator list the page's origin in auth.allowed_origins."
  }
}

/** The account does not have the feature. Its callers get a 404 without a reason; the sentence is for the host. */
export class FeatureDisabled extends Schema.TaggedError<FeatureDisabled>()("FeatureDisabled", {
  accountId: Schema.String
}) {
  override get message() {
    return `Voice campaigns are off for the account ${this.accountId}. Turn them on with core.admin.changeAccount(id, { voiceCampaigns: true }), or trunkline account set --account ID --voice-campaigns on.`
  }
}
